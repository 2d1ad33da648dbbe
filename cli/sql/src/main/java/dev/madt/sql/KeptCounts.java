package dev.madt.sql;

import dev.madt.console.FileState;
import dev.madt.duckdb.TextPool;
import dev.madt.view.DataObject;
import dev.madt.view.Place;
import dev.madt.view.Selection;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps how often the places of traces have accessed which data, as a query has counted it, so that
 * later ones need not read the traces for that. Used by several threads.
 */
final class KeptCounts {
    /** Rows that are kept of all traces. */
    private static final int MOST = 1 << 18;

    /** Says how often a place has accessed an object, which is null if that was not counted. */
    record Row(int thread, Place place, DataObject object, long times) {}

    /**
     * All accesses of a trace.
     *
     * @param state in which the file was when it was read
     * @param by what tells rows apart; what does not is the same in all
     */
    record Counts(FileState state, CountedBy by, int process, List<Row> rows) {
        private boolean answers(Selection selection, AccessColumn[] columns) {
            return (by.data() ? selection.isOfKindsAndNames() : selection.isOfKindsAndCode())
                    && by.and(CountedBy.of(columns)).equals(by)
                    && areTold(columns);
        }

        /**
         * Writes the rows of what is selected. Names of places and data are found when they are
         * asked for first, by one thread at a time; nobody may wait for a taker of rows meanwhile,
         * who may wait for the rows of another thread.
         */
        private void write(
                String trace,
                Selection selection,
                AccessColumn[] columns,
                TextPool pool,
                RowWriter to) {
            Map<Place, PlaceTexts> places = new IdentityHashMap<>();
            Map<DataObject, DataTexts> data = new IdentityHashMap<>();
            AlikeRows made = new AlikeRows(
                    trace,
                    columns,
                    pool,
                    to,
                    place -> places.computeIfAbsent(place, of -> new PlaceTexts(of, pool)),
                    object -> data.computeIfAbsent(object, of -> new DataTexts(of, pool, null)));
            for (Row row : rows) {
                for (char letter : AlikeRows.letters(row.place.kind())) {
                    boolean wanted;
                    synchronized (this) {
                        wanted = selection.wants(letter, row.place, row.object);
                        if (wanted) {
                            made.of(process, row.thread, row.place, row.object, letter);
                        }
                    }
                    if (wanted) {
                        made.write(row.times);
                    }
                }
            }
        }
    }

    private final Map<Path, Counts> traces = new HashMap<>();

    /** Returns whether counts tell what columns need; null stands for one that has no values. */
    private static boolean areTold(AccessColumn[] columns) {
        return AlikeRows.areEnough(columns) && !AccessColumn.any(columns, AccessColumn::isOfBlocks);
    }

    /**
     * Writes rows of a trace, if they are kept and its file is as it was.
     *
     * @return whether it has
     */
    boolean write(
            Path trace,
            FileState state,
            Selection selection,
            AccessColumn[] columns,
            TextPool pool,
            RowWriter rows) {
        Counts known = of(trace, state);
        boolean enough = known != null && known.answers(selection, columns);
        if (enough) {
            known.write(trace.getFileName().toString(), selection, columns, pool, rows);
        }
        return enough;
    }

    private synchronized Counts of(Path trace, FileState state) {
        Counts known = traces.get(trace);
        return known != null && known.state.equals(state) ? known : null;
    }

    /**
     * Returns by what the accesses of a trace are to be counted: if their counts will be kept, they
     * tell no less than before.
     */
    CountedBy by(Path trace, FileState state, Selection selection, AccessColumn[] columns) {
        CountedBy asked = CountedBy.of(columns);
        Counts known = selection.isEverything() && areTold(columns) ? of(trace, state) : null;
        return known == null ? asked : asked.and(known.by);
    }

    /** Keeps the counts of a trace, if there is room for them; null: there are none. */
    synchronized void keep(Path trace, Counts counts) {
        if (counts == null) {
            return;
        }
        traces.remove(trace);
        int all = traces.values().stream().mapToInt(of -> of.rows.size()).sum();
        if (all + counts.rows.size() <= MOST) {
            traces.put(trace, counts);
        }
    }
}

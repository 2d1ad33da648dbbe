package dev.madt.sql;

import dev.madt.console.FileState;
import dev.madt.duckdb.TextPool;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.BlockLives;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Neighbours;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import dev.madt.view.calls.TimedCalls;
import dev.madt.view.convert.MemberTexts;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Makes a row of each access of a trace, with the columns that a query needs. */
final class AccessRows implements Analysis {
    private final RowWriter rows;
    /** Null where a column has no values. */
    private final AccessColumn[] columns;

    private final TextPool pool;
    private final MemberTexts<TextPool.Text> members;
    private final Notes<PlaceTexts> placeTexts = new Notes<>();
    private final Notes<DataTexts> dataTexts = new Notes<>();
    private final TextPool.Text trace;
    private final TextPool.Text load;
    private final TextPool.Text store;
    /** Null where rows are told apart by what each access has. */
    private final AlikeAccesses alike;

    private final CountedBy by;
    private final AlikeRows alikeRows;
    /** Says that no column tells blocks of one call from each other. */
    private final boolean bySite;
    /** Null where no column is of calls. */
    private final TimedCalls calls;

    private List<KeptCounts.Row> counts;
    /** Says whether accesses came that nobody has counted. */
    private boolean batches;

    private int process;
    private int window;

    /**
     * Makes the rows of one trace.
     *
     * @param trace name of its file
     * @param columns null where one has no values
     * @param by which accesses are counted, if columns allow it: all that they tell apart at least
     */
    AccessRows(
            String trace,
            AccessColumn[] columns,
            CountedBy by,
            TextPool pool,
            MemberTypes types,
            RowWriter rows) {
        this.rows = rows;
        this.by = by;
        this.columns = columns;
        this.pool = pool;
        this.members = new MemberTexts<>(types, pool::of, TextPool.Text.EMPTY);
        this.trace = pool.of(trace);
        this.load = pool.of("L");
        this.store = pool.of("S");
        this.bySite = !AccessColumn.any(columns, AccessColumn::isOfBlocks);
        this.calls = AccessColumn.any(columns, AccessColumn::isOfCalls) ? new TimedCalls() : null;
        this.alike = !AlikeRows.areEnough(columns) ? null : new AlikeAccesses(by, this::alike);
        this.alikeRows = new AlikeRows(trace, columns, pool, rows, this::of, this::of);
    }

    @Override
    public Needs needs() {
        Needs needs = bySite ? Needs.BATCHES.bySite().living(BlockLives.UNHEEDED) : Needs.BATCHES;
        needs = needs.keeping(placeTexts, dataTexts);
        return alike == null ? needs : needs.counting(alike).keeping(alike.notes());
    }

    @Override
    public void meta(Map<String, String> values) {
        Integer told = Names.process(values);
        process = told == null ? process : told;
        if (calls != null) {
            calls.meta(values);
        }
    }

    @Override
    public void neighbours(Neighbours space) {
        if (calls != null) {
            calls.neighbours(space);
        }
    }

    @Override
    public void call(int thread, Place place, long stack, long time) {
        if (calls != null) {
            calls.call(thread, place, stack, time);
        }
    }

    @Override
    public void ring(TraceEvent event) {
        window += event.type() == RingEventType.RECORD_START ? 1 : 0;
        if (calls != null) {
            calls.ring(event);
        }
    }

    @Override
    public void end(boolean complete) {
        if (alike != null) {
            counts = bySite && !batches ? alike.whole() : null;
            alike.tell();
        }
    }

    private void alike(int thread, Place place, DataObject object, long times) {
        for (char letter : AlikeRows.letters(place.kind())) {
            alikeRows.of(process, thread, place, object, letter);
            alikeRows.write(times);
        }
    }

    /**
     * Returns all accesses of the trace, which is at its end, counted; null if that is not known.
     */
    KeptCounts.Counts counts(FileState state) {
        return counts == null ? null : new KeptCounts.Counts(state, by, process, counts);
    }

    @Override
    public void accesses(Accesses batch) {
        batches = true;
        int from = 0;
        while (from < batch.count()) {
            Parcel parcel = rows.parcel();
            int at = parcel.count();
            int count = Math.min(Parcel.ROWS - at, batch.count() - from);
            for (int column = 0; column < columns.length; column++) {
                if (columns[column] != null) {
                    fill(parcel, column, at, batch, from, count);
                }
            }
            rows.added(count);
            from += count;
        }
    }

    private void fill(Parcel to, int column, int at, Accesses batch, int from, int count) {
        switch (columns[column]) {
            case TRACE -> fill(to, column, at, count, trace);
            case PROCESS -> fill(to.integers(column), at, count, process);
            case THREAD -> fill(to.integers(column), at, count, batch.thread());
            case WINDOW -> fill(to.integers(column), at, count, window);
            case PATH -> path(to, column, at, count, calls.path(batch.thread()));
            case TIME -> time(to, column, at, count, calls.time(batch.thread()));
            case NUMBER, ADDRESS, OFFSET, BLOCK -> longs(to, column, at, batch, from, count);
            case SIZE, LINE -> integers(to, column, at, batch, from, count);
            case FUNCTION, CODE, MODULE, FILE, KIND -> code(to, column, at, batch, from, count);
            default -> data(to, column, at, batch, from, count);
        }
    }

    private void path(Parcel to, int column, int at, int count, String path) {
        fill(to, column, at, count, path == null ? null : pool.of(path));
    }

    private static void time(Parcel to, int column, int at, int count, long time) {
        Arrays.fill(to.longs(column), at, at + count, time);
        for (int i = 0; time < 0 && i < count; i++) {
            to.putNothing(column, at + i);
        }
    }

    private static void fill(int[] to, int at, int count, int value) {
        Arrays.fill(to, at, at + count, value);
    }

    private static void fill(Parcel to, int column, int at, int count, TextPool.Text text) {
        for (int i = 0; i < count; i++) {
            put(to, column, at + i, text);
        }
    }

    private void longs(Parcel to, int column, int at, Accesses batch, int from, int count) {
        long[] values = to.longs(column);
        AccessColumn what = columns[column];
        for (int i = 0; i < count; i++) {
            int row = from + i;
            switch (what) {
                case NUMBER -> values[at + i] = batch.first() + row;
                case ADDRESS -> values[at + i] = batch.address(row);
                case OFFSET -> values[at + i] = batch.address(row) - batch.start(row);
                default -> {
                    long block = of(batch.object(row)).block();
                    values[at + i] = block;
                    if (block == 0) {
                        to.putNothing(column, at + i);
                    }
                }
            }
        }
    }

    private void integers(Parcel to, int column, int at, Accesses batch, int from, int count) {
        int[] values = to.integers(column);
        boolean size = columns[column] == AccessColumn.SIZE;
        for (int i = 0; i < count; i++) {
            int value = size ? batch.size(from + i) : batch.place(from + i).line();
            values[at + i] = value;
            if (value == 0) {
                to.putNothing(column, at + i);
            }
        }
    }

    private void code(Parcel to, int column, int at, Accesses batch, int from, int count) {
        AccessColumn what = columns[column];
        for (int i = 0; i < count; i++) {
            int row = from + i;
            TextPool.Text text = what == AccessColumn.KIND
                    ? batch.store(row) ? store : load
                    : of(batch.place(row)).text(what);
            put(to, column, at + i, text);
        }
    }

    private void data(Parcel to, int column, int at, Accesses batch, int from, int count) {
        AccessColumn what = columns[column];
        for (int i = 0; i < count; i++) {
            int row = from + i;
            long offset = batch.address(row) - batch.start(row);
            put(to, column, at + i, of(batch.object(row)).text(what, offset, batch.size(row)));
        }
    }

    private static void put(Parcel to, int column, int row, TextPool.Text text) {
        if (text == null) {
            to.putNothing(column, row);
        } else {
            to.put(column, row, text);
        }
    }

    private PlaceTexts of(Place place) {
        PlaceTexts texts = placeTexts.of(place);
        if (texts == null) {
            texts = new PlaceTexts(place, pool);
            placeTexts.keep(place, texts);
        }
        return texts;
    }

    private DataTexts of(DataObject object) {
        DataTexts texts = dataTexts.of(object);
        if (texts == null) {
            texts = new DataTexts(object, pool, members.of(object));
            dataTexts.keep(object, texts);
        }
        return texts;
    }
}

package dev.madt.view.sharing;

import dev.madt.view.DataObject;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/** Counts what several threads touch, at least one of them storing, by pieces of eight bytes. */
final class SharedData {
    static final List<String> HEADINGS =
            List.of("accesses", "stores", "bytes", "threads", "writers", "data", "under");

    private static final int SHIFT = 3;
    private static final long PIECE = 8;

    /** Holds what is known of eight bytes, for as long as the same thing lies there. */
    private static final class Piece {
        private DataObject object;
        private int first;
        private Set<Integer> threads;
        private final Set<Integer> writers = new TreeSet<>();
        private long accesses;
        private long stores;
        /** The locks that threads held at each access since there were two. */
        private LockSet locks;
    }

    /** Counts what has a name in common. */
    private static final class Row {
        private final Set<Integer> threads = new TreeSet<>();
        private final Set<Integer> writers = new TreeSet<>();
        private long accesses;
        private long stores;
        private long bytes;
        private LockSet locks;
    }

    private final ThreadFeed feed;
    private final LongObjectHashMap<Piece> pieces = new LongObjectHashMap<>();
    private final Map<String, Row> rows = new HashMap<>();

    SharedData(ThreadFeed feed) {
        this.feed = feed;
    }

    void access(int thread, long address, boolean store, DataObject object) {
        Piece piece = pieces.get(address >>> SHIFT);
        if (piece == null || piece.object != object) {
            tell(address, piece);
            piece = new Piece();
            piece.object = object;
            piece.first = thread;
            pieces.put(address >>> SHIFT, piece);
        }
        piece.accesses++;
        if (store) {
            piece.stores++;
            piece.writers.add(thread);
        }
        if (piece.threads == null && thread != piece.first) {
            piece.threads = new TreeSet<>(Set.of(piece.first));
            piece.locks = feed.locksOf(thread);
        }
        if (piece.threads != null) {
            piece.threads.add(thread);
            piece.locks = piece.locks.common(feed.locksOf(thread));
        }
    }

    private void tell(long address, Piece piece) {
        if (piece == null || piece.threads == null || piece.stores == 0) {
            return;
        }
        long at = Math.max(piece.object.start(), address & -PIECE);
        Row row = rows.computeIfAbsent(feed.name(piece.object, at), name -> new Row());
        row.threads.addAll(piece.threads);
        row.writers.addAll(piece.writers);
        row.accesses += piece.accesses;
        row.stores += piece.stores;
        row.bytes += Math.min(PIECE, Math.max(1, piece.object.end() - at));
        row.locks = row.locks == null ? piece.locks : row.locks.common(piece.locks);
    }

    /** Takes the end of the trace. */
    void end() {
        pieces.forEachKeyValue((number, piece) -> tell(number << SHIFT, piece));
        pieces.clear();
    }

    /** Returns whether nothing was shared. */
    boolean isEmpty() {
        return rows.isEmpty();
    }

    /**
     * The rows, the most accessed first.
     *
     * @param top rows at most; 0: all
     */
    Table table(int top) {
        List<Map.Entry<String, Row>> all = new ArrayList<>(rows.entrySet());
        all.sort(Comparator.comparingLong((Map.Entry<String, Row> one) -> one.getValue().accesses)
                .reversed()
                .thenComparing(Map.Entry::getKey));
        int shown = top > 0 && top < all.size() ? top : all.size();
        Table table = new Table("shared", HEADINGS);
        for (Map.Entry<String, Row> one : all.subList(0, shown)) {
            Row row = one.getValue();
            table.row(
                    row.accesses,
                    row.stores,
                    row.bytes,
                    (long) row.threads.size(),
                    (long) row.writers.size(),
                    one.getKey(),
                    feed.hasLocks() ? row.locks.text() : "?");
        }
        return table.hidden(all.size() - shown);
    }
}

package dev.madt.view.sharing;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.LockWords;
import dev.madt.tracker.PagedCells;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Place;
import dev.madt.view.Reading;
import dev.madt.view.locks.LockName;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Shows which data threads touched while they held a lock, by lock and data: of several locks that
 * a thread holds, each has its row.
 */
public final class LockedData {
    /** The columns. */
    public static final List<String> HEADINGS =
            List.of("accesses", "loads", "stores", "bytes", "threads", "lock", "data");

    /** Names of what the loader has filled with addresses of functions. */
    private static final Pattern OFFSETS =
            Pattern.compile("(?:.*:)?(?:got\\..*|_GLOBAL_OFFSET_TABLE_)");

    private static final int SHIFT = 3;
    private static final int CELL = 8;

    /** Counts what was done to some of eight bytes with the same locks held. */
    private static final class Cell {
        private final DataObject object;
        private final LockSet locks;
        private Cell next;
        private int bytes;
        private long loads;
        private long stores;
        private final BitSet threads = new BitSet();

        private Cell(DataObject object, LockSet locks, Cell next) {
            this.object = object;
            this.locks = locks;
            this.next = next;
        }
    }

    private record Key(String lock, String data) {}

    private static final class Row {
        private final NamedBytes data;
        private long loads;
        private long stores;
        private long bytes;
        private final BitSet threads = new BitSet();

        private Row(NamedBytes data) {
            this.data = data;
        }

        private void add(Cell cell) {
            loads += cell.loads;
            stores += cell.stores;
            threads.or(cell.threads);
        }
    }

    private static final class Follower extends ThreadFeed {
        private final boolean common;
        private final PagedCells<Cell> cells = new PagedCells<>(SHIFT);
        private final LockObjects objects = new LockObjects();
        private final Map<Key, Row> rows = new HashMap<>();

        private Follower(MemberTypes types, boolean common) {
            super(types);
            this.common = common;
        }

        @Override
        public Needs needs() {
            return super.needs().keeping(objects.notes());
        }

        @Override
        void got(TraceEvent.LockGot got, LockName name) {
            objects.add(got.lock());
        }

        @Override
        void sync(int thread, long object, String role) {
            if (LockWords.isOfObject(role)) {
                objects.add(object);
            }
        }

        @Override
        void access(
                int thread, long address, int size, boolean store, DataObject object, Place place) {
            LockSet held = locksOf(thread);
            if (held.isEmpty() || isOwn(object, place, address)) {
                return;
            }
            long end = address + size;
            for (long at = address; Long.compareUnsigned(at, end) < 0; ) {
                long next = Math.min((at | CELL - 1) + 1, end);
                Cell cell = of(at, object, held);
                cell.bytes |= (1 << next - at) - 1 << (int) (at & CELL - 1);
                if (at == address) { // one that lies in two cells is one access
                    cell.loads += store ? 0 : 1;
                    cell.stores += store ? 1 : 0;
                }
                cell.threads.set(thread);
                at = next;
            }
        }

        private Cell of(long address, DataObject object, LockSet held) {
            Cell first = cells.get(address);
            for (Cell each = first; each != null; each = each.next) {
                if ((each.locks == held || each.locks.equals(held))
                        && each.object.isStill(object)) {
                    return each;
                }
            }
            Cell made = new Cell(object, held, others(address, first, object));
            cells.put(address, made);
            return made;
        }

        /** Tells of what lies there no more; returns the others. */
        private Cell others(long address, Cell first, DataObject object) {
            Cell gone = null;
            Cell left = null;
            for (Cell each = first; each != null; ) {
                Cell next = each.next;
                if (!each.object.isStill(object) && object.contains(at(address, each))) {
                    each.next = gone;
                    gone = each;
                } else {
                    each.next = left;
                    left = each;
                }
                each = next;
            }
            tell(address, gone);
            return left;
        }

        private static long at(long address, Cell cell) {
            return (address & -CELL) + Integer.numberOfTrailingZeros(cell.bytes);
        }

        private void tell(long address, Cell first) {
            Map<Row, Integer> bytes = new HashMap<>(); // with some locks, and with others
            for (Cell each = first; each != null; each = each.next) {
                if (OFFSETS.matcher(each.object.name()).matches()) {
                    continue; // the loader's
                }
                String data = name(each.object, at(address, each));
                Set<String> names = new HashSet<>();
                for (LockSet.Lock lock : each.locks.locks()) {
                    names.add(lock.name().by(common));
                }
                for (String name : names) {
                    Row row = rows.computeIfAbsent(
                            new Key(name, NamedBytes.of(data).group()),
                            absent -> new Row(NamedBytes.of(data)));
                    row.data.add(NamedBytes.of(data));
                    row.add(each);
                    bytes.merge(row, each.bytes, (one, other) -> one | other);
                }
            }
            bytes.forEach((row, mask) -> row.bytes += Integer.bitCount(mask));
        }

        /** Returns whether it is what the C library does for itself. */
        private boolean isOwn(DataObject object, Place place, long address) {
            return objects.isOfSystem(place)
                    && (objects.isWithin(address) || LockObjects.isSystems(object));
        }

        @Override
        public void end(boolean complete) {
            cells.forEach(this::tell);
            cells.clear();
        }
    }

    private final boolean common;
    private Follower follower;

    /** @param common whether locks with a name in common share a row */
    public LockedData(boolean common) {
        this.common = common;
    }

    /** Adds what a trace tells. */
    public void addTo(Reading reading, MemberTypes types) {
        follower = new Follower(types, common);
        reading.addUnselected(follower);
    }

    /** Returns whether there were accesses at all. */
    public boolean isOfAccesses() {
        return follower.accesses() > 0;
    }

    /** Returns whether the trace was to hold locks. */
    public boolean isOfLocks() {
        return follower.hasLocks();
    }

    /**
     * The rows, the most accessed first.
     *
     * @param top rows at most; 0: all
     */
    public Table table(int top) {
        List<Map.Entry<Key, Row>> all = new ArrayList<>(follower.rows.entrySet());
        all.sort(Comparator.comparingLong(
                        (Map.Entry<Key, Row> one) -> one.getValue().loads + one.getValue().stores)
                .reversed()
                .thenComparing(one -> one.getKey().toString()));
        return new Table("touched", HEADINGS).first(all, top, one -> {
            Row row = one.getValue();
            return new Object[] {
                row.loads + row.stores,
                row.loads,
                row.stores,
                row.bytes,
                (long) row.threads.cardinality(),
                one.getKey().lock(),
                row.data.text()
            };
        });
    }

    /** Returns what to know about the table, a sentence each. */
    public List<String> sentences() {
        List<String> all = new ArrayList<>();
        if (follower.rows.isEmpty()) {
            all.add("nothing that was recorded is touched while a thread holds a lock.");
        }
        all.addAll(follower.doubts());
        return all;
    }
}

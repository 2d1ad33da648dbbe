package dev.madt.view.sharing;

import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.LockWords;
import dev.madt.tracker.PagedCells;
import dev.madt.view.DataObject;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import dev.madt.view.locks.LockName;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/** Counts what several threads touch, at least one of them storing, exact to the byte. */
final class SharedData {
    static final List<String> HEADINGS = List.of(
            "accesses", "stores", "bytes", "unguarded", "threads", "writers", "data", "under");

    private static final int SHIFT = 3;
    private static final long PIECE = 8;

    private final ThreadFeed feed;
    /** Knows what is in order without locks. */
    private final HappensBefore order = new HappensBefore();

    private final HappensBefore full = new HappensBefore();
    private final IntObjectHashMap<SharedCell.User> users = new IntObjectHashMap<>();
    private final PagedCells<SharedCell> cells = new PagedCells<>(SHIFT);
    private final Map<String, SharedRow> rows = new HashMap<>();
    private final Map<String, SharedRow> lockRows = new HashMap<>();
    private final LockObjects locks = new LockObjects();
    /** At the end: the rows, as one where they are alike. */
    private List<SharedRow> shared = List.of();

    private List<SharedRow> sharedLocks = List.of();
    private SharedCell.User last;
    private int lastThread;

    SharedData(ThreadFeed feed) {
        this.feed = feed;
    }

    /** Returns what this keeps on places. */
    Notes<?> notes() {
        return locks.notes();
    }

    void handle(int thread, long handle) {
        order.handle(thread, handle);
        full.handle(thread, handle);
    }

    void got(TraceEvent.LockGot got, LockName name, boolean unit) {
        locks.add(got.lock(), name.common());
        full.got(got.thread(), got.lock(), false);
        if (unit) {
            order.got(got.thread(), got.lock(), false);
        }
    }

    void released(int thread, long lock, boolean unit) {
        full.released(thread, lock, false);
        if (unit) {
            order.released(thread, lock, false);
        }
    }

    void goesOn(int thread) {
        order.goesOn(thread);
        full.goesOn(thread);
    }

    void sync(int thread, long object, String role) {
        if (LockWords.isOfObject(role)) {
            locks.add(object, feed.nameOf(thread, 0, object).common());
        }
        order.sync(thread, object, role);
        full.sync(thread, object, role);
    }

    void gap() {
        order.gap();
        full.gap();
    }

    private SharedCell.User user(int thread) {
        if (thread != lastThread || last == null) {
            last = users.getIfAbsentPut(
                    thread, () -> new SharedCell.User(order.thread(thread), full.thread(thread)));
            lastThread = thread;
        }
        return last;
    }

    void access(int thread, long address, int size, boolean store, DataObject object, Place place) {
        SharedCell.User user = user(thread);
        LockSet held = feed.guards(thread, store);
        long end = address + size;
        for (long at = address; Long.compareUnsigned(at, end) < 0; ) {
            long next = Math.min((at | PIECE - 1) + 1, end);
            int bytes = (1 << next - at) - 1 << (int) (at & PIECE - 1);
            SharedCell first = of(at, object);
            SharedCell whole = first;
            while (whole != null && (whole.bytes != bytes || whole.object != object)) {
                whole = whole.next;
            }
            if (whole != null) {
                access(whole, at, user, store, held, place);
            } else {
                for (SharedCell cell : parts(first, at, bytes, object)) {
                    access(cell, at, user, store, held, place);
                }
            }
            at = next;
        }
    }

    private static long at(SharedCell cell, long address) {
        return (address & -PIECE) + Integer.numberOfTrailingZeros(cell.bytes);
    }

    /** Returns what is known of an address; what lay there before is told. */
    private SharedCell of(long address, DataObject object) {
        SharedCell first = cells.get(address);
        if (first != null && first.object != object) {
            // bytes of other data in the same eight stay
            SharedCell stays = null;
            for (SharedCell each = first; each != null; ) {
                SharedCell next = each.next;
                if (each.object.isStill(object)) {
                    each.object = object;
                }
                if (each.object == object || !object.contains(at(each, address))) {
                    each.next = stays;
                    stays = each;
                } else {
                    tell(address, each);
                }
                each = next;
            }
            first = stays;
            cells.put(address, first);
        }
        return first;
    }

    /** Returns what is known of some of eight bytes, apart from the others. */
    private List<SharedCell> parts(SharedCell first, long address, int bytes, DataObject object) {
        List<SharedCell> found = new ArrayList<>();
        SharedCell all = null;
        int left = bytes;
        for (SharedCell each = first; each != null; ) {
            SharedCell next = each.next;
            int both = each.bytes & bytes;
            left &= ~both;
            if (both != 0 && both != each.bytes) {
                SharedCell rest = each.part(each.bytes & ~both);
                rest.next = all;
                all = rest;
                each = each.part(both);
            }
            each.next = all;
            all = each;
            if (both != 0) {
                found.add(each);
            }
            each = next;
        }
        if (left != 0) {
            SharedCell made = new SharedCell(object, left);
            made.atomic = feed.isAtomic(object, at(made, address));
            made.next = all;
            all = made;
            found.add(made);
        }
        cells.put(address, all);
        return found;
    }

    private void access(
            SharedCell cell,
            long address,
            SharedCell.User user,
            boolean store,
            LockSet held,
            Place place) {
        if (cell.comes(place, store)) {
            boolean system = locks.isOfSystem(place);
            cell.atomic |= locks.isAtomic(place);
            cell.plain |= !system;
            cell.stored |= store && !system;
            cell.teams |= system && locks.isOfTeams(place);
        }
        cell.access(user, store, held);
        if (cell.atomic && !(locks.isOfSystem(place) && locks.isWithin(address))) {
            if (store) {
                full.publish(user.full(), HappensBefore.atomicAt(address));
            } else {
                full.acquire(user.full(), HappensBefore.atomicAt(address));
            }
        }
    }

    private void tell(long address, SharedCell cell) {
        if (!cell.isShared()) {
            return;
        }
        cell.judge();
        long at = at(cell, address);
        String name = feed.name(cell.object, at);
        boolean lock = !cell.plain && (cell.teams || locks.isWithin(at))
                || locks.isFirstWord(at)
                || locks.isNamed(name);
        SharedRow row = (lock ? lockRows : rows).get(name);
        if (row == null) {
            row = new SharedRow(name, lock);
            (lock ? lockRows : rows).put(name, row);
        }
        if (feed.isAtomic(cell.object, at)) {
            row.atomicType();
        }
        if (!cell.stored && LockObjects.isSystems(cell.object)) {
            row.systems();
        }
        row.add(cell, () -> feed.single(cell.object, at));
    }

    /** Takes the end of the trace. */
    void end() {
        cells.forEach((address, first) -> {
            for (SharedCell each = first; each != null; each = each.next) {
                tell(address, each);
            }
        });
        cells.clear();
        shared = joined(rows.values());
        sharedLocks = joined(lockRows.values());
    }

    /** Returns whether nothing was shared. */
    boolean isEmpty() {
        return shared.isEmpty();
    }

    /** Returns how many rows there are of what locks are made of. */
    int locks() {
        return sharedLocks.size();
    }

    /**
     * The rows, the most accessed first.
     *
     * @param withLocks whether what locks are made of is shown, too
     * @param top rows at most; 0: all
     */
    Table table(boolean withLocks, int top) {
        List<SharedRow> all = new ArrayList<>(shared);
        if (withLocks) {
            all.addAll(sharedLocks);
        }
        all.sort(Comparator.comparingLong((SharedRow one) -> one.accesses)
                .reversed()
                .thenComparing(SharedRow::name));
        return new Table("shared", HEADINGS).first(all, top, this::cells);
    }

    private static List<SharedRow> joined(Collection<SharedRow> rows) {
        Map<SharedRow.Alike, SharedRow> joined = new LinkedHashMap<>();
        rows.forEach(row -> {
            SharedRow first = joined.putIfAbsent(row.alike(), row);
            if (first != null) {
                first.join(row);
            }
        });
        return List.copyOf(joined.values());
    }

    private Object[] cells(SharedRow row) {
        return new Object[] {
            row.accesses,
            row.stores,
            row.bytes,
            feed.hasLocks() && !row.lock ? row.unguarded : null,
            (long) row.threads.cardinality(),
            (long) row.writers.cardinality(),
            row.name(),
            row.lock ? "(a lock)" : feed.hasLocks() ? row.under() : "?"
        };
    }
}

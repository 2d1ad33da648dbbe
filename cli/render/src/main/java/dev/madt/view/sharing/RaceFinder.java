package dev.madt.view.sharing;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.LockWords;
import dev.madt.tracker.PagedCells;
import dev.madt.view.Allocation;
import dev.madt.view.CallChain;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Neighbours;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import dev.madt.view.ThreadCalls;
import dev.madt.view.locks.LockName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds accesses of two threads, one of them a store, of which neither has happened before the
 * other one: FastTrack (Flanagan and Freund, 2009), byte by byte.
 */
final class RaceFinder extends ThreadFeed {
    /** Races that are kept apart. */
    private static final int MOST = 10_000;

    private static final int SHIFT = 3;
    private static final int CELL = 8;
    /** Chains of calls of which each is one object. */
    private static final int MOST_CHAINS = 1 << 16;

    /** Names of memory where stacks are that were not recorded. */
    private static final Set<String> STACKS = Set.of("[stack]", "[anon]");

    /** Two places that race for the same data, a {@link NamedBytes#group}. */
    record Key(String data, Place first, Place second, boolean firstStores, boolean secondStores) {
        /** Returns the same two, the other one first. */
        Key turned() {
            return new Key(data, second, first, secondStores, firstStores);
        }
    }

    /** A race, as it was met first, and how often it was. */
    static final class Race {
        final Shadow.Touch first;
        final Shadow.Touch second;
        /** Holds what they race for. */
        final NamedBytes data;
        /** Atomic variables that the first thread had looked at shortly before. */
        private Set<Long> looked = Set.of();

        private boolean certain;
        private boolean doubtful;
        private boolean untyped;
        private boolean awaited;
        private boolean unseen;
        long times;

        /**
         * Returns whether the two cannot have been in another order, with a wait for an atomic
         * variable between them: what threads do between locks has no order in a trace.
         */
        boolean isCertain() {
            return !untyped && !awaited && !unseen && (certain || !doubtful);
        }

        /** Returns whether one of them seems to wait in a loop for what the other one stores. */
        boolean isAwaited() {
            return awaited;
        }

        /** Returns whether no type says that the data are not atomic, which moves do not show. */
        boolean isUntyped() {
            return untyped;
        }

        /** Returns whether it may be in order by an atomic variable on a stack. */
        boolean isUnseen() {
            return unseen;
        }

        private Race(NamedBytes data, Shadow.Touch first, Shadow.Touch second) {
            this.data = data;
            this.first = first;
            this.second = second;
        }
    }

    private final HappensBefore order = new HappensBefore();
    private final PagedCells<Shadow> cells = new PagedCells<>(SHIFT);
    /** Locks that threads have used, whose bytes are theirs alone. */
    private final LockObjects locks = new LockObjects();

    /** Atomic variables that a thread has looked at since its last event with a time. */
    private final Map<Integer, Set<Long>> looked = new HashMap<>();
    /** Races by their second threads that may turn out to be in order. */
    private final Map<Integer, List<Race>> doubted = new HashMap<>();

    /**
     * Holds what threads have done until they changed atomic variables on stacks: who waited for
     * that by plain loads is not told, unless stacks were recorded.
     */
    private final Clock unseen = new Clock();
    /** Races by their second threads, since the last events of these with a time. */
    private final Map<Integer, Set<Race>> recent = new HashMap<>();

    private final Map<Key, Race> races = new LinkedHashMap<>();

    /** Holds pairs of places of Go's runtime, of which nothing is said. */
    private final Set<List<Place>> ofGo = new HashSet<>();

    /** Says what each place did last. */
    private final Notes<Shadow.Touch> touches = new Notes<>();

    private final ThreadCalls calls = new ThreadCalls(MOST_CHAINS);
    /** Says whether calls are recorded. */
    private boolean called;

    /** Threads whose handles are known. */
    private final Set<Integer> named = new HashSet<>();

    private Neighbours space;

    private final WaitLoops loops = new WaitLoops();
    /** Holds variables for which threads wait in loops, as an earlier reading has found. */
    private final Set<Long> awaited;

    /** @param awaited of {@link #awaited} of an earlier reading of the trace */
    RaceFinder(MemberTypes types, Set<Long> awaited) {
        super(types);
        this.awaited = awaited;
    }

    /**
     * Returns for what threads wait in loops ({@link HappensBefore#atomicAt}), which orders them,
     * though no type says so.
     */
    Set<Long> awaited() {
        return loops.variables();
    }

    Map<Key, Race> races() {
        return races;
    }

    /** Returns how many pairs of places of Go's runtime were left out. */
    int ofGo() {
        return ofGo.size();
    }

    /** Returns which thread has made an access. */
    int threadOf(Shadow.Touch access) {
        return order.number(access.thread());
    }

    @Override
    public Needs needs() {
        return super.needs().keeping(locks.notes(), touches);
    }

    @Override
    public void neighbours(Neighbours there) {
        super.neighbours(there);
        space = there;
        calls.neighbours(there);
    }

    @Override
    public void call(int thread, Place place, long stack, long time) {
        called = true;
        calls.call(thread, place, stack);
    }

    @Override
    public void ring(TraceEvent event) {
        super.ring(event);
        if (event instanceof TraceEvent.ThreadStart begun && begun.stack() == 0) {
            order.lend(event.thread()); // others have a stack of their own
        } else if (event instanceof TraceEvent.Fork made && made.shares() != 0) {
            order.lentBack(event.thread());
        } else if (event.type() == RingEventType.THREAD_END) {
            order.end(event.thread());
        }
        calls.ring(event);
    }

    @Override
    void got(TraceEvent.LockGot got, LockName name) {
        forgetLooks(got.thread());
        locks.add(got.lock());
        order.got(got.thread(), got.lock(), LockWords.isShared(got));
    }

    @Override
    void released(int thread, long lock, Held known) {
        forgetLooks(thread);
        locks.add(lock);
        order.released(thread, lock, known != null && known.shared());
    }

    /** Takes all in different windows to be in order: nobody has seen what ordered it. */
    @Override
    void gap() {
        order.gap();
        looked.clear();
        recent.clear();
        doubted.clear();
    }

    /** Takes an event of a thread with a time. */
    private void forgetLooks(int thread) {
        looked.remove(thread);
        recent.remove(thread);
    }

    @Override
    void goesOn(int thread) {
        order.goesOn(thread);
    }

    @Override
    void sync(int thread, long object, String role) {
        forgetLooks(thread);
        if (LockWords.isOfObject(role)) {
            locks.add(object);
        }
        order.sync(thread, object, role);
    }

    @Override
    void handle(int thread, long handle) {
        if (named.add(thread)) {
            forgetStack(handle);
        }
        order.handle(thread, handle);
    }

    /**
     * Forgets what was done on the stack that a new thread has, at whose end its handle points: by
     * chance another one may have ended before, whose stack the C library gave to this one.
     */
    private void forgetStack(long handle) {
        DataObject stack = space.around(handle);
        if (stack != null && stack.end() - stack.start() > 0) {
            cells.forget(stack.start(), stack.end());
        }
    }

    /** Forgets what was there: what lies in a new block has not been there before. */
    @Override
    public void allocation(Allocation event) {
        if (event.born() != null && event.born().end() != event.born().start()) {
            cells.forget(event.born().start(), event.born().end());
        }
    }

    /** Returns whether it is how a lock of the C library works, which events tell of. */
    private boolean isWithinLock(Place place, long address) {
        return locks.isOfSystem(place) && locks.isWithin(address);
    }

    @Override
    void access(int thread, long address, int size, boolean store, DataObject object, Place place) {
        if (loops.isWaiting(thread, place, address, store) && !locks.isOfSystem(place)) {
            loops.add(HappensBefore.atomicAt(address));
        }
        HappensBefore.Thread by = order.thread(thread);
        long end = address + size;
        for (long at = address; Long.compareUnsigned(at, end) < 0; ) {
            long next = Math.min((at | CELL - 1) + 1, end);
            int bytes = (1 << next - at) - 1 << (int) (at & CELL - 1);
            cell(by, thread, at, bytes, store, object, place);
            at = next;
        }
    }

    private void cell(
            HappensBefore.Thread thread,
            int number,
            long address,
            int bytes,
            boolean store,
            DataObject object,
            Place place) {
        Shadow first = cells.get(address);
        int left = bytes;
        for (Shadow each = first; each != null && left != 0; each = each.next) {
            int both = each.bytes & left;
            if (both == 0) {
                continue;
            }
            if (both != each.bytes) {
                split(address, each, both);
                cell(thread, number, address, left, store, object, place);
                return;
            }
            touch(each, thread, number, address, store, object, place);
            left &= ~both;
        }
        if (left != 0) {
            Shadow made = new Shadow(left);
            made.next = cells.get(address);
            made.atomic = isAtomic(object, address);
            made.awaited = !made.atomic && awaited.contains(HappensBefore.atomicAt(address));
            cells.put(address, made);
            touch(made, thread, number, address, store, object, place);
        }
    }

    private void split(long address, Shadow whole, int some) {
        Shadow list = null;
        for (Shadow each = cells.get(address); each != null; each = each.next) {
            Shadow kept = each == whole ? each.part(each.bytes & ~some) : each.part(each.bytes);
            kept.next = list;
            list = kept;
        }
        Shadow part = whole.part(some);
        part.next = list;
        cells.put(address, part);
    }

    private void touch(
            Shadow shadow,
            HappensBefore.Thread thread,
            int number,
            long address,
            boolean store,
            DataObject object,
            Place place) {
        boolean atomic = shadow.atomic || locks.isAtomic(place);
        if (!atomic && !shadow.awaited && shadow.isKnown(thread, store)) {
            return; // the same as before, as far as others see
        }
        if (isWithinLock(place, address)) {
            return;
        }
        shadow.atomic = atomic;
        if (shadow.awaited && !atomic) {
            plain(shadow, thread, number, address, store, object, place);
        }
        if (atomic && locks.isOfC(place)) {
            return; // by chance: as a thread that ends, and one that makes another, share a list
        }
        if (atomic || shadow.awaited) {
            long variable = HappensBefore.atomicAt(address);
            if (store) {
                publishUnseen(thread, number, object);
                order.publish(thread, variable);
                doubted.getOrDefault(number, List.of())
                        .forEach(race -> race.doubtful |= race.looked.contains(variable));
            } else {
                order.acquire(thread, variable);
                if (!locks.isOfSystem(place)) {
                    looked.computeIfAbsent(number, absent -> new HashSet<>()).add(variable);
                }
            }
            return;
        }
        plain(shadow, thread, number, address, store, object, place);
    }

    /** Takes a store to an atomic variable, for which others may wait unseen if a stack has it. */
    private void publishUnseen(HappensBefore.Thread thread, int number, DataObject object) {
        if (!hasStacks() && STACKS.contains(object.name())) {
            unseen.join(thread.clock);
            recent.getOrDefault(number, Set.of()).forEach(race -> race.unseen = true);
        }
    }

    /** Compares with what others have done before, as far as they use no atomic instructions. */
    private void plain(
            Shadow shadow,
            HappensBefore.Thread thread,
            int number,
            long address,
            boolean store,
            DataObject object,
            Place place) {
        Shadow.Touch now = by(thread, number, place);
        Shadow.Touch before = shadow.unorderedStore(thread.index, thread.clock);
        if (before != null && !order.isFetching(thread, before.thread())) {
            found(before, true, now, store, address, object, shadow.awaited);
        }
        if (store) {
            Shadow.Touch load = shadow.unorderedLoad(thread.index, thread.clock);
            if (load != null) {
                found(load, false, now, true, address, object, shadow.awaited);
            }
            shadow.store(now);
        } else {
            shadow.load(now, thread.clock);
        }
    }

    /** Returns an access, the same one for what an instruction does in the present of a thread. */
    private Shadow.Touch by(HappensBefore.Thread thread, int number, Place place) {
        LockSet held = locksOf(number);
        CallChain chain = called ? calls.of(number) : null;
        Set<Long> seen = looked.getOrDefault(number, Set.of());
        Shadow.Touch last = touches.of(place);
        if (last == null
                || last.thread() != thread.index
                || last.clock() != thread.now()
                || last.locks() != held
                || last.calls() != chain
                || last.looked() != seen) {
            last = new Shadow.Touch(thread.index, thread.now(), place, held, chain, seen);
            touches.keep(place, last);
        }
        return last;
    }

    private void found(
            Shadow.Touch before,
            boolean stored,
            Shadow.Touch now,
            boolean stores,
            long address,
            DataObject object,
            boolean waits) {
        if (locks.isFirstWord(address)
                || LockObjects.isOfThreads(object)
                || locks.isOfSystem(before.place()) && locks.isOfSystem(now.place())) {
            return;
        }
        if (locks.isOfGo(before.place()) && locks.isOfGo(now.place())) {
            if (ofGo.size() < MOST) {
                ofGo.add(List.of(before.place(), now.place()));
            }
            return;
        }
        NamedBytes data = NamedBytes.of(name(object, address));
        Key key = new Key(data.group(), before.place(), now.place(), stored, stores);
        Race race = races.get(key);
        if (race == null) {
            race = races.get(key.turned());
        }
        if (race == null && races.size() < MOST) {
            race = new Race(data, before, now);
            races.put(key, race);
        }
        if (race != null) {
            race.data.add(data);
            race.untyped |= object.type() == null;
            race.awaited |= waits;
            race.unseen |= unseen.get(before.thread()) >= before.clock();
            if (!hasStacks()) {
                recent.computeIfAbsent(threadOf(now), absent -> new HashSet<>()).add(race);
            }
            race.times++;
            doubt(race, before, now);
        }
    }

    /**
     * Takes two accesses that may turn out to be in order. Either the second thread has looked at
     * what the first one published behind its access, and may have done so later than it is read;
     * or the first one had looked at what the second one publishes soon.
     */
    private void doubt(Race race, Shadow.Touch before, Shadow.Touch now) {
        for (long variable : now.looked()) {
            if (order.isPublished(variable, before.thread(), before.clock())) {
                race.doubtful = true;
                return;
            }
        }
        Set<Long> seen = before.looked();
        if (seen.isEmpty()) {
            race.certain = true;
        } else if (race.looked.isEmpty() && !race.certain) {
            race.looked = Set.copyOf(seen);
            doubted.computeIfAbsent(threadOf(now), absent -> new ArrayList<>()).add(race);
        }
    }
}

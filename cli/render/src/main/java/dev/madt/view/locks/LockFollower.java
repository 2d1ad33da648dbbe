package dev.madt.view.locks;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.EventWord;
import dev.madt.trace.event.OffCpuEvent;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.SystemCallEvent;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.LockWords;
import dev.madt.tracker.ThreadNames;
import dev.madt.tracker.TraceClock;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.NamedEvent;
import dev.madt.view.Needs;
import dev.madt.view.Neighbours;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Follows which thread has which lock. When a window of the recording closes, that is not known any
 * more.
 */
public final class LockFollower implements Analysis {
    /** The key of META that says that locks were recorded. */
    public static final String KEY = "locks";

    /** Says when a lock was released last, and by whom. */
    private record Release(Holding by, long time) {}

    private final LockNames names;
    private final List<LockListener> listeners;
    private final Map<Integer, List<Holding>> held = new HashMap<>();
    private final Map<Long, Release> released = new HashMap<>();
    /** Says the same of threads that had a lock alone: readers wait for these only. */
    private final Map<Long, Release> releasedAlone = new HashMap<>();

    private final Set<Integer> threads = new HashSet<>();
    private final ThreadNames threadNames = new ThreadNames();
    private TraceClock clock;
    private boolean recorded;
    private boolean stacks;
    private String completeness;
    private String unseen;
    private Neighbours space;
    private long events;
    private boolean accesses;

    /** @param types what is known of them; may become more while the trace is read */
    public LockFollower(MemberTypes types, List<LockListener> listeners) {
        names = new LockNames(types);
        this.listeners = listeners;
    }

    @Override
    public Needs needs() {
        return Needs.BATCHES.listing().inTime();
    }

    @Override
    public void meta(Map<String, String> values) {
        TraceClock told = TraceClock.of(values);
        clock = told == null ? clock : told;
        recorded |= values.containsKey(KEY);
        stacks |= values.containsKey("stack");
        String others = UnseenLocks.sentence(values);
        unseen = others == null ? unseen : others;
        threadNames.take(values.getOrDefault(ThreadNames.KEY, ""));
        completeness = values.getOrDefault("completeness", completeness);
    }

    /** Returns whether the trace was to hold locks. */
    public boolean isRecorded() {
        return recorded;
    }

    /** Returns whether some lock has no name, since accesses to stacks were not recorded. */
    boolean lacksStacks() {
        return names.areOnStacks() && !(stacks && accesses);
    }

    /** Returns how many events of locks there were. */
    public long events() {
        return events;
    }

    /** Returns how many threads used locks. */
    public int threads() {
        return threads.size();
    }

    /** Returns what the threads of the trace are called. */
    public ThreadNames threadNames() {
        return threadNames;
    }

    /** Returns what the trace holds of what the process did, for people; null: not known. */
    public String completeness() {
        return completeness;
    }

    /** Returns which locks of the program are not seen, as a sentence; null: not known of any. */
    public String unseen() {
        return unseen;
    }

    /** Returns whether the trace has accesses. */
    public boolean hasAccesses() {
        return accesses;
    }

    @Override
    public void accesses(Accesses batch) {
        accesses = true;
    }

    @Override
    public void event(NamedEvent event) {
        if (clock == null) {
            return;
        }
        if (event.event() instanceof TraceEvent.LockGot got) {
            got(got, event);
        } else if (event.event() instanceof TraceEvent.LockReleased gone) {
            released(gone, event);
        }
    }

    private void got(TraceEvent.LockGot got, NamedEvent event) {
        count(got);
        LockName name = names.of(space, got.thread(), got.code(), got.lock());
        long waited = clock.span(got.waited());
        if (LockWords.isSemaphore(got)) {
            Holding unit = at(got.asked() + got.waited(), name, got.lock(), event);
            Holding added = before(got, unit);
            listeners.forEach(listener -> listener.unit(unit, waited, added));
            return;
        }
        List<Holding> others = held.computeIfAbsent(got.thread(), thread -> new ArrayList<>());
        Holding lock = new Holding(
                name,
                got.lock(),
                got.thread(),
                clock.time(got.asked() + got.waited()),
                event.call(),
                LockWords.isShared(got),
                depth(others, got.lock()));
        Holding before = before(got, lock);
        String kind = LockWords.kind(got);
        listeners.forEach(listener ->
                listener.got(lock, kind, waited, before, others, LockWords.isTried(got)));
        others.add(lock);
    }

    /** Returns how many others there are: a thread may have a lock several times. */
    private static int depth(List<Holding> all, long lock) {
        return (int) all.stream()
                .mapToLong(Holding::address)
                .filter(address -> address != lock)
                .distinct()
                .count();
    }

    /** Returns who had the lock when a thread asked for it; null: no other thread. */
    private Holding before(TraceEvent.LockGot got, Holding lock) {
        Release last = (lock.shared() ? releasedAlone : released).get(got.lock());
        boolean other = last != null
                && last.by().thread() != got.thread()
                && Long.compareUnsigned(last.time(), got.asked()) > 0
                && !LockWords.kind(got).equals(LockWords.CONDITION);
        return other ? last.by() : null;
    }

    /** Returns what a thread asks for, or adds, and does not hold. */
    private Holding at(long time, LockName name, long lock, NamedEvent event) {
        int thread = event.event().thread();
        return new Holding(name, lock, thread, clock.time(time), event.call(), false, 0);
    }

    private void released(TraceEvent.LockReleased gone, NamedEvent event) {
        count(gone);
        List<Holding> all = held.getOrDefault(gone.thread(), List.of());
        for (int i = all.size() - 1; i >= 0; i--) {
            Holding lock = all.get(i);
            if (lock.address() == gone.lock()) {
                all.remove(i);
                last(lock, gone.time());
                listeners.forEach(listener -> listener.released(lock, clock.span(gone.held())));
                return;
            }
        }
        // a unit of a semaphore is added
        LockName name = names.of(space, gone.thread(), gone.code(), gone.lock());
        Holding added = at(gone.time(), name, gone.lock(), event);
        last(added, gone.time());
    }

    private void last(Holding gone, long time) {
        Release last = new Release(gone, time);
        released.put(gone.address(), last);
        if (!gone.shared()) {
            releasedAlone.put(gone.address(), last);
        }
    }

    /** Takes a lock that was not got, or one that was released without. */
    private void undone(TraceEvent.LockUndone not) {
        String why = EventWord.text(not.why());
        if (clock == null || why.equals(LockWords.MADE)) {
            return;
        }
        count(not);
        LockName name = names.of(space, not.thread(), not.code(), not.lock());
        boolean timed = why.equals(LockWords.TIMEOUT);
        if (!timed && !why.equals(LockWords.FAILED)) {
            listeners.forEach(listener -> listener.unpaired(name, not.thread()));
            return;
        }
        Holding asked = new Holding(
                name,
                not.lock(),
                not.thread(),
                clock.time(not.time() + not.lasted()),
                not.code() == 0 || space == null ? null : space.call(not.code()),
                false,
                depth(held.getOrDefault(not.thread(), List.of()), not.lock()));
        Holding before = holder(not);
        long waited = clock.span(not.lasted());
        listeners.forEach(listener -> listener.failed(asked, waited, before, timed));
    }

    /** Returns the other thread that has a lock; null: none. */
    private Holding holder(TraceEvent.LockUndone not) {
        for (List<Holding> all : held.values()) {
            for (Holding one : all) {
                if (one.address() == not.lock() && one.thread() != not.thread()) {
                    return one;
                }
            }
        }
        return null;
    }

    private void count(TraceEvent event) {
        events++;
        threads.add(event.thread());
    }

    /** Takes what a thread did besides; a trace without a clock tells nothing of times. */
    private void time(TraceEvent event) {
        if (clock == null) {
            return;
        }
        if (event instanceof TraceEvent.SystemCall call) {
            String name = SystemCallEvent.name(call);
            listeners.forEach(listener -> listener.called(
                    call.thread(), clock.time(call.begin()), clock.span(call.length()), name));
        } else if (event instanceof TraceEvent.OffCpu off) {
            String by = OffCpuEvent.preemptedBy(off);
            listeners.forEach(listener -> listener.offCpu(
                    off.thread(),
                    clock.time(off.begin()),
                    clock.span(off.length()),
                    by == null ? "waited" : by.equals("?") ? "preempted" : "preempted by " + by));
        }
    }

    @Override
    public void ring(TraceEvent event) {
        time(event);
        threadNames.take(event);
        if (event instanceof TraceEvent.LockUndone not) {
            undone(not);
        } else if (event.type() == RingEventType.THREAD_END) {
            keep(held.remove(event.thread()));
        } else if (event.type() == RingEventType.RECORD_STOP && clock != null) {
            long time = clock.time(((TraceEvent.Recording) event).time());
            listeners.forEach(listener -> listener.closes(time));
            keepAll();
            released.clear();
            releasedAlone.clear();
        }
    }

    @Override
    public void neighbours(Neighbours there) {
        space = there;
    }

    private void keep(List<Holding> locks) {
        if (locks != null) {
            locks.forEach(lock -> listeners.forEach(listener -> listener.kept(lock)));
        }
    }

    private void keepAll() {
        List.copyOf(held.keySet()).forEach(thread -> keep(held.remove(thread)));
    }

    @Override
    public void end(boolean complete) {
        keepAll();
    }
}

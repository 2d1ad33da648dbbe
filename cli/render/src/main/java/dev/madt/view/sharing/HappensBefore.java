package dev.madt.view.sharing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;

/**
 * Knows what has happened before what: by locks, conditions, semaphores, barriers, what is done
 * once, the making and the end of threads, and atomic instructions. Where it is not known which of
 * several things a thread waited for, it is taken to have waited for all: a race may then be
 * missed, but none is made up.
 */
final class HappensBefore {
    /** A thread, by its index. */
    static final class Thread {
        final int index;
        final Clock clock = new Clock();
        /** Says whether it has the kernel send something, whose bytes are still to be fetched. */
        private boolean sends;

        private Thread(int index) {
            this.index = index;
            clock.tick(index);
        }

        /** Returns how much of the thread itself has happened. */
        int now() {
            return clock.get(index);
        }
    }

    /**
     * A barrier, at which threads may meet again: one that is still about to leave comes behind
     * those of its own meeting alone.
     */
    private static final class Barrier {
        /** Holds what those have done that came to the meeting at hand. */
        private Clock meeting = new Clock();
        /** Says whether one of them has left it: the next who comes begins another meeting. */
        private boolean left;
        /** Holds the last meeting of each thread, by its index. */
        private final Map<Integer, Clock> meetings = new HashMap<>();

        private void arrive(Thread thread) {
            if (left) {
                meeting = new Clock();
                left = false;
            }
            publish(thread, meeting);
            meetings.put(thread.index, meeting);
        }

        private void pass(Thread thread) {
            Clock own = meetings.getOrDefault(thread.index, meeting);
            left |= own == meeting;
            thread.clock.join(own);
        }
    }

    private final Map<Integer, Thread> threads = new HashMap<>();
    /** Children of vfork, each of which has the memory while its parent waits. */
    private final List<Thread> lent = new ArrayList<>();

    private final Map<Long, Barrier> barriers = new HashMap<>();
    private final Map<Long, Clock> objects = new HashMap<>();
    /** Holds what readers of a lock have done before they released it. */
    private final Map<Long, Clock> readers = new HashMap<>();
    /** Threads that are within what is done once. */
    private final Map<Long, List<Thread>> within = new HashMap<>();

    /** Holds what had been done where functions were given to a team of threads. */
    private final Map<Long, Clock> forks = new HashMap<>();
    /** Threads that began such a function since. */
    private final Map<Long, List<Thread>> teams = new HashMap<>();
    /** Holds what had been done where tasks were made. */
    private final Clock tasks = new Clock();
    /** Threads that are making one. */
    private final List<Thread> makers = new ArrayList<>();
    /** Holds what has been done by tasks, and by threads until they waited for their team. */
    private final Clock done = new Clock();

    /** Threads by their handles. */
    private final Map<Long, Thread> handles = new HashMap<>();

    /** Makings of threads of which none has begun yet; and how many have of these. */
    private final List<Clock> made = new ArrayList<>();

    /** Holds what had been done when a window of the recording closed. */
    private final Clock past = new Clock();

    /** The thread that was asked for last. */
    private Thread last;

    private int lastNumber;
    private int begun;
    /** Numbers of threads in the trace, by their indexes. */
    private final IntArrayList numbers = new IntArrayList();

    /** Returns a thread, which begins when it is met first. */
    Thread thread(int number) {
        if (last != null && lastNumber == number) {
            return last;
        }
        last = of(number);
        lastNumber = number;
        return last;
    }

    private Thread of(int number) {
        Thread thread = threads.get(number);
        if (thread == null) {
            thread = new Thread(numbers.size());
            numbers.add(number);
            threads.put(number, thread);
            thread.clock.join(past);
            begin(thread);
        }
        return thread;
    }

    /** Returns the object that stands for an atomic variable in eight bytes; no lock is there. */
    static long atomicAt(long address) {
        return ~(address & -Long.BYTES);
    }

    /** Returns which thread of the trace has an index. */
    int number(int index) {
        return numbers.get(index);
    }

    /** Joins what made it. Which of the others made it is known if one alone has begun to. */
    private void begin(Thread thread) {
        made.forEach(thread.clock::join);
        if (!made.isEmpty() && ++begun >= made.size()) {
            made.clear();
            begun = 0;
        }
    }

    /**
     * Nobody sees what orders threads for a while: all that they do then and later comes behind all
     * that they have done.
     */
    void gap() {
        threads.values().forEach(thread -> past.join(thread.clock));
        threads.values().forEach(thread -> {
            thread.clock.join(past);
            thread.clock.tick(thread.index);
            thread.sends = false;
        });
        barriers.clear();
        within.clear();
        forks.clear();
        teams.clear();
        makers.clear();
        made.clear();
        begun = 0;
    }

    /** A child of vfork begins. Which thread waits for it is not known: it comes behind all. */
    void lend(int number) {
        Thread child = thread(number);
        late(child);
        lent.add(child);
    }

    /** A thread has the memory back that it had lent to a child. */
    void lentBack(int number) {
        Thread parent = thread(number);
        lent.forEach(child -> joinPresent(parent, child));
    }

    /** A thread ends. */
    void end(int number) {
        if (!lent.isEmpty()) {
            lent.remove(thread(number));
        }
    }

    /** A thread is called so by those that wait for its end. */
    void handle(int number, long handle) {
        handles.put(handle, thread(number));
    }

    private Barrier barrier(long address) {
        return barriers.computeIfAbsent(address, absent -> new Barrier());
    }

    private Clock object(long address) {
        return objects.computeIfAbsent(address, absent -> new Clock());
    }

    /** A thread comes behind all that was published at an object. */
    void acquire(Thread thread, long object) {
        Clock clock = objects.get(object);
        if (clock != null) {
            thread.clock.join(clock);
        }
    }

    /**
     * Returns whether a thread that comes behind an object comes behind what another one did.
     *
     * @param index that of the other thread
     * @param then its clock at that time
     */
    boolean isPublished(long object, int index, int then) {
        Clock clock = objects.get(object);
        return clock != null && then <= clock.get(index);
    }

    /** A thread publishes what it has done, at an object. */
    void publish(Thread thread, long object) {
        publish(thread, object(object));
    }

    private static void publish(Thread thread, Clock clock) {
        clock.join(thread.clock);
        thread.clock.tick(thread.index);
    }

    void got(int number, long lock, boolean shared) {
        Thread thread = thread(number);
        acquire(thread, lock);
        Clock reading = readers.get(lock);
        if (!shared && reading != null) {
            thread.clock.join(reading);
        }
    }

    void released(int number, long lock, boolean shared) {
        Thread thread = thread(number);
        if (shared) {
            readers.computeIfAbsent(lock, absent -> new Clock()).join(thread.clock);
            thread.clock.tick(thread.index);
        } else {
            publish(thread, lock);
        }
    }

    /**
     * Returns whether a thread is fetching what it sends, which another one has received: in the
     * trace that may come behind what the other one has done since.
     */
    boolean isFetching(Thread thread, int index) {
        return thread.sends && thread(number(index)).clock.get(thread.index) >= thread.now();
    }

    /** A thread does something else than fetching what it sends, which comes behind that. */
    void goesOn(int number) {
        Thread thread = thread(number);
        if (thread.sends) {
            thread.clock.tick(thread.index);
            thread.sends = false;
        }
    }

    void sync(int number, long object, String role) {
        Thread thread = thread(number);
        switch (role) {
            case "signal" -> publish(thread, object);
            case "sent" -> {
                object(object).join(thread.clock);
                thread.sends = true;
            }
            case "awoke", "received" -> acquire(thread, object);
            case "arrive" -> barrier(object).arrive(thread);
            case "pass" -> barrier(object).pass(thread);
            case "begin" ->
                within.computeIfAbsent(object, absent -> new ArrayList<>()).add(thread);
            case "once" -> once(thread, object);
            case "create" -> {
                made.add(thread.clock.copy());
                thread.clock.tick(thread.index);
            }
            case "join" -> join(thread, object);
            case "fork" -> publish(thread, forks.computeIfAbsent(object, absent -> new Clock()));
            case "task" -> makers.add(thread);
            case "made" -> {
                makers.remove(thread);
                publish(thread, tasks);
            }
            case "part" -> part(thread, object);
            case "done", "gather" -> publish(thread, done);
            case "gathered" -> thread.clock.join(done);
            case "joined" -> joined(thread, object);
            case "late" -> late(thread);
            default -> {}
        }
    }

    /** Ends what is done once. Who is done may have waited for any thread that is still within. */
    private void once(Thread thread, long object) {
        List<Thread> others = within.getOrDefault(object, new ArrayList<>());
        others.remove(thread);
        others.forEach(other -> joinPresent(thread, other));
        acquire(thread, object);
        publish(thread, object);
    }

    /**
     * A thread begins a function of its team; a task if no team was given it. Which tasks it waited
     * for is not known: for those that are done.
     */
    private void part(Thread thread, long function) {
        Clock fork = forks.get(function);
        if (fork != null) {
            thread.clock.join(fork);
            teams.computeIfAbsent(function, absent -> new ArrayList<>()).add(thread);
        } else {
            makers.forEach(maker -> joinPresent(thread, maker));
            thread.clock.join(tasks);
            thread.clock.join(done);
        }
    }

    /** A team is done with a function. */
    private void joined(Thread thread, long function) {
        List<Thread> team = teams.remove(function);
        for (Thread other : team == null ? List.<Thread>of() : team) {
            joinPresent(thread, other);
        }
        thread.clock.join(done);
    }

    /** A thread has waited for nobody knows which others. */
    private void late(Thread thread) {
        for (Thread other : threads.values()) {
            if (other != thread) {
                joinPresent(thread, other);
            }
        }
    }

    /** A thread comes behind all that another one has done until now. */
    private static void joinPresent(Thread thread, Thread other) {
        thread.clock.join(other.clock);
        other.clock.tick(other.index);
    }

    /**
     * Waits for a thread. One that is called so by nobody has done nothing so far, for its name
     * stands in front of that; unless there are threads whose names are not told.
     */
    private void join(Thread thread, long handle) {
        Thread last = handles.get(handle);
        if (last != null) {
            thread.clock.join(last.clock);
            return;
        }
        Set<Thread> told = new HashSet<>(handles.values());
        for (Thread other : threads.values()) {
            if (!told.contains(other)) {
                thread.clock.join(other.clock);
            }
        }
    }
}

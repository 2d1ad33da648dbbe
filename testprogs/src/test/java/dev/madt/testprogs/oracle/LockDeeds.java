package dev.madt.testprogs.oracle;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * Says what a trace must have of calls of lock functions, by what POSIX and C11 say of these: not
 * by the table of {@code madt run --lock list}. A thread is assumed to hold nothing at first.
 *
 * <p>In glibc, {@code pthread_spin_init} and {@code pthread_spin_unlock} are one function with two
 * names. So one that is made looks like one that is released by a thread that does not hold it.
 */
final class LockDeeds {
    private static final int OWNER_DIED = 130;
    private static final int NOT_OWNER = 1;
    private static final int INVALID = 22;

    /**
     * A deed.
     *
     * @param what was done: {@code got} with the kind of lock, {@code free}, {@code failed}, or the
     *     part in what threads wait for
     */
    record Deed(String what, long lock) {}

    /** A deed that a call makes. */
    record Made(Deed deed, LockLog.Call call) {
        /** Returns whether all of the call lies between two moments of the log. */
        boolean isWithin(long first, long last) {
            return call.begin() >= first && call.returned() && call.end() < last;
        }
    }

    private static final Map<String, String> GETS = Map.ofEntries(
            Map.entry("pthread_mutex_lock", "mutex"),
            Map.entry("pthread_mutex_timedlock", "mutex"),
            Map.entry("pthread_mutex_clocklock", "mutex"),
            Map.entry("pthread_mutex_trylock", "mutex?"),
            Map.entry("mtx_lock", "mutex"),
            Map.entry("mtx_timedlock", "mutex"),
            Map.entry("mtx_trylock", "mutex?"),
            Map.entry("pthread_rwlock_rdlock", "read"),
            Map.entry("pthread_rwlock_timedrdlock", "read"),
            Map.entry("pthread_rwlock_clockrdlock", "read"),
            Map.entry("pthread_rwlock_tryrdlock", "read?"),
            Map.entry("pthread_rwlock_wrlock", "write"),
            Map.entry("pthread_rwlock_timedwrlock", "write"),
            Map.entry("pthread_rwlock_clockwrlock", "write"),
            Map.entry("pthread_rwlock_trywrlock", "write?"),
            Map.entry("pthread_spin_lock", "spin"),
            Map.entry("pthread_spin_trylock", "spin?"),
            Map.entry("sem_wait", "sem"),
            Map.entry("sem_trywait", "sem"),
            Map.entry("sem_timedwait", "sem"),
            Map.entry("sem_clockwait", "sem"));

    private final List<Made> deeds = new ArrayList<>();
    private final List<Long> held = new ArrayList<>();
    private int certain;
    /** Makes the deed at hand. */
    private LockLog.Call by;

    /** Returns what comes of one thread's calls. */
    static LockDeeds of(List<LockLog.Call> calls) {
        LockDeeds all = new LockDeeds();
        Deque<LockLog.Call> open = new ArrayDeque<>();
        for (LockLog.Call call : calls) {
            while (!open.isEmpty() && open.peek().returned() && open.peek().end() <= call.begin()) {
                all.end(open.pop());
            }
            all.certain = all.deeds.size();
            all.begin(call);
            open.push(call);
        }
        all.certain = open.isEmpty() || open.peek().returned() ? all.deeds.size() : all.certain;
        while (!open.isEmpty()) {
            LockLog.Call call = open.pop();
            boolean cut = all.certain < all.deeds.size();
            all.end(call);
            all.certain = cut || !call.returned() ? all.certain : all.deeds.size();
        }
        return all;
    }

    /** Returns them in their order. */
    List<Made> deeds() {
        return deeds;
    }

    /** Returns how many must be there: the end of the process may have come before the others. */
    int certain() {
        return certain;
    }

    private void add(String what, long lock) {
        deeds.add(new Made(new Deed(what, lock), by));
    }

    private void begin(LockLog.Call call) {
        by = call;
        switch (call.function()) {
            case "pthread_mutex_unlock", "mtx_unlock", "pthread_rwlock_unlock" ->
                release(call.lock(), "not held");
            case "pthread_spin_unlock", "pthread_spin_init" -> release(call.lock(), "made");
            case "sem_post" -> add("free", call.lock());
            case "pthread_cond_wait",
                    "pthread_cond_timedwait",
                    "pthread_cond_clockwait",
                    "cnd_wait",
                    "cnd_timedwait" -> release(call.mutex(), "not held");
            case "pthread_cond_signal", "pthread_cond_broadcast", "cnd_signal", "cnd_broadcast" ->
                add("signal", call.lock());
            case "pthread_barrier_wait" -> add("arrive", call.lock());
            case "pthread_once", "call_once" -> add("begin", call.lock());
            case "pthread_create", "thrd_create" -> add("create", call.lock());
            default -> {}
        }
    }

    private void end(LockLog.Call call) {
        by = call;
        int result = call.result();
        boolean zero = result == 0 || result == OWNER_DIED;
        switch (call.function()) {
            case "pthread_cond_wait",
                    "pthread_cond_timedwait",
                    "pthread_cond_clockwait",
                    "cnd_wait",
                    "cnd_timedwait" -> awake(call, result != NOT_OWNER && result != INVALID);
            case "pthread_barrier_wait" -> add("pass", call.lock());
            case "pthread_once", "call_once" -> add("once", call.lock());
            case "pthread_join", "thrd_join" -> add(zero ? "join" : "failed", call.lock());
            default -> get(call, GETS.get(call.function()), zero);
        }
    }

    private void get(LockLog.Call call, String kind, boolean got) {
        if (kind == null) {
            return; // its begin is all that matters
        }
        add(got ? "got " + kind : "failed", call.lock());
        if (got && !kind.equals("sem")) {
            held.add(call.lock());
        }
    }

    private void awake(LockLog.Call call, boolean good) {
        if (good) {
            add("awoke", call.lock());
            add("got cond", call.mutex());
            held.add(call.mutex());
        } else {
            add("failed", call.lock());
        }
    }

    private void release(long lock, String otherwise) {
        add(held.remove(Long.valueOf(lock)) ? "free" : otherwise, lock);
    }
}

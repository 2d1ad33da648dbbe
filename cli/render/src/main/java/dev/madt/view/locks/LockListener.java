package dev.madt.view.locks;

import java.util.List;

/** Is told what threads do with locks, in the order in which they had them. */
public interface LockListener {
    /**
     * A thread has got a lock.
     *
     * @param waited nanoseconds since it asked
     * @param before who had the lock last, if it was another thread's when this one asked; or null
     * @param held what the thread holds besides, the first one first
     * @param tried whether it would not have waited
     */
    default void got(
            Holding lock,
            String kind,
            long waited,
            Holding before,
            List<Holding> held,
            boolean tried) {}

    /** A thread has released a lock, after so many nanoseconds. */
    default void released(Holding lock, long held) {}

    /**
     * A thread has got a unit of a semaphore.
     *
     * @param waited nanoseconds since it asked
     * @param added who added a unit meanwhile, if that was another thread; or null
     */
    default void unit(Holding unit, long waited, Holding added) {}

    /**
     * A thread did not get a lock, or a unit of a semaphore.
     *
     * @param asked what it asked for, and until when
     * @param waited nanoseconds since it asked
     * @param before who had the lock, if it was another thread; or null
     * @param timed whether it was to wait for some time
     */
    default void failed(Holding asked, long waited, Holding before, boolean timed) {}

    /** A lock is released of which it is not known how it was got. */
    default void unpaired(LockName lock, int thread) {}

    /** A thread was in a system call, from a time on for so many nanoseconds. */
    default void called(int thread, long begin, long nanos, String call) {}

    /** A thread had no processor, in the same way. */
    default void offCpu(int thread, long begin, long nanos, String why) {}

    /** A window of the recording closes: nobody sees what is released from there on. */
    default void closes(long time) {}

    /** A thread holds a lock at the end, or when a window of the recording closes. */
    default void kept(Holding lock) {}
}

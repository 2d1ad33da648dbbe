package dev.madt.collector;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Packs and writes the frames of all traces of a run in a thread of its own, in the order in which they come. Whoever hands over a
 * frame of events waits while {@link #MOST_WAITING} wait already, so that a slow disk costs time, and no memory. All but what is
 * handed over is for one thread, which attends to other things while it waits.
 */
final class WriteQueue implements AutoCloseable {
    /** Frames, of which each takes at most a few MiB. */
    static final int MOST_WAITING = 8;
    private static final long ATTEND_MILLIS = 5;

    private final Semaphore room = new Semaphore(MOST_WAITING);
    private final ExecutorService writer = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "trace writer");
        thread.setDaemon(true);
        return thread;
    });

    private Runnable attendance = () -> {};

    /** What is done time and again, in the thread that waits, while it waits; it must not wait for the queue. */
    void whileWaiting(Runnable attendance) {
        this.attendance = attendance;
    }

    /** Whether the next frame would have to wait. */
    boolean isFull() {
        return room.availablePermits() == 0;
    }

    /** Whether half of the frames that may wait do, or more. */
    boolean isLong() {
        return room.availablePermits() <= MOST_WAITING / 2;
    }

    /** Has a task done behind those that wait; waits for room. */
    void put(Runnable task) throws IOException {
        await(room::tryAcquire);
        execute(() -> {
            try {
                task.run();
            } finally {
                room.release();
            }
        });
    }

    /** The same without waiting, for what is small and must not be lost. */
    void add(Runnable task) throws IOException {
        execute(task);
    }

    private void execute(Runnable task) throws IOException {
        try {
            writer.execute(task);
        } catch (RejectedExecutionException e) {
            throw new IOException("the trace is closed", e);
        }
    }

    /** Waits until all that was handed over has been done. */
    void await() throws IOException {
        CountDownLatch done = new CountDownLatch(1);
        add(done::countDown);
        await(done::await);
    }

    /** Something that comes to pass, or not within a time. */
    private interface Event {
        boolean await(long time, TimeUnit unit) throws InterruptedException;
    }

    private void await(Event event) throws IOException {
        try {
            while (!event.await(ATTEND_MILLIS, TimeUnit.MILLISECONDS)) {
                attendance.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the trace was written", e);
        }
    }

    /** Takes nothing more; what waits is done by the thread. */
    @Override
    public void close() {
        writer.shutdown();
    }
}

package dev.madt.collector;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Packs and writes the frames of all traces of a run in a thread of its own, in the order in which
 * they come. Whoever makes frames asks first whether the queue {@link #isFull}, so that a slow disk
 * costs time, and no memory. Who does not ask has to wait once twice as many tasks wait.
 */
final class WriteQueue implements AutoCloseable {
    /** Frames, of which each takes at most a few MiB. */
    static final int MOST_WAITING = 8;

    private final int most;
    private final Semaphore room;
    private final ExecutorService writer = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "trace writer");
        thread.setDaemon(true);
        return thread;
    });

    /** @param most so many tasks wait, or are being done, when the queue is full */
    WriteQueue(int most) {
        this.most = most;
        this.room = new Semaphore(2 * most);
    }

    /** Returns whether nothing should be put for now. */
    boolean isFull() {
        return room.availablePermits() <= most;
    }

    /** Returns whether more than one task may wait. */
    boolean takesSeveral() {
        return most > 1;
    }

    /** Returns whether half of the tasks that may wait do, or more. */
    boolean isLong() {
        return room.availablePermits() <= most + most / 2;
    }

    /** Waits until the queue is not full, but not longer than so many milliseconds. */
    void awaitRoom(long millis) throws IOException {
        await(() -> {
            if (room.tryAcquire(most + 1, millis, TimeUnit.MILLISECONDS)) {
                room.release(most + 1);
            }
        });
    }

    /** Has a task done behind those that wait. */
    void put(Runnable task) throws IOException {
        await(room::acquire);
        execute(() -> {
            try {
                task.run();
            } finally {
                room.release();
            }
        });
    }

    /** Has a small task done behind those that wait; it does not make the queue fuller. */
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

    /** Something that takes its time. */
    interface Wait {
        void end() throws InterruptedException;
    }

    /** Waits for it. */
    static void await(Wait wait) throws IOException {
        try {
            wait.end();
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

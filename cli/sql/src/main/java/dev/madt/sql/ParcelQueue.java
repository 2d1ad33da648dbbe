package dev.madt.sql;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;

/**
 * Hands parcels from the one thread that fills them to the one that empties them, and back. Each
 * side may end early: the other one learns of it at its next call.
 */
final class ParcelQueue {
    private static final int PARCELS = 4;

    /** Says to the thread that fills parcels that nobody wants more. */
    static final class Unwanted extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unwanted() {
            super("nobody reads on", null, false, false);
        }
    }

    /** Carries what the side that fills says: a parcel, or how it ended. */
    private record Message(Parcel parcel, RuntimeException fault) {}

    private final BlockingQueue<Message> full = new ArrayBlockingQueue<>(PARCELS + 1);
    private final BlockingQueue<Parcel> empty = new ArrayBlockingQueue<>(PARCELS);
    private volatile boolean unwanted;
    private boolean ended;

    ParcelQueue(Supplier<Parcel> parcels) {
        for (int i = 0; i < PARCELS; i++) {
            empty.add(parcels.get());
        }
    }

    /** Waits for an empty parcel, unless nobody wants more. */
    Parcel toFill() {
        if (unwanted) {
            throw new Unwanted(); // also where what ends the reading still has rows
        }
        try {
            Parcel parcel = empty.take();
            if (unwanted) {
                throw new Unwanted();
            }
            return parcel;
        } catch (InterruptedException e) {
            throw new Unwanted();
        }
    }

    /** Hands on a parcel. */
    void filled(Parcel parcel) {
        full.add(new Message(parcel, null)); // there is room for all of them
    }

    /** Returns whether nobody wants more. */
    boolean isUnwanted() {
        return unwanted;
    }

    /** All rows are there. */
    void end(RuntimeException fault) {
        full.add(new Message(null, fault));
    }

    /**
     * Waits for a full parcel.
     *
     * @return null at the end
     * @throws IllegalStateException if the other side failed
     */
    Parcel toEmpty() {
        if (ended) {
            return null;
        }
        try {
            Message message = full.take();
            ended = message.parcel() == null;
            if (message.fault() != null) {
                throw message.fault();
            }
            return message.parcel();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Gives a parcel back. */
    void emptied(Parcel parcel) {
        parcel.clear();
        empty.add(parcel);
    }

    /** Nobody wants more rows. */
    void close() {
        unwanted = true;
    }
}

package dev.madt.sql;

/** Takes rows one by one or some at a time, and hands them on in parcels. */
final class RowWriter {
    private final ParcelQueue queue;
    private Parcel parcel;
    private boolean any;

    RowWriter(ParcelQueue queue) {
        this.queue = queue;
    }

    /** The parcel with room for at least one row more. */
    Parcel parcel() {
        if (parcel == null) {
            parcel = queue.toFill();
        }
        return parcel;
    }

    /** So many more rows of the parcel have all of their values. */
    void added(int rows) {
        any |= rows > 0;
        parcel.add(rows);
        if (parcel.isFull()) {
            queue.filled(parcel);
            parcel = null;
        }
    }

    /** The first row of the parcel, which has no other, stands for so many. */
    void repeated(long times) {
        any = true;
        parcel.add(1);
        parcel.repeat(times);
        queue.filled(parcel);
        parcel = null;
    }

    /** Hands on what there is, so that the next parcel is empty. */
    Parcel emptyParcel() {
        end();
        return parcel();
    }

    /** Returns whether there has been no row. */
    boolean isEmpty() {
        return !any;
    }

    /** Returns whether nobody wants more rows. */
    boolean isUnwanted() {
        return queue.isUnwanted();
    }

    void end() {
        if (parcel != null && parcel.count() > 0) {
            queue.filled(parcel);
            parcel = null;
        }
    }
}

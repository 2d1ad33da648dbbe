package dev.madt.view.defects;

import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.Place;

/** Finds what is read of stacks though nobody has written it since its function was called. */
final class StackWatch {
    private static final int REGISTER = 8;

    private final DefectView view;
    private final DefectNotes notes;
    private final StackReads reads = new StackReads();

    StackWatch(DefectView view, DefectNotes notes) {
        this.notes = notes;
        this.view = view;
    }

    /** Any access, perhaps to a stack. */
    void access(Accesses batch, int row, CodeNote note, ThreadTrail trail) {
        Place place = batch.place(row);
        long address = batch.address(row);
        int size = batch.size(row);
        boolean store = batch.store(row);
        trail.stack.access(place, address, store, reads.dead());
        if (store) {
            reads.written(batch.thread(), address, size);
        } else if (size > 0
                && size <= REGISTER
                && !note.role.unwinds()
                && reads.dead().all(address, size)
                && trail.stack.inFrame(place, address)
                && !trail.copies(batch, row)) {
            view.unwritten(batch, row, read -> reads.read(address, read));
        }
        if (note.role.unseen()) {
            reads.unseen(trail.stack.callers());
        }
    }

    /** A bulk transfer that is no fetch. */
    void written(BlockAccess event, long length) {
        reads.written(event.thread(), event.to(), length);
    }

    /** A bulk fetch. */
    void fetched(BlockAccess event) {
        if (!notes.of(event.place()).role.libc() && reads.dead().all(event.to(), event.length())) {
            view.fetched(event, read -> reads.read(event.to(), read));
        }
    }

    /** Stacks may have changed unseen. */
    void forget() {
        reads.forget();
    }

    void end() {
        reads.take().forEach(view::tell);
    }
}

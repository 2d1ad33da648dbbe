package dev.madt.view.defects;

import dev.madt.console.Numbers;
import dev.madt.view.Accesses;
import dev.madt.view.CallChain;
import dev.madt.view.DataObject;
import dev.madt.view.Place;
import dev.madt.view.Selection;
import java.util.List;

/**
 * Something that a program must not do, done by one instruction or call to the blocks of one call;
 * told by its first case.
 */
public final class Defect {
    /**
     * One case.
     *
     * @param code what does it; of memory that is never freed the call that allocated it
     * @param letter of its line
     * @param block the block, or what else lies there
     * @param offset where, from the beginning of the block
     * @param length bytes
     * @param number of the access; of a call that of the next one
     * @param guess null if there is no doubt; else why there is
     * @param or the block of which it may be a misuse as well; null if there is none
     */
    record Case(
            DefectKind kind,
            Place code,
            char letter,
            DataObject block,
            long offset,
            long length,
            int thread,
            long number,
            String guess,
            DataObject or) {
        /** A case that only one block explains. */
        Case(
                DefectKind kind,
                Place code,
                char letter,
                DataObject block,
                long offset,
                long length,
                int thread,
                long number,
                String guess) {
            this(kind, code, letter, block, offset, length, thread, number, guess, null);
        }

        /** Returns the case of one access to memory near a block. */
        static Case of(Accesses batch, int row, DefectKind kind, DataObject block, String guess) {
            return new Case(
                    kind,
                    batch.place(row),
                    letter(batch, row),
                    block,
                    batch.address(row) - block.start(),
                    Math.max(1, batch.size(row)),
                    batch.thread(),
                    batch.first() + row,
                    guess);
        }

        /** Returns whether it is in a selection, in a window of the recording. */
        boolean in(Selection selection, long window) {
            return selection.wants(
                    code, block, block.start() + offset, letter, thread, number, window);
        }

        static char letter(Accesses batch, int row) {
            return batch.store(row) ? 'S' : 'L';
        }

        /** The same case, which another block explains as well. */
        Case or(DataObject other) {
            return new Case(
                    kind, code, letter, block, offset, length, thread, number, guess, other);
        }
    }

    /**
     * Says what led to a case.
     *
     * @param calls that were open; null if nobody knows
     * @param before the last accesses of the same thread, as text
     */
    record History(CallChain calls, List<String> before) {}

    final Case first;
    final History history;
    private final DefectNotes notes;
    final String block;
    private long count = 1;
    private long bytes;

    Defect(Case first, History history, DefectNotes notes) {
        this.notes = notes;
        this.first = first;
        this.history = history;
        this.block = first.kind() == DefectKind.NEVER_FREED
                ? first.block().commonName()
                : first.block().shownName();
        this.bytes = first.length();
    }

    /**
     * {@code main.c:12 use+103}, or {@code main.c:12 read (inlined in use+103)}; as much of it as
     * is known.
     */
    static String described(Place place) {
        return place.ownLine().isEmpty()
                ? place.ownName()
                : place.ownLine() + "  " + place.ownName();
    }

    /** The call that allocated the block; null if none did. */
    Place allocated() {
        return first.block().call();
    }

    /** The call that ended it; null if none did, or nobody knows. */
    Place ended() {
        return first.block().endCall();
    }

    /** The calls that led to what does it, the innermost first; empty if nobody knows. */
    List<String> calls() {
        return OpenCalls.told(history.calls());
    }

    /** The calls that led to the allocation of the block. */
    List<String> allocatedCalls() {
        if (first.kind() == DefectKind.NEVER_FREED) {
            return notes.of(first.code()).alive.calls();
        }
        BlockState state = state();
        return state == null ? List.of() : OpenCalls.told(state.allocated);
    }

    /** Returns how many other chains of calls led to blocks that are never freed. */
    int otherChains() {
        return first.kind() == DefectKind.NEVER_FREED
                ? notes.of(first.code()).alive.otherChains()
                : 0;
    }

    /** The calls that led to its end. */
    List<String> endedCalls() {
        BlockState state = ended() == null ? null : state();
        return state == null ? List.of() : OpenCalls.told(state.end);
    }

    private BlockState state() {
        DataObject block =
                first.block().former() == null ? first.block() : first.block().former();
        return notes.of(block);
    }

    /** Further cases. */
    void more(long cases, long length) {
        count += cases;
        bytes += length;
    }

    /** Returns what else the first case may be, for a sentence; null if nothing. */
    String alternative() {
        DataObject or = first.or();
        if (or == null) {
            return null;
        }
        long offset = first.block().start() + first.offset() - or.start();
        long size = or.block().size();
        String block = or.shownName() + " (" + Numbers.counted(size, "byte", "bytes") + ")";
        return or.dead()
                ? "at offset " + offset + " of " + block + ", after its end"
                : Numbers.counted(offset + first.length() - size, "byte", "bytes")
                        + " beyond the end of " + block;
    }

    /** Returns whether it may be none. */
    boolean guess() {
        return first.guess() != null;
    }

    long count() {
        return count;
    }

    long bytes() {
        return bytes;
    }

    /** Bytes of the block; -1 if it is none. */
    long blockSize() {
        return first.block().block() == null ? -1 : first.block().block().size();
    }

    /**
     * Returns how far the first case reaches beyond the end of the block, or how far in front of it
     * it begins; 0 if neither.
     */
    long distance() {
        return switch (first.kind()) {
            case BEYOND, NEIGHBOUR -> first.offset() + first.length() - blockSize();
            case BEFORE -> -first.offset();
            default -> 0;
        };
    }
}

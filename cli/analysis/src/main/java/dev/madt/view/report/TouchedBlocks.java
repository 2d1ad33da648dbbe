package dev.madt.view.report;

import dev.madt.view.BlockTouch;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;

/**
 * Says which bytes of blocks were accessed: of a block of 64 bytes or less the bits of its number,
 * of a larger one its number says where an object is. A rest of a block that has ended may come
 * with a number that is no longer good.
 */
final class TouchedBlocks implements BlockTouch {
    /**
     * Says what is known of one large block; {@code number}: how often the place in the list has
     * been used.
     */
    private record Large(int number, TouchedBytes bytes) {}

    private final List<Large> large = new ArrayList<>();
    private final IntArrayList free = new IntArrayList();
    private int numbers;

    @Override
    public long touch(long note, long size, long offset, long length) {
        if (size > Long.SIZE) {
            return touchLarge(note, size, offset, length);
        }
        long from = Math.max(0, offset);
        long end = Math.min(size, offset + length);
        return from >= end ? note : note | -1L >>> Long.SIZE - (end - from) << from;
    }

    private long touchLarge(long note, long size, long offset, long length) {
        long known = note == 0 ? newNumber(size) : note;
        Large block = of(known);
        if (block != null) {
            block.bytes.touch(offset, length);
        }
        return known;
    }

    /** The upper half tells blocks in one place apart, the lower one is the place. */
    private Large of(long note) {
        Large found = large.get((int) note);
        return found != null && found.number == (int) (note >>> Integer.SIZE) ? found : null;
    }

    private long newNumber(long size) {
        Large block = new Large(++numbers, new TouchedBytes(size));
        int index = large.size();
        if (free.isEmpty()) {
            large.add(block);
        } else {
            index = free.removeAtIndex(free.size() - 1);
            large.set(index, block);
        }
        return (long) block.number << Integer.SIZE | index;
    }

    /** Forgets a block; how many of its bytes were not accessed. */
    long end(long note, long size) {
        if (size <= Long.SIZE) {
            return size - Long.bitCount(note);
        } else if (note == 0) {
            return size;
        }
        Large block = of(note);
        if (block == null) {
            return 0;
        }
        large.set((int) note, null);
        free.add((int) note);
        return block.bytes.untouched();
    }
}

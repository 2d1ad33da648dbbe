package dev.madt.view.defects;

import dev.madt.view.DataObject;
import dev.madt.view.Neighbours;

/**
 * Says which block an access has missed that lies in no block: the one in front of it or the one
 * behind it.
 *
 * @param kind {@link DefectKind#BEYOND} the one in front, or {@link DefectKind#BEFORE} the one
 *     behind
 * @param other the block on the other side if it may be that one as well, else null
 */
record Gap(DefectKind kind, DataObject block, DataObject other) {
    private static final int PAGE_BITS = 12;
    /** In front of a block an allocator has notes of its own, no more than this. */
    private static final long NOTES = 64;
    /** So far in front of a block an access is not known to be meant for it. */
    private static final long FAR = 1 << 16;

    /**
     * The gap at an address, null if it is near no block.
     *
     * @param heap whether the address is in the heap beyond doubt; in other memory, where anything
     *     may lie beside a block, only what is left of the block's last page is the heap's
     * @param origin the block that the code accessed before; or null
     */
    static Gap at(Neighbours space, long address, long length, boolean heap, DataObject origin) {
        DataObject below = space.below(address);
        DataObject above = space.above(address);
        long behind = below == null ? Long.MAX_VALUE : address - below.end();
        long inFront =
                above == null ? Long.MAX_VALUE : Math.max(0, above.start() - address - length);
        if (!heap) {
            behind = below != null && address >>> PAGE_BITS == below.end() - 1 >>> PAGE_BITS
                    ? behind
                    : Long.MAX_VALUE;
            inFront = inFront <= NOTES ? inFront : Long.MAX_VALUE;
        }
        if (inFront > FAR && !same(above, origin)) {
            inFront = Long.MAX_VALUE;
        }
        if (Math.min(behind, inFront) == Long.MAX_VALUE) {
            return null;
        }
        boolean fromAbove = inFront != Long.MAX_VALUE && same(above, origin);
        boolean known = fromAbove || behind != Long.MAX_VALUE && same(below, origin);
        boolean front = known ? !fromAbove : behind <= inFront;
        DataObject block = front ? below : above;
        return new Gap(
                front ? DefectKind.BEYOND : DefectKind.BEFORE,
                block,
                known || behind != inFront ? null : front ? above : below);
    }

    /**
     * Returns whether no block can be at an address but those that are known, in an allocator whose
     * blocks begin at multiples of {@link DefectView#GRAIN}. Of a block from before the recording
     * not even the end is known.
     */
    static boolean isNobodyElse(Neighbours space, long address) {
        DataObject below = space.below(address);
        return below != null
                && below.call().address() != 0
                && address <= (below.end() - 1 | DefectView.GRAIN - 1);
    }

    /** Returns whether two data are one block. */
    static boolean same(DataObject one, DataObject other) {
        return one != null
                && other != null
                && one.block().number() == other.block().number();
    }
}

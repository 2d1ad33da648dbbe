package dev.madt.view.defects;

import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.DataObject;
import dev.madt.view.Neighbours;

/**
 * Decides what one access, transfer or free is by itself: by what lies there and by whose code does
 * it. Searches, reports, pages and summaries ask here, so that none of them takes for right what
 * another one calls a defect. What needs the history of a block or of an instruction, only
 * {@link DefectView} finds.
 */
public final class DefectRules {
    private static final String SLOT = "got.";

    private static final String HEAP = "[heap]";
    private static final String ANONYMOUS = "[anon]";

    private DefectRules() {}

    /** Returns why an access to a block after its end may be none; null if there is no doubt. */
    public static String doubtAfterEnd(CodeRole by, boolean store) {
        return by.looksAround(store) ? "may be a vector load of a string function" : null;
    }

    /** As {@link #doubtAfterEnd}, of a side of a bulk transfer. */
    public static String doubtOfTransfer(CodeRole by, boolean store) {
        return by.libc() && !store ? "the kernel may look at more than it needs" : null;
    }

    /** Returns whether this is memory that an allocator has, or may have, but no block. */
    static boolean isGap(DataObject object) {
        return isHeap(object)
                || object.kind() == DataObject.Kind.REGION && object.region().equals(ANONYMOUS);
    }

    /** Returns whether this is memory of a heap beyond doubt, but no block. */
    static boolean isHeap(DataObject object) {
        return object.kind() == DataObject.Kind.REGION && object.region().equals(HEAP);
    }

    /**
     * Returns whether this is a block of Go's allocator. Its collector ends blocks, and says
     * nothing; and the runtime itself uses whatever lies behind a block.
     */
    static boolean isOfGo(DataObject object) {
        return object != null && object.isOfGo();
    }

    /** Returns whether an access is to a heap, but to none of its blocks, beyond doubt. */
    public static boolean isOutside(CodeRole by, boolean store, DataObject object) {
        return isHeap(object) && isOutside(by, store);
    }

    /** As above, of memory whose whole name is that of its region. */
    public static boolean isOutside(CodeRole by, boolean store, String name) {
        return name.equals(HEAP) && isOutside(by, store);
    }

    private static boolean isOutside(CodeRole by, boolean store) {
        return !by.stub() && !by.looksAround(store);
    }

    /** Returns what the free of something is that is no block, or no longer one; else null. */
    public static DefectKind wrongFree(AllocationEvent event) {
        if (event.doubleFree()) {
            return DefectKind.DOUBLE_FREE;
        }
        boolean nothing = event.letter() == 'F' && event.old() == null && !event.named();
        return nothing && event.oldAddress() != 0 ? DefectKind.INVALID_FREE : null;
    }

    /** Returns whether an event is that a process ends by an access to a block after its end. */
    public static boolean isCrashAfterEnd(TraceEvent event, Neighbours space) {
        return event instanceof TraceEvent.Crash crash
                && space.around(crash.address()).dead();
    }

    /** Returns the function whose address the linker keeps there; empty if it is none. */
    static String slot(DataObject object) {
        String name = object.kind() == DataObject.Kind.VARIABLE ? object.symbol() : "";
        return name.startsWith(SLOT) ? name.substring(SLOT.length()) : "";
    }
}

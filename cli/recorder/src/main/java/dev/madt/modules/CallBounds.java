package dev.madt.modules;

import java.util.ArrayList;
import java.util.List;

/**
 * Says how far calls are recorded: only within some functions, and only so deep. Recorded functions
 * alone count.
 */
public final class CallBounds {
    /** Everything. */
    public static final CallBounds NONE = new CallBounds(null, 0);

    private final NamedFunctions below;
    private final int depth;

    /**
     * @param below pattern of the functions, or null for all
     * @param depth 1 for these functions alone (without them, for what the program calls first), 2
     *     for what they call, too; 0: no limit
     */
    public CallBounds(String below, int depth) {
        this.below = below == null ? null : new NamedFunctions("--below '" + below + "'", below);
        this.depth = depth;
    }

    /** Returns whether there are any. */
    public boolean areAny() {
        return below != null || depth > 0;
    }

    /** Returns whether only what runs within some functions is recorded. */
    public boolean needFunction() {
        return below != null;
    }

    /** Returns whether a function so deep is recorded; the outermost ones have depth 0. */
    public boolean reach(int deep) {
        return depth == 0 || deep < depth;
    }

    /** Returns whether it is one of the functions within which calls are recorded. */
    public boolean beginAt(LoadedModule module, long address) {
        return below.has(module, address);
    }

    /** For people. */
    public String text() {
        List<String> parts = new ArrayList<>();
        if (below != null) {
            parts.add(below.option());
        }
        if (depth > 0) {
            parts.add("--depth " + depth);
        }
        return String.join(" ", parts);
    }
}

package dev.madt.modules;

import dev.madt.resolver.elf.ElfSymbol;
import java.util.ArrayList;
import java.util.List;

/**
 * How far calls are recorded: only within some functions, and only so deep. Recorded functions
 * alone count.
 */
public final class CallBounds {
    /** Everything. */
    public static final CallBounds NONE = new CallBounds(null, 0);

    private final FunctionGlob below;
    private final int depth;
    private final FunctionNames names = new FunctionNames();

    /**
     * @param below pattern of the functions, or null for all
     * @param depth 1 for these functions alone (without them, for what the program calls first), 2
     *     for what they call, too; 0: no limit
     */
    public CallBounds(String below, int depth) {
        this.below = below == null ? null : FunctionGlob.of("--below '" + below + "'", below);
        this.depth = depth;
    }

    /** Whether there are any. */
    public boolean areAny() {
        return below != null || depth > 0;
    }

    /** Whether only what runs within some functions is recorded. */
    public boolean needFunction() {
        return below != null;
    }

    /** Whether a function so deep is recorded; the outermost ones have depth 0. */
    public boolean reach(int deep) {
        return depth == 0 || deep < depth;
    }

    /** Whether it is one of the functions within which calls are recorded. */
    public boolean beginAt(LoadedModule module, long address) {
        ElfSymbol function = module == null ? null : module.function(address);
        if (function == null || module.elf() == null) {
            return false;
        }
        for (String symbol : module.elf().functionNames(function.address())) {
            if (below.matches(module.name(), names.of(symbol))) {
                return true;
            }
        }
        return false;
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

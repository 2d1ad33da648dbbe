package dev.madt.view.defects;

/** Functions whose blocks only functions of the same family may free. */
enum Family {
    MALLOC,
    NEW,
    NEW_ARRAY;

    /**
     * The family of a function that allocates or frees.
     *
     * @param function as the linker knows it
     * @return null if it is none of these
     */
    static Family of(String function) {
        if (function.startsWith("_Znw") || function.startsWith("_Zdl")) {
            return NEW;
        }
        if (function.startsWith("_Zna") || function.startsWith("_Zda")) {
            return NEW_ARRAY;
        }
        return switch (function) {
            case "malloc",
                    "calloc",
                    "realloc",
                    "reallocarray",
                    "memalign",
                    "posix_memalign",
                    "aligned_alloc",
                    "valloc",
                    "pvalloc",
                    "free" -> MALLOC;
            default -> null;
        };
    }
}

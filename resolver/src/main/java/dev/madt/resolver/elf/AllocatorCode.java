package dev.madt.resolver.elf;

import java.util.List;
import java.util.Set;

/**
 * Says where glibc's allocator lies in libc: the text of malloc.o with all its local functions. Of
 * these the dynamic symbol table knows nothing, but an object file's text is in one piece, so it
 * begins behind the last exported function before those of malloc.o, and ends where the first one
 * behind them begins. It runs outside an interposed function too: when a thread ends, and in
 * {@code malloc_trim} and the like.
 */
public final class AllocatorCode {
    /** A function that only a C library exports. */
    private static final String LIBRARY = "__libc_start_main";

    /** Holds what malloc.o has exported in some version. */
    private static final Set<String> FUNCTIONS = Set.of(
            "malloc",
            "calloc",
            "realloc",
            "free",
            "cfree",
            "memalign",
            "aligned_alloc",
            "valloc",
            "pvalloc",
            "posix_memalign",
            "free_sized",
            "free_aligned_sized",
            "malloc_trim",
            "malloc_usable_size",
            "malloc_stats",
            "malloc_info",
            "mallinfo",
            "mallinfo2",
            "mallopt",
            "malloc_get_state",
            "malloc_set_state",
            "__libc_malloc",
            "__libc_calloc",
            "__libc_realloc",
            "__libc_free",
            "__libc_memalign",
            "__libc_valloc",
            "__libc_pvalloc",
            "__libc_mallinfo",
            "__libc_mallopt",
            "__posix_memalign",
            "__default_morecore");

    private AllocatorCode() {}

    /**
     * The range, or null if the module is no C library with an allocator.
     *
     * @param functions sorted
     */
    public static CodeRange of(List<SymbolCandidate> functions, int protection) {
        List<SymbolCandidate> exported = functions.stream()
                .filter(one -> one.binding() != SymbolTables.LOCAL)
                .toList();
        int malloc = index(exported, "malloc");
        if (malloc < 0 || index(exported, LIBRARY) < 0) {
            return null;
        }
        int first = malloc;
        int last = malloc;
        while (first > 0 && belongs(exported, exported.get(first - 1).address())) {
            first--;
        }
        while (last + 1 < exported.size()
                && belongs(exported, exported.get(last + 1).address())) {
            last++;
        }
        SymbolCandidate end = exported.get(last);
        long start = first == 0
                ? exported.get(0).address()
                : exported.get(first - 1).address() + exported.get(first - 1).size();
        return new CodeRange(
                start,
                last + 1 < exported.size()
                        ? exported.get(last + 1).address()
                        : end.address() + end.size(),
                protection);
    }

    private static int index(List<SymbolCandidate> all, String name) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns whether one of the names of the address is known. */
    private static boolean belongs(List<SymbolCandidate> exported, long address) {
        return exported.stream()
                .anyMatch(one -> one.address() == address && FUNCTIONS.contains(one.name()));
    }
}

package dev.madt.resolver.elf;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Says where a module has the code of an allocator. It runs outside an interposed function too:
 * when a thread ends, in {@code malloc_trim} and the like, in threads of its own.
 *
 * <ul>
 *   <li>In glibc it is the text of malloc.o with all its local functions. Of these the dynamic
 *       symbol table knows nothing, but an object file's text is in one piece, so it begins behind
 *       the last exported function before those of malloc.o, and ends where the first one behind
 *       them begins.
 *   <li>A library that exports {@code malloc} and {@code free}, and whose functions nearly all
 *       have an allocator's names, is one as a whole.
 *   <li>In another module that has them, the functions of the allocators that are known by name.
 * </ul>
 *
 * @param ranges sorted, none empty, and no two of them overlap
 */
public record AllocatorCode(List<CodeRange> ranges) {
    /** A function that only a C library exports. */
    private static final String LIBRARY = "__libc_start_main";

    private static final int EXECUTABLE = 5;
    private static final int SHARED = 3;

    /** Says how allocators call their functions. */
    private static final Pattern NAMES =
            Pattern.compile("(?i).*(alloc|free).*|_Z(nw|na|dl|da).*|(tc|mi)_.*");
    /** Fewer than one in this many functions that an allocator exports have another name. */
    private static final int OTHERS = 4;

    /**
     * Holds what the names of an allocator's functions begin with, and the function that says that
     * they are its.
     */
    private static final Map<String, String> FAMILIES = Map.of(
            "_ZN8tcmalloc", "",
            "_ZNK8tcmalloc", "",
            "je_", "je_arena_init",
            "mi_", "mi_malloc",
            "_mi_", "mi_malloc");

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

    /**
     * The code of the allocator, or null if the module has none.
     *
     * @param functions sorted
     */
    public static AllocatorCode of(List<SymbolCandidate> functions, ElfImage image) {
        List<SymbolCandidate> exported = functions.stream()
                .filter(one -> one.binding() != SymbolTables.LOCAL)
                .toList();
        if (index(exported, "malloc") < 0 || index(exported, "free") < 0) {
            return null;
        }
        if (isLibrary(image) && isAllocator(exported)) {
            return new AllocatorCode(image.segments().stream()
                    .filter(segment -> segment.loaded() && segment.executable())
                    .map(segment -> new CodeRange(segment.address(), segment.end(), EXECUTABLE))
                    .toList());
        }
        List<CodeRange> ranges = named(functions);
        if (ranges.isEmpty() && index(exported, LIBRARY) >= 0) {
            ranges = List.of(inLibc(exported));
        }
        return ranges.isEmpty() ? null : new AllocatorCode(ranges);
    }

    /** Returns whether an instruction is part of it. */
    public boolean contains(long address) {
        int at = Collections.binarySearch(
                ranges,
                new CodeRange(address, address, EXECUTABLE),
                Comparator.comparingLong(CodeRange::start));
        int before = at >= 0 ? at : -at - 2;
        return before >= 0 && address < ranges.get(before).end();
    }

    private static boolean isLibrary(ElfImage image) {
        return image.type() == SHARED
                && image.segments().stream()
                        .noneMatch(segment -> segment.type() == ElfSegment.INTERPRETER);
    }

    /** Returns whether the functions that a library exports have an allocator's names. */
    private static boolean isAllocator(List<SymbolCandidate> exported) {
        long others = exported.stream()
                .filter(one -> !NAMES.matcher(one.name()).matches())
                .count();
        return others * OTHERS < exported.size();
    }

    private static List<CodeRange> named(List<SymbolCandidate> functions) {
        Set<String> names = new HashSet<>();
        functions.forEach(one -> names.add(one.name()));
        List<String> known = FAMILIES.entrySet().stream()
                .filter(one -> one.getValue().isEmpty() || names.contains(one.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        List<CodeRange> all = new ArrayList<>();
        long end = Long.MIN_VALUE;
        for (SymbolCandidate one : functions) {
            long last = one.address() + one.size();
            if (last > end
                    && known.stream().anyMatch(family -> one.name().startsWith(family))
                    && last > one.address()) {
                all.add(new CodeRange(Math.max(end, one.address()), last, EXECUTABLE));
                end = last;
            }
        }
        return all;
    }

    private static CodeRange inLibc(List<SymbolCandidate> exported) {
        int first = index(exported, "malloc");
        int last = first;
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
                EXECUTABLE);
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

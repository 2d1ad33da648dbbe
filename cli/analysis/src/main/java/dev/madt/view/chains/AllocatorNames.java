package dev.madt.view.chains;

import dev.madt.trace.event.OwnSource;
import dev.madt.view.Place;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Knows by their names the functions that no user means who asks where memory comes from: those of
 * the libraries of C, C++, Fortran, Rust and Go, operators {@code new}, and allocators of common
 * names.
 */
final class AllocatorNames {
    /** Namespaces as the linker knows them (Itanium C++ ABI, 5.1). */
    private static final Pattern CXX = Pattern.compile(
            "_Z(?:n[wa]|Z*N?[KVRO]*S[tabsiod]|Z*N[KVRO]*(?:9__gnu_cxx|10__cxxabiv1)).*"
                    + "|_ZN.*(?:8allocate|11do_allocate)I?[^a-z].*");

    private static final String CRATES = "alloc|core|std|hashbrown";

    /** Paths of Rust; a legacy name looks like one of C++ but for the hash at its end. */
    private static final Pattern RUST_LEGACY = Pattern.compile(
            "_ZN(?:[0-9]+(?:" + CRATES + ")[0-9]|[0-9]+_\\$LT\\$(?:[A-Z]\\$u20\\$as\\$u20\\$)?(?:"
                    + CRATES + ")\\.\\.).*17h[0-9a-f]{16}E.*");

    private static final Pattern RUST_CRATE =
            Pattern.compile("C(?:s[0-9A-Za-z]*_)?[0-9]+_?([a-z_]+)");

    private static final Pattern RUST_ALLOCATOR =
            Pattern.compile("(?:.*[0-9]_?)?__(?:rust|rdl|rg)_(?:re)?alloc(?:_zeroed)?");

    /** Functions that pass on raw memory, by what programs and libraries mostly call them. */
    private static final Pattern ALLOCATOR = Pattern.compile("(?:.*[mc]alloc.*|.*realloc.*"
            + "|.*zalloc.*|.*memalign.*|.*str_?n?dup[^a-z]*|.*memdup[^a-z]*"
            + "|perl_safesys.*|_*pymem_.*|_*pyobject_(?:gc_)?new(?:var)?|_*pyobject_arena.*"
            + "|pytype_genericalloc|_pytype_allocnotrack|g_(?:try_)?(?:new|slice_alloc).*"
            + "|palloc0?|memorycontextalloc.*|apr_palloc.*)");

    /** Finds what allocates in Go's library for whoever calls it; its runtime is in no chain. */
    private static final Pattern GO = Pattern.compile("(?:reflect|internal/[^.]*|runtime)\\..*"
            + "|strings\\.\\(\\*Builder\\)\\..*|bytes\\.\\(\\*Buffer\\)\\.(?:grow|Grow|Write).*"
            + "|bytes\\.(?:growSlice|makeSlice)|slices\\.(?:Grow|Insert|Clone).*"
            + "|.*\\._Cfunc_.*|.*\\._cgo_.*|_cgo_[0-9a-f]+_.*|x_cgo_.*");

    private final Map<String, Boolean> known = new HashMap<>();
    private final Map<String, Boolean> named = new HashMap<>();

    /** Returns whether a frame of a chain is of such a function. */
    boolean holds(Place frame) {
        return known.computeIfAbsent(
                frame.symbol() + '\n' + frame.module(),
                absent -> OwnSource.USUAL.isSystem(frame.module())
                        || isAllocator(frame.symbol())
                        || GO.matcher(frame.symbol()).matches());
    }

    /** Returns whether a function is called as allocators are, so that it has inner parts. */
    boolean isNamed(Place frame) {
        return named.computeIfAbsent(
                frame.symbol(),
                symbol -> !symbol.startsWith("_Z")
                        && !symbol.startsWith("_R")
                        && isAllocator(symbol));
    }

    /**
     * Returns whether a function allocates what its caller asks for: the others of C++'s library
     * have blocks of their own.
     */
    static boolean passesOn(String symbol) {
        return isAllocator(symbol) && (!CXX.matcher(symbol).matches() || isNew(symbol));
    }

    private static boolean isNew(String symbol) {
        return symbol.startsWith("_Znw")
                || symbol.startsWith("_Zna")
                || symbol.contains("allocat")
                || symbol.contains("__libcpp_operator_new");
    }

    static boolean isAllocator(String symbol) {
        if (symbol.startsWith("_R")) {
            Matcher crate = RUST_CRATE.matcher(symbol);
            return crate.find() && crate.group(1).matches("(?:" + CRATES + ").*")
                    || RUST_ALLOCATOR.matcher(symbol).matches();
        }
        if (symbol.startsWith("_Z")) {
            return CXX.matcher(symbol).matches() || RUST_LEGACY.matcher(symbol).matches();
        }
        return RUST_ALLOCATOR.matcher(symbol).matches()
                || ALLOCATOR.matcher(symbol.toLowerCase(Locale.ROOT)).matches();
    }
}

package dev.madt.testprogs.oracle;

import java.util.Comparator;
import java.util.NavigableSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in memory by what does not change from run to run.
 *
 * @param module file name of a program or library, shared libraries without their minor version
 *     ({@code libstdc++.so.6}); for data outside of modules a name in brackets
 * @param offset address in the file; outside of modules what {@link #HEAP}, {@link #STACK},
 *     {@link #ABOVE}, {@link #EARLY}, {@link #THREAD} and {@link #PAGE} say
 */
record ModulePlace(String module, long offset) implements Comparable<ModulePlace> {
    /** Offset from the beginning of the heap (the program break before the first growth). */
    static final String HEAP = "[heap]";
    /**
     * Offset in a page of the main thread's stack below main's frame, which begins at a page's end.
     */
    static final String STACK = "[stack]";
    /**
     * The main thread's stack from main's frame up: where it begins differs from run to run, the
     * offset is 0.
     */
    static final String ABOVE = "[stack above main]";
    /**
     * Anonymous memory that was there when main began: the loader's, with thread-local storage. How
     * much of it comes first depends on the modules.
     */
    static final String EARLY = "[mapped before main]";
    /** Offset from the base of FS, of an operand relative to it. */
    static final String THREAD = "[fs]";
    /** Offset in a page of any other mapping: which page it is differs from run to run. */
    static final String PAGE = "[page]";

    /** Bytes of struct pthread of glibc 2.36, without what only its end may have. */
    private static final long CONTROL_BYTES = 2368;

    private static final Pattern VERSIONED = Pattern.compile("(.*\\.so\\.\\d+)[.\\d]*");
    private static final Comparator<ModulePlace> ORDER =
            Comparator.comparing(ModulePlace::module).thenComparing(ModulePlace::offset);

    /** The name of a module for its file's path. */
    static String moduleName(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        Matcher versioned = VERSIONED.matcher(name);
        return versioned.matches() ? versioned.group(1) : name;
    }

    /** Data outside of modules at an address, by its page. */
    static ModulePlace inPage(String kind, long address) {
        return new ModulePlace(kind, address & 4095);
    }

    /**
     * Returns where an operand relative to FS lies: in a control block, which begins at one of
     * these bases, or in static storage, which ends at one.
     */
    static ModulePlace ofThread(NavigableSet<Long> bases, long address) {
        Long before = bases.floor(address);
        Long base = before != null && address - before < CONTROL_BYTES
                ? before
                : bases.ceiling(address);
        return new ModulePlace(THREAD, base == null ? address : address - base);
    }

    static ModulePlace early(long address) {
        return new ModulePlace(EARLY, address & 15);
    }

    @Override
    public int compareTo(ModulePlace other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return module + "+0x" + Long.toHexString(offset);
    }
}

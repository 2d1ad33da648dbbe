package dev.madt.trace.event;

/**
 * Says what a range of the address space holds, in the order of the numbers that stand in a trace
 * (docs/FORMAT.md, section MAPS).
 */
public enum RegionKind {
    /** Nothing that is known. */
    OTHER("other"),
    /** Code of a module. */
    CODE("module code"),
    /** Data of a module. */
    DATA("module data"),
    /** The program break's. */
    HEAP("heap"),
    /** Anonymous mappings, which may be shared. */
    ANONYMOUS("anonymous"),
    STACK("stack"),
    /** Mappings of files. */
    FILE("mapped file"),
    /** The kernel's: [vdso], [vvar]. */
    SPECIAL("special"),
    /**
     * Holds what the user did not choose, and what MadT never records: the dynamic loader, its own
     * memory.
     */
    UNTRACED("untraced");

    private static final RegionKind[] ALL = values();

    private final String word;

    RegionKind(String word) {
        this.word = word;
    }

    /** Returns what {@code madt dump} calls it. */
    public String word() {
        return word;
    }

    /** The kind with a number; null if none has it. */
    public static RegionKind of(int number) {
        return number >= 0 && number < ALL.length ? ALL[number] : null;
    }

    /** Returns whether it is the code or the data of a module. */
    public boolean isModule() {
        return this == CODE || this == DATA;
    }
}

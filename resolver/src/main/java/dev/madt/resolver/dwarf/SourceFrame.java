package dev.madt.resolver.dwarf;

/**
 * One level of the functions that an instruction belongs to.
 *
 * @param function the name in the source, unqualified; null if it is not known
 * @param linkageName the name for the linker (mangled), null where it is the same
 * @param file path of the source file as the compiler saw it, null if it is not known
 * @param line from 1; 0 if it is not known
 * @param column from 1; 0 if it is not known
 */
public record SourceFrame(String function, String linkageName, String file, int line, int column) {
    /** The name for the linker; the function's name where there is no other. */
    public String symbol() {
        return linkageName != null ? linkageName : function;
    }
}

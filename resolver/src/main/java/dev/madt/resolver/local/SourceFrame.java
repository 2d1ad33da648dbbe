package dev.madt.resolver.local;

/**
 * One level of the functions that an instruction belongs to.
 *
 * @param function the name in the source, unqualified; null if it is not known
 * @param linkageName the name for the linker (mangled), null where it is the same
 * @param file path of the source file as the compiler saw it, null if it is not known
 * @param line from 1; 0 if it is not known
 * @param column from 1; 0 if it is not known
 * @param closure says where the source has the function; null for functions that have a name there
 */
public record SourceFrame(
        String function, String linkageName, String file, int line, int column, Closure closure) {
    /**
     * Says where a function is that the source gives no name: a lambda of C++, a closure of Rust.
     *
     * @param scope what it is in, {@code a::f::}; or empty
     * @param file path of the source file as the compiler saw it
     * @param line from 1
     */
    public record Closure(String scope, String file, int line) {
        /** The name by its place: {@code a::f::{lambda at shop.cpp:17}}. */
        public String name() {
            return scope + "{lambda at " + file.substring(file.lastIndexOf('/') + 1) + ':' + line
                    + '}';
        }
    }

    /** A function that has a name. */
    public SourceFrame(String function, String linkageName, String file, int line, int column) {
        this(function, linkageName, file, line, column, null);
    }

    /** The name for the linker; the function's name where there is no other. */
    public String symbol() {
        return linkageName != null ? linkageName : function;
    }
}

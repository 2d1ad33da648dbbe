package dev.madt.resolver.demangle;

/** Turns names for the linker into those of the source. */
public interface Demangler {
    /** Leaves every name as it is. */
    Demangler NONE = name -> name;

    /**
     * The name in the source; the same name if it is not mangled or cannot be understood. Never
     * null.
     */
    String demangle(String name);

    /**
     * Rust names by themselves, the others by another demangler: a legacy name of Rust looks like
     * one of C++.
     *
     * @param others for instance the C++ runtime's
     */
    static Demangler withRust(Demangler others) {
        return name -> {
            if (!name.startsWith("_R") && !name.startsWith("_ZN")) {
                return name.startsWith("_Z") ? others.demangle(name) : name;
            }
            String rust = name.startsWith("_R")
                    ? RustNames.demangle(name)
                    : RustLegacyNames.demangle(name);
            return rust != null ? rust : name.startsWith("_R") ? name : others.demangle(name);
        };
    }
}

package dev.madt.resolver.demangle;

import java.util.function.UnaryOperator;

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
     * As above, of a symbol of a module: where several have one of this name, the name may say
     * which.
     *
     * @param label of the region that the symbol lies in
     */
    default String demangle(String name, String label) {
        return demangle(name);
    }

    /**
     * Learns that a trace has a symbol.
     *
     * @param label of the region that it lies in
     */
    default void learn(String name, String label) {}

    /**
     * Learns where the source has a function that it gives no name.
     *
     * @param name the linker's
     * @param path of the source file
     */
    default void declared(String name, String path, int line) {}

    /** Returns what a source file is called: the last part of its path, or more. */
    default String file(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /**
     * Returns what a form makes of the name in the source, with what is in front of the linker's
     * name and behind it; the same name if it is not mangled or cannot be understood.
     *
     * @param whole gives names of the source
     */
    static String spelled(String name, Demangler whole, UnaryOperator<String> form) {
        LinkerName parts = LinkerName.of(name);
        if (!parts.isMangled()) {
            return name;
        }
        String source = whole.demangle(parts.mangled());
        return source.equals(parts.mangled()) ? name : parts.with(mangled -> form.apply(source));
    }

    /**
     * Names of Rust, Fortran, D, Pascal and Ada by themselves, the others by another demangler: a
     * legacy name of Rust looks like one of C++.
     *
     * @param others for instance the C++ runtime's
     */
    static Demangler withOthers(Demangler others) {
        return name -> LinkerName.of(name).with(mangled -> source(mangled, others));
    }

    private static String source(String mangled, Demangler others) {
        String own = mangled.startsWith("_R")
                ? RustNames.demangle(mangled)
                : mangled.startsWith("_ZN")
                        ? RustLegacyNames.demangle(mangled)
                        : mangled.startsWith("_D") ? DNames.demangle(mangled) : other(mangled);
        return own != null ? own : mangled.startsWith("_Z") ? others.demangle(mangled) : mangled;
    }

    private static String other(String mangled) {
        String fortran = FortranNames.demangle(mangled);
        String pascal = fortran == null ? PascalNames.demangle(mangled) : fortran;
        return pascal == null ? AdaNames.demangle(mangled) : pascal;
    }
}

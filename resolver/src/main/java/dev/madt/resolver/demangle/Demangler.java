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

    /** What a source file is called: the last part of its path, or more. */
    default String file(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /**
     * What a form makes of the name in the source, with what is in front of the linker's name and
     * behind it; the same name if it is not mangled or cannot be understood.
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
     * Rust names by themselves, the others by another demangler: a legacy name of Rust looks like
     * one of C++.
     *
     * @param others for instance the C++ runtime's
     */
    static Demangler withRust(Demangler others) {
        return name -> {
            int at = linkerName(name);
            return at < 0 ? name : name.substring(0, at) + source(name.substring(at), others);
        };
    }

    /**
     * Where a name that the linker knows begins: at 0, or behind the file that tells symbols of one
     * name apart, {@code list.cpp::_ZL4seed}; -1 if it does not look mangled.
     */
    private static int linkerName(String name) {
        int separator = name.lastIndexOf("::");
        int at = separator < 0 ? 0 : separator + 2;
        return name.startsWith("_R", at) || name.startsWith("_Z", at) ? at : -1;
    }

    private static String source(String mangled, Demangler others) {
        if (mangled.startsWith("_R")) {
            String rust = RustNames.demangle(mangled);
            return rust != null ? rust : mangled;
        }
        String rust = mangled.startsWith("_ZN") ? RustLegacyNames.demangle(mangled) : null;
        return rust != null ? rust : others.demangle(mangled);
    }
}

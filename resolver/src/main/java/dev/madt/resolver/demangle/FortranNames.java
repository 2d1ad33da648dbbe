package dev.madt.resolver.demangle;

/** Holds what gfortran calls variables and procedures of modules: {@code __grid_mod_MOD_field}. */
final class FortranNames {
    private static final String FRONT = "__";
    private static final String BETWEEN = "_MOD_";

    private FortranNames() {}

    /** Returns whether a name looks like that of a part of a module, from an index on. */
    static boolean isMangled(String name, int at) {
        return name.startsWith(FRONT, at) && name.indexOf(BETWEEN, at + FRONT.length() + 1) > 0;
    }

    /** {@code grid_mod::field}; null if it is no such name. */
    static String demangle(String name) {
        int between = isMangled(name, 0) ? name.indexOf(BETWEEN, FRONT.length() + 1) : -1;
        String part = between < 0 ? "" : name.substring(between + BETWEEN.length());
        return part.isEmpty() ? null : name.substring(FRONT.length(), between) + "::" + part;
    }
}

package dev.madt.resolver.demangle;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The name of a symbol: what the linker made of a name of the source, and what may be around it.
 *
 * @param front the file of a local symbol, {@code got.} of a slot that leads to the symbol,
 *     {@code DW.ref.} of what an exception table refers to; or empty
 * @param mangled the linker's name
 * @param end {@code @plt}, or empty
 */
record LinkerName(String front, String mangled, String end) {
    private static final String SLOT = "got.";
    private static final String REFERENCE = "DW.ref.";

    static LinkerName of(String name) {
        int from = front(name);
        int at = name.indexOf('@', from);
        int end = at < 0 ? name.length() : at;
        return new LinkerName(
                name.substring(0, from), name.substring(from, end), name.substring(end));
    }

    /** Returns where a name begins that another one may be behind; 0 where none does. */
    private static int front(String name) {
        if (isMangled(name, 0)) {
            return 0;
        }
        for (String front : List.of(SLOT, REFERENCE)) {
            if (name.startsWith(front)) {
                return isMangled(name, front.length()) ? front.length() : 0;
            }
        }
        for (int at = name.indexOf("::"); at >= 0; at = name.indexOf("::", at + 1)) {
            if (isMangled(name, at + 2)) {
                return at + 2;
            }
        }
        return 0;
    }

    private static boolean isMangled(String name, int at) {
        return name.startsWith("_Z", at)
                || name.startsWith("_R", at)
                || FortranNames.isMangled(name, at)
                || DNames.isMangled(name, at)
                || PascalNames.isMangled(name, at)
                || AdaNames.isMangled(name, at);
    }

    /** Returns whether it looks as if another name was behind it. */
    boolean isMangled() {
        return isMangled(mangled, 0);
    }

    /** The name with something else in the place of the linker's. */
    String with(UnaryOperator<String> spelling) {
        return front + spelling.apply(mangled) + end;
    }
}

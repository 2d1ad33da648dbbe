package dev.madt.resolver.demangle;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of Free Pascal, in which the case of letters means nothing: {@code P$SHOP_$$_BUMP$LONGINT}
 * is {@code shop.bump}. What a function takes and returns is left out.
 */
final class PascalNames {
    private static final String BETWEEN = "_$$_";

    /** Variables have another front than functions; a program's name has one, a unit's none. */
    private static final Pattern NAME = Pattern.compile("(?:U_\\$|TC_\\$)?(?:P\\$)?([A-Z0-9_]+?)"
            + "(?:\\$_\\$([A-Z0-9_]+?)(?:_\\$_|\\$[A-Za-z0-9_$]*)?)?"
            + "_\\$\\$_([A-Z0-9_]+)(?:\\$[A-Za-z0-9_$]*)?");

    private PascalNames() {}

    /** Returns whether a name looks like one of Pascal, from an index on. */
    static boolean isMangled(String name, int at) {
        return name.indexOf(BETWEEN, at) > at && demangle(name.substring(at)) != null;
    }

    /** Null if it is no such name. */
    static String demangle(String name) {
        Matcher parts = NAME.matcher(name);
        if (!name.contains(BETWEEN) || !parts.matches()) {
            return null;
        }
        String outer = parts.group(2) == null ? "" : parts.group(2) + '.';
        return (parts.group(1) + '.' + outer + parts.group(3)).toLowerCase(Locale.ROOT);
    }
}

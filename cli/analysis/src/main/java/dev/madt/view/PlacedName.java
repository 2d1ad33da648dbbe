package dev.madt.view;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A name that views print, around the name of a symbol: of a block {@code <malloc0013@f+45>}, of a
 * call {@code f+45}.
 *
 * @param front what is in front of the symbol, or empty
 * @param end the offset and what is behind it, or empty
 */
record PlacedName(String front, String symbol, String end) {
    private static final Pattern OFFSET = Pattern.compile("\\+[0-9]+~?>?$");

    static PlacedName of(String name) {
        int at = name.startsWith("<") ? name.indexOf('@') + 1 : 0;
        Matcher offset = OFFSET.matcher(name);
        int end = offset.find(at)
                ? offset.start()
                : at > 0 && name.endsWith(">") ? name.length() - 1 : name.length();
        return new PlacedName(name.substring(0, at), name.substring(at, end), name.substring(end));
    }

    /** The name with another one in the place of the symbol's. */
    String with(String other) {
        return front + other + end;
    }
}

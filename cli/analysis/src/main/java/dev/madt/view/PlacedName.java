package dev.madt.view;

import dev.madt.trace.event.Block;
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
        return new PlacedName(
                front(name.substring(0, at)), name.substring(at, end), name.substring(end));
    }

    /** Lines and tables have two words for what allocated a block. */
    private static String front(String front) {
        for (Block.Kind kind : Block.Kind.values()) {
            if (front.startsWith(kind.prefix()) && !front.startsWith(kind.shown())) {
                return kind.shown() + front.substring(kind.prefix().length());
            }
        }
        return front;
    }

    /** The name with another one in the place of the symbol's. */
    String with(String other) {
        return front + other + end;
    }
}

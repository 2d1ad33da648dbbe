package dev.madt.trace.instrument;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a place. */
public final class PlaceReader {
    private static final Pattern FILE_LINE = Pattern.compile("(.+\\.[A-Za-z+]{1,4}):([0-9]+)");
    private static final Pattern OFFSET = Pattern.compile("(.+)\\+(0x[0-9a-fA-F]+|[0-9]+)");
    private static final Pattern BLOCK = Pattern.compile("(.+):block\\(([^)]*)\\)?");
    private static final Pattern LINE = Pattern.compile("(.+):line\\(([^)]*)\\)?");
    /** But a function called `event`, which has what a function has behind it. */
    private static final Pattern STATIC = Pattern.compile(
            "(?:([^:]+):(?!event:(?:return|after|block\\(|line\\()))?((event|sdt):.*)");

    private static final Pattern NAMED = Pattern.compile("event:[^:]+|sdt:[^:]+:[^:]+");
    private static final String AFTER = ":after";
    private static final String RETURN = ":return";

    private final String typed;
    private boolean after;

    /** @param typed as users type places */
    public PlaceReader(String typed) {
        this.typed = typed;
    }

    public Place read() throws InstrumentSyntaxException {
        String text = typed;
        if (text.isBlank()) {
            throw wrong(
                    "a place is missing: a function, func+0x1f, file.c:120 or func:block(3)", 0);
        }
        Matcher matcher = STATIC.matcher(text);
        if (matcher.matches()) {
            if (!NAMED.matcher(matcher.group(2)).matches()) {
                throw wrong(
                        "a place of the source is event:NAME or sdt:PROVIDER:NAME",
                        matcher.start(2));
            }
            return new Place(Place.Kind.STATIC, matcher.group(1), matcher.group(2), 0, false, 0);
        }
        if (text.endsWith(AFTER)) {
            after = true;
            text = text.substring(0, text.length() - AFTER.length());
        }
        matcher = FILE_LINE.matcher(text);
        if (matcher.matches()) {
            return new Place(
                    Place.Kind.FILE_LINE,
                    null,
                    matcher.group(1),
                    decimal(matcher.group(2), matcher.start(2)),
                    behind(),
                    matcher.start(2));
        }
        matcher = BLOCK.matcher(text);
        if (matcher.matches()) {
            closed(text);
            boolean all = matcher.group(2).equals("*");
            long block = all ? Place.ALL : decimal(matcher.group(2), matcher.start(2));
            return of(Place.Kind.BLOCK, matcher.group(1), block, matcher.start(2));
        }
        matcher = LINE.matcher(text);
        if (matcher.matches()) {
            closed(text);
            long line = decimal(matcher.group(2), matcher.start(2));
            behind();
            return of(Place.Kind.LINE, matcher.group(1), line, matcher.start(2));
        }
        if (text.endsWith(RETURN)) {
            behind();
            return of(Place.Kind.RETURN, text.substring(0, text.length() - RETURN.length()), 0, 0);
        }
        matcher = OFFSET.matcher(text);
        if (matcher.matches()) {
            return of(
                    Place.Kind.OFFSET,
                    matcher.group(1),
                    Long.decode(matcher.group(2)),
                    matcher.start(2));
        }
        behind();
        return of(Place.Kind.ENTRY, text, 0, 0);
    }

    private Place of(Place.Kind kind, String function, long number, int column)
            throws InstrumentSyntaxException {
        int colon = moduleEnd(function);
        String name = function.substring(colon + 1);
        int last = lastColon(name);
        if (last >= 0) {
            throw wrong(
                    "behind a function comes :return, :line(N), :block(N), :block(*), :after or"
                            + " +OFFSET",
                    colon + 1 + last + 1);
        }
        if (name.isEmpty()) {
            throw wrong("a function is missing here", colon + 1);
        }
        return new Place(
                kind, colon < 0 ? null : function.substring(0, colon), name, number, after, column);
    }

    /** Names of C++ have colons, too, but always two; a module has a dot or a star, or a path. */
    private static int moduleEnd(String text) {
        int colon = lastColon(text);
        int first = text.indexOf(':');
        return colon < 0
                ? -1
                : first == colon
                        ? colon
                        : first < colon && !text.startsWith("::", first) ? first : -1;
    }

    /** The last colon that is not one of two. */
    private static int lastColon(String text) {
        for (int i = text.length() - 1; i >= 0; i--) {
            if (text.charAt(i) != ':') {
                continue;
            }
            if (i > 0 && text.charAt(i - 1) == ':') {
                i--;
            } else {
                return i;
            }
        }
        return -1;
    }

    private void closed(String text) throws InstrumentSyntaxException {
        if (!text.endsWith(")")) {
            throw wrong("a ')' is missing here", text.length());
        }
    }

    private boolean behind() throws InstrumentSyntaxException {
        if (after) {
            throw wrong(
                    ":after stands behind a block or an instruction, func+0x1f",
                    typed.length() - AFTER.length());
        }
        return false;
    }

    private long decimal(String digits, int column) throws InstrumentSyntaxException {
        if (!digits.matches("[0-9]{1,9}")) {
            throw wrong(
                    digits.isEmpty() ? "a number is missing here" : "'" + digits + "' is no number",
                    column);
        }
        return Long.parseLong(digits);
    }

    private InstrumentSyntaxException wrong(String what, int column) {
        return new InstrumentSyntaxException(what, typed, column);
    }
}

package dev.madt.trace.instrument;

import java.util.ArrayList;
import java.util.List;

/**
 * The text of a log, with the places of its values: {@code %d}, {@code %u}, {@code %x}, {@code %p},
 * {@code %c}, {@code %s}, {@code %g}.
 */
public final class LogFormat {
    private static final String UNKNOWN = "?";

    private final String text;
    private final List<String> pieces = new ArrayList<>();
    private final StringBuilder conversions = new StringBuilder();

    /**
     * @param text between the quotes
     * @param typed the text that it stands in, from {@code column} on
     */
    LogFormat(String text, String typed, int column) throws InstrumentSyntaxException {
        this.text = text;
        StringBuilder piece = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            if (next != '%') {
                piece.append(next);
                continue;
            }
            i++;
            char conversion = i < text.length() ? text.charAt(i) : '\0';
            if (conversion == '%') {
                piece.append('%');
            } else if ("duxpcsg".indexOf(conversion) >= 0 && conversion != 0) {
                pieces.add(piece.toString());
                piece.setLength(0);
                conversions.append(conversion);
            } else {
                throw new InstrumentSyntaxException(
                        "values are written %d, %u, %x, %p, %c, %s or %g, and a percent sign %%",
                        typed, column + i - 1);
            }
        }
        pieces.add(piece.toString());
    }

    /** Returns how many values it has. */
    int values() {
        return conversions.length();
    }

    /** Returns the line of these values. */
    public String line(List<Value> values) {
        StringBuilder line = new StringBuilder(pieces.get(0));
        for (int i = 0; i < conversions.length(); i++) {
            line.append(text(conversions.charAt(i), values.get(i))).append(pieces.get(i + 1));
        }
        return line.toString();
    }

    private static String text(char conversion, Value value) {
        if (!value.known()) {
            return UNKNOWN;
        }
        if (value.real() > 0) {
            return value.realText();
        }
        long bits = value.bits();
        return switch (conversion) {
            case 's' -> value.text() == null ? value.integerText() : quoted(value.text());
            case 'u' -> Long.toUnsignedString(bits);
            case 'x' -> Long.toHexString(bits);
            case 'p' -> "0x" + Long.toHexString(bits);
            case 'c' ->
                bits >= ' ' && bits < 0x7f
                        ? String.valueOf((char) bits)
                        : "\\x" + Long.toHexString(bits & 0xff);
            default -> value.integerText();
        };
    }

    /** Returns a text of the program's, without what would disturb a terminal or end a line. */
    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            if (c < ' ' || c == 0x7f || c == '"' || c == '\\' || Character.isISOControl(c)) {
                quoted.append(String.format("\\x%02x", c));
            } else {
                quoted.appendCodePoint(c);
            }
        });
        return quoted.append('"').toString();
    }

    @Override
    public String toString() {
        return text;
    }
}

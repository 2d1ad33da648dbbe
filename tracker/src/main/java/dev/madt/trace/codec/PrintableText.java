package dev.madt.trace.codec;

import java.nio.charset.StandardCharsets;

/**
 * Names that come from elsewhere (symbol tables, debug information, file names, arguments) as text
 * that disturbs no terminal and breaks no line: bytes of control characters, of what reorders text,
 * and what is no UTF-8 are {@code \\xNN}. A backslash is doubled, so that the bytes can be told
 * from the text. Where fields are separated by commas, a comma in a name is {@code \\x2c}.
 */
public final class PrintableText {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private PrintableText() {}

    /** The bytes as text. */
    public static String of(byte[] bytes, int from, int length) {
        return of(bytes, from, length, false);
    }

    /** The bytes of the name of a field. */
    public static String field(byte[] bytes, int from, int length) {
        return of(bytes, from, length, true);
    }

    /** A text that may hold anything. */
    public static String of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return of(bytes, 0, bytes.length, false);
    }

    /** A text that becomes the name of a field. */
    public static String field(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return of(bytes, 0, bytes.length, true);
    }

    /**
     * Makes a text harmless: what {@link #of} made before stays as it is; of anything else, control
     * characters become {@code \\xNN}.
     */
    public static String harmless(byte[] utf8) {
        if (plain(utf8)) {
            return new String(utf8, StandardCharsets.ISO_8859_1);
        }
        String text = new String(utf8, StandardCharsets.UTF_8);
        return text.codePoints().allMatch(PrintableText::printable) ? text : escaped(text, false);
    }

    /** As {@link #harmless}, of a text in which ends of lines may stand. */
    public static String harmlessLines(String text) {
        return text.codePoints().allMatch(c -> c == '\n' || printable(c))
                ? text
                : escaped(text, true);
    }

    private static boolean plain(byte[] utf8) {
        for (byte b : utf8) {
            if (b < ' ' || b > '~') {
                return false;
            }
        }
        return true;
    }

    private static String escaped(String text, boolean lines) {
        StringBuilder escaped = new StringBuilder(text.length() + 8);
        text.codePoints().forEach(c -> {
            if (printable(c) || lines && c == '\n') {
                escaped.appendCodePoint(c);
            } else {
                escape(escaped, Character.toString(c).getBytes(StandardCharsets.UTF_8));
            }
        });
        return escaped.toString();
    }

    private static String of(byte[] bytes, int from, int length, boolean field) {
        if (plain(bytes, from, length, field)) {
            return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
        }
        StringBuilder text = new StringBuilder(length + 8);
        int end = from + length;
        for (int at = from; at < end; ) {
            int size = sequence(bytes, at, end);
            String character = size == 0 ? "" : new String(bytes, at, size, StandardCharsets.UTF_8);
            if (size == 0 || !printable(character.codePointAt(0)) || field && bytes[at] == ',') {
                escape(text, bytes[at]);
                for (int i = at + 1; i < at + size; i++) {
                    escape(text, bytes[i]);
                }
            } else {
                text.append(bytes[at] == '\\' ? "\\\\" : character);
            }
            at += Math.max(1, size);
        }
        return text.toString();
    }

    private static boolean plain(byte[] bytes, int from, int length, boolean field) {
        for (int i = from; i < from + length; i++) {
            byte b = bytes[i];
            if (b < ' ' || b == 0x7f || b == '\\' || field && b == ',') {
                return false;
            }
        }
        return true;
    }

    /** Bytes of the character that begins there; 0 if none does (RFC 3629). */
    private static int sequence(byte[] bytes, int at, int end) {
        int lead = bytes[at] & 0xff;
        int size = lead < 0x80
                ? 1
                : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
        if (size == 0 || at + size > end) {
            return 0;
        }
        for (int i = at + 1; i < at + size; i++) {
            if ((bytes[i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        int second = size > 2 ? bytes[at + 1] & 0xff : 0;
        boolean overlong = lead == 0xe0 && second < 0xa0 || lead == 0xf0 && second < 0x90;
        boolean surrogate = lead == 0xed && second >= 0xa0;
        return overlong || surrogate || lead == 0xf4 && second >= 0x90 ? 0 : size;
    }

    /**
     * Neither a control character nor a separator of lines nor one that changes the direction of
     * text.
     */
    private static boolean printable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }

    private static void escape(StringBuilder text, byte... bytes) {
        for (byte b : bytes) {
            text.append("\\x").append(HEX[b >> 4 & 15]).append(HEX[b & 15]);
        }
    }
}

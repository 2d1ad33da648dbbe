package dev.madt.view.toolkit;

import java.util.Collection;
import java.util.StringJoiner;

/** Strings as JSON has them (RFC 8259). */
public final class JsonText {
    private JsonText() {}

    /** The text in quotes. */
    public static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < 0x20 || c == '<' || c == 0x2028 || c == 0x2029) {
                // '<' too: the text may stand inside a script element
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    /** Returns an array of strings without a blank. */
    public static String array(Collection<String> texts) {
        return array(texts, ",");
    }

    /** Returns an array of strings, with this between one and the next. */
    static String array(Collection<String> texts, String between) {
        StringJoiner array = new StringJoiner(between, "[", "]");
        texts.forEach(text -> array.add(quoted(text)));
        return array.toString();
    }
}

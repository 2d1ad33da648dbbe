package dev.madt.view.report;

/** JSON's strings (RFC 8259). */
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
}

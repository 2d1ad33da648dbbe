package dev.madt.view.toolkit;

/** Text in XML. */
public final class XmlText {
    private XmlText() {}

    /** Text as XML; characters that XML has not become U+FFFD. */
    public static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                default ->
                    escaped.appendCodePoint(
                            c < ' ' || c >= 0xd800 && c < 0xe000 || c > 0xfffd && c < 0x10000
                                    ? 0xfffd
                                    : c);
            }
        });
        return escaped.toString();
    }
}

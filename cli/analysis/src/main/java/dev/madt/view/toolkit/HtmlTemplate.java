package dev.madt.view.toolkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/**
 * A page for a browser that needs no network: its style and its program stand in the place of
 * comments that name their files, the data in the place of the comment {@code DATA}. What several
 * pages have in common lies beside this class.
 *
 * @param beside the class beside which the files lie
 * @param page the name of the page
 * @param parts the names of the other files
 */
public record HtmlTemplate(Class<?> beside, String page, List<String> parts) {
    private static final String PLACE = "/*DATA*/";
    private static final List<String> COMMON =
            List.of("head.html", "page.css", "page.js", "palette.js");

    /** Writes the page; {@code data} writes the data of a trace as one object of JavaScript. */
    public void write(OutputStream out, Consumer<TextBuffer> data) throws IOException {
        String text = resource(beside, page);
        for (String part : COMMON) {
            text = text.replace("/*" + part + "*/", resource(HtmlTemplate.class, part));
        }
        for (String part : parts) {
            text = text.replace("/*" + part + "*/", resource(beside, part));
        }
        int place = text.indexOf(PLACE);
        TextBuffer buffer = new TextBuffer(out);
        buffer.text(text.substring(0, place));
        data.accept(buffer);
        buffer.text(text.substring(place + PLACE.length())).flush();
    }

    private static String resource(Class<?> beside, String name) throws IOException {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is missing in this build of madt. Build it again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

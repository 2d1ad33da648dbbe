package dev.madt.cli.heatmap;

import dev.madt.cli.convert.TextBuffer;
import dev.madt.cli.report.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.StringJoiner;

/** One page for a browser: {@code heatmap.html} with its style, its program and the data of a trace in it. It needs no network. */
final class HtmlPage {
    private static final String PLACE = "/*DATA*/";
    private static final List<String> PARTS = List.of("heatmap.css", "model.js", "drawing.js", "control.js");

    private HtmlPage() {}

    static void write(Heat heat, boolean time, OutputStream out) throws IOException {
        String page = template();
        int place = page.indexOf(PLACE);
        TextBuffer text = new TextBuffer(out);
        text.text(page.substring(0, place));
        data(heat, time, text);
        text.text(page.substring(place + PLACE.length())).flush();
    }

    /** The page with its parts in the place of comments that name them. */
    private static String template() throws IOException {
        String page = resource("heatmap.html");
        for (String part : PARTS) {
            page = page.replace("/*" + part + "*/", resource(part));
        }
        return page;
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is missing in this build of madt. Build it again");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Page numbers are strings in hexadecimal: they do not fit JavaScript's numbers. */
    private static void data(Heat heat, boolean time, TextBuffer text) {
        text.text("{\"command\":").text(JsonText.quoted(heat.meta("command")))
                .text(",\"caption\":").text(JsonText.quoted(Captions.of(heat)))
                .text(",\"unit\":").text(JsonText.quoted(Captions.unit(heat)))
                .text(",\"view\":\"").text(time ? "time" : "space")
                .text("\",\"pageBits\":").decimal(heat.pageBits())
                .text(",\"slice\":").decimal(heat.cells().slice())
                .text(",\"end\":").decimal(heat.end())
                .text(",\n\"names\":").text(strings(heat.names()))
                .text(",\n\"threads\":").text(strings(heat.threads().stream().map(Integer::toUnsignedString).toList()))
                .text(",\n\"bands\":[");
        String between = "\n";
        for (Band band : Band.of(heat)) {
            text.text(between).text("{\"label\":").text(JsonText.quoted(band.label()))
                    .text(",\"first\":\"").hexadecimal(band.firstPage(), 1)
                    .text("\",\"last\":\"").hexadecimal(band.lastPage(), 1)
                    .text("\",\"traced\":").text(Boolean.toString(band.traced())).character('}');
            between = ",\n";
        }
        text.text("],\n\"pages\":[");
        for (int i = 0; i < heat.pageCount(); i++) {
            text.text(i == 0 ? "\"" : ",\"").hexadecimal(heat.page(i), 1).character('"');
        }
        text.text("],\n\"cells\":[");
        cells(heat, text);
        text.text("]}");
    }

    /** Six numbers for each cell: page, name, thread, slice, loads, stores. */
    private static void cells(Heat heat, TextBuffer text) {
        boolean[] begun = new boolean[1];
        heat.cells().each((page, name, thread, slice, loads, stores) -> {
            text.text(begun[0] ? ",\n" : "\n").decimal(page).character(',').decimal(name).character(',').decimal(thread)
                    .character(',').decimal(slice).character(',').decimal(loads).character(',').decimal(stores);
            begun[0] = true;
        });
    }

    private static String strings(List<String> values) {
        StringJoiner array = new StringJoiner(",", "[", "]");
        values.forEach(value -> array.add(JsonText.quoted(value)));
        return array.toString();
    }
}

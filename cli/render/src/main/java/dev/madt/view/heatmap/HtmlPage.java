package dev.madt.view.heatmap;

import dev.madt.view.toolkit.HtmlTemplate;
import dev.madt.view.toolkit.JsonText;
import dev.madt.view.toolkit.TextBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * One page for a browser: {@code heatmap.html} with its style, its program and the data of a trace
 * in it. It needs no network.
 */
final class HtmlPage {
    private static final HtmlTemplate TEMPLATE = new HtmlTemplate(
            HtmlPage.class,
            "heatmap.html",
            List.of("heatmap.css", "model.js", "drawing.js", "panel.js", "control.js"));

    private HtmlPage() {}

    static void write(Heat heat, HeatView view, OutputStream out) throws IOException {
        TEMPLATE.write(out, text -> data(heat, view, text));
    }

    /** Page numbers are strings in hexadecimal: they do not fit JavaScript's numbers. */
    private static void data(Heat heat, HeatView view, TextBuffer text) {
        text.text("{\"command\":")
                .text(JsonText.quoted(heat.meta("command")))
                .text(",\"caption\":")
                .text(JsonText.quoted(Captions.of(heat)))
                .text(",\"unit\":")
                .text(JsonText.quoted(Captions.unit(heat)))
                .text(",\"view\":\"")
                .text(view.time() ? "time" : "space")
                .text("\",\"order\":\"")
                .text(view.byAddress() ? "address" : "heat")
                .text("\",\"pageBits\":")
                .decimal(heat.pageBits())
                .text(",\"slice\":")
                .decimal(heat.cells().slice())
                .text(",\"end\":")
                .decimal(heat.end())
                .text(",\"rest\":")
                .text(JsonText.quoted(Band.untouched(heat)))
                .text(",\n\"names\":")
                .text(JsonText.array(heat.names()))
                .text(",\n\"threads\":")
                .text(JsonText.array(
                        heat.threads().stream().map(Integer::toUnsignedString).toList()))
                .text(",\n\"functions\":")
                .text(JsonText.array(heat.uses().functions()))
                .text(",\n\"bands\":[");
        String between = "\n";
        for (Band band : Band.touched(heat, true)) {
            text.text(between)
                    .text("{\"label\":")
                    .text(JsonText.quoted(band.label()))
                    .text(",\"first\":\"")
                    .hexadecimal(band.firstPage(), 1)
                    .text("\",\"last\":\"")
                    .hexadecimal(band.lastPage(), 1)
                    .text("\"}");
            between = ",\n";
        }
        text.text("],\n\"pages\":[");
        for (int i = 0; i < heat.pageCount(); i++) {
            text.text(i == 0 ? "\"" : ",\"").hexadecimal(heat.page(i), 1).character('"');
        }
        text.text("],\n\"cells\":[");
        heat.cells().each((page, name, thread, slice, loads, stores, reads, writes) -> {
            if (loads + stores > 0) {
                row(text, page, name, thread, slice, loads, stores);
            }
        });
        text.text("0],\n\"blocks\":[");
        heat.cells().each((page, name, thread, slice, loads, stores, reads, writes) -> {
            if (reads + writes > 0) {
                row(text, page, name, thread, slice, reads, writes);
            }
        });
        text.text("0],\n\"uses\":[");
        heat.uses()
                .all()
                .forEach(use -> row(
                        text, use.name(), use.function(), use.loads(), use.stores(), use.blocks()));
        transfers(heat, text);
        text.text("0]}");
    }

    /**
     * Bulk transfers, each once: pairs of names read and written (-1: none), and how often by pair,
     * thread and slice.
     */
    private static void transfers(Heat heat, TextBuffer text) {
        text.text("0],\n\"sides\":[");
        heat.transfers().sides().forEach(sides -> row(text, sides.read(), sides.written()));
        text.text("0],\n\"transfers\":[");
        heat.transfers()
                .each(
                        heat.cells().slice(),
                        (sides, thread, slice, count) -> row(text, sides, thread, slice, count));
    }

    /** The numbers of a row; a 0 behind the last row ends the array. */
    private static void row(TextBuffer text, long... numbers) {
        text.character('\n');
        for (long number : numbers) {
            text.decimal(number).character(',');
        }
    }
}

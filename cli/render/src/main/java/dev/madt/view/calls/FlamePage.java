package dev.madt.view.calls;

import dev.madt.view.toolkit.HtmlTemplate;
import dev.madt.view.toolkit.JsonText;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** A flame graph as a page for a browser, which needs no network: {@code flame.html} with data. */
final class FlamePage {
    private static final HtmlTemplate TEMPLATE = new HtmlTemplate(
            FlamePage.class,
            "flame.html",
            List.of("flame.css", "tree.js", "colours.js", "pane.js", "panel.js", "control.js"));

    private FlamePage() {}

    static void write(FlameTree tree, CallMeasure measure, String title, OutputStream out)
            throws IOException {
        FlameData data = new FlameData(tree);
        TEMPLATE.write(out, text -> {
            text.text("{\"title\":").text(JsonText.quoted(title));
            text.text(",\"compared\":" + tree.isCompared());
            text.text(",\"measure\":").text(JsonText.quoted(measure.word())).text(",\n");
            data.write(text);
            text.text("}");
        });
    }
}

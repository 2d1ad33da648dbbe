package dev.madt.view.toolkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A {@link Chart} as a page for a browser, which needs no network. */
public final class ChartPage {
    private static final HtmlTemplate TEMPLATE =
            new HtmlTemplate(ChartPage.class, "chart.html", List.of("chart.css", "chart.js"));

    private ChartPage() {}

    /** Returns the page. */
    public static String of(Chart chart) throws IOException {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        TEMPLATE.write(page, text -> text.text("{\"title\":")
                .text(JsonText.quoted(chart.title()))
                .text(",\"width\":")
                .decimal(Chart.WIDTH)
                .text(",\"height\":")
                .decimal(chart.height())
                .text(",\"body\":")
                .text(JsonText.quoted(chart.body(false)))
                .text("}"));
        return page.toString(StandardCharsets.UTF_8);
    }
}

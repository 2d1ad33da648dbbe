package dev.madt.view.graph;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Says how a graph is written; a file's extension names its format. */
public enum FlowFormat {
    TXT,
    DOT,
    SVG,
    HTML;

    public static List<String> words() {
        return Arrays.stream(values())
                .map(format -> format.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    /** The format of a file by its extension, or null. */
    public static FlowFormat ofFile(String name) {
        int at =
                words().indexOf(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
        return at < 0 ? null : values()[at];
    }

    public void write(FlowGraph graph, OutputStream out) throws IOException {
        switch (this) {
            case TXT -> out.write(FlowText.of(graph).getBytes(StandardCharsets.UTF_8));
            case DOT -> out.write(FlowDot.of(graph).getBytes(StandardCharsets.UTF_8));
            case SVG -> out.write(FlowPicture.of(graph).getBytes(StandardCharsets.UTF_8));
            case HTML -> FlowPage.write(graph, out);
        }
    }
}

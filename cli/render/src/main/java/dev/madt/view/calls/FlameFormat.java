package dev.madt.view.calls;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Says how a flame graph is written; a file's extension names its format. */
public enum FlameFormat {
    FOLDED,
    SVG,
    HTML;

    public static List<String> words() {
        return Arrays.stream(values())
                .map(format -> format.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    /** The format of a file by its extension, or null. */
    public static FlameFormat ofFile(String name) {
        int at =
                words().indexOf(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
        return at < 0 ? null : values()[at];
    }

    /** @param title what the calls are of */
    public void write(CallProfile profile, CallMeasure measure, String title, OutputStream out)
            throws IOException {
        switch (this) {
            case FOLDED -> FoldedText.write(profile, measure, out);
            case SVG -> FlamePicture.write(new FlameTree(profile), measure, title, out);
            case HTML -> FlamePage.write(new FlameTree(profile), measure, title, out);
        }
    }
}

package dev.madt.view.timeline;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Says how a timeline is written; a file's extension names its format. */
public enum TimelineFormat {
    /** A page for a browser. */
    HTML(400_000),
    /** A picture. */
    SVG(40_000),
    /** A picture in characters. */
    TXT(40_000),
    /** Chrome's Trace Event Format. */
    JSON(0),
    /** Perfetto's traces. */
    PFTRACE(0);

    private final int spans;

    TimelineFormat(int spans) {
        this.spans = spans;
    }

    /** Spans that are kept; 0: every call is written as it is read. */
    int spans() {
        return spans;
    }

    public static List<String> words() {
        return Arrays.stream(values())
                .map(format -> format.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    /** The format of a file by its extension, or null. */
    public static TimelineFormat ofFile(String name) {
        int at =
                words().indexOf(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
        return at < 0 ? null : values()[at];
    }
}

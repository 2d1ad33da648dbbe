package dev.madt.view.calls;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A profile as lines that flame graph tools read: the functions of a path with semicolons between
 * them, a blank, and a number. Semicolons in names become colons.
 */
public final class FoldedText {
    private FoldedText() {}

    public static void write(CallProfile profile, CallMeasure measure, OutputStream out)
            throws IOException {
        Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        List<CallPath> paths = profile.paths();
        for (CallPath path : paths) {
            long weight = measure.of(path);
            if (weight > 0) {
                String name = path.caller() == null ? CallProfile.OUTSIDE : path.name();
                text.append(name).append(' ').append(Long.toString(weight)).append('\n');
            }
        }
        text.flush();
    }
}

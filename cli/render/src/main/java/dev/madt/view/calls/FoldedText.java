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
 * them, a blank, and a number. Semicolons in names become colons. Where there are earlier traces,
 * their number comes first, as tools for differences want it.
 */
public final class FoldedText {
    private FoldedText() {}

    public static void write(CallProfile profile, CallMeasure measure, OutputStream out)
            throws IOException {
        Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        List<CallPath> paths = profile.paths();
        for (CallPath path : paths) {
            long weight = measure.of(path);
            long before = profile.isCompared() ? measure.of(path.cost(true)) : 0;
            if (weight > 0 || before > 0) {
                String name = path.caller() == null ? CallProfile.OUTSIDE : path.name();
                text.append(name).append(' ');
                if (profile.isCompared()) {
                    text.append(Long.toString(before)).append(' ');
                }
                text.append(Long.toString(weight)).append('\n');
            }
        }
        text.flush();
    }
}

package dev.madt.generated;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file in which many runtimes tell perf what they make, a line for each function (Linux,
 * tools/perf/Documentation/jit-interface.txt):
 *
 * <pre>
 *   START SIZE name of the function     both hexadecimal
 * </pre>
 */
final class PerfMap extends GrowingSource {
    private static final Pattern LINE =
            Pattern.compile("(?:0x)?([0-9a-fA-F]{1,16}) (?:0x)?([0-9a-fA-F]{1,15}) (.+)");
    private static final int HEXADECIMAL = 16;

    PerfMap(Path file, FunctionsByAddress functions) throws IOException {
        super(file, functions);
    }

    @Override
    int take(ByteBuffer bytes) {
        int taken = 0;
        for (int at = 0; at < bytes.limit(); at++) {
            if (bytes.get(at) == '\n') {
                line(new String(bytes.array(), taken, at - taken, StandardCharsets.UTF_8));
                taken = at + 1;
            }
        }
        return taken;
    }

    private void line(String text) {
        Matcher line = LINE.matcher(text);
        if (line.matches()) {
            long size = Long.parseLong(line.group(2), HEXADECIMAL);
            functions()
                    .add(new GeneratedFunction(
                            Long.parseUnsignedLong(line.group(1), HEXADECIMAL),
                            Math.max(1, size),
                            line.group(3).strip()));
        }
    }
}

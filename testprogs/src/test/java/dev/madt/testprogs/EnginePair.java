package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.resolver.line.LineOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One command recorded by each engine. It behaves under both as it does alone, and the two traces
 * hold the same events in the same order: all code, the libraries' too, all data, by name.
 */
public record EnginePair(Path trap, Path splice) {
    /**
     * Running numbers are equal if the lines are; stacks move with what the launcher hands over.
     */
    private static final Pattern MOVING =
            Pattern.compile("(?<=^[A-Z]\\$)\\d+|(?<=\\[stack\\])\\+\\d+");

    /**
     * Records the command, which ends alone within {@link MadtRun}'s limit and does the same each
     * time.
     */
    public static EnginePair record(Path directory, List<String> options, List<String> command)
            throws Exception {
        if (options.isEmpty()
                && command.size() == 1
                && command.get(0).startsWith(MadtRun.program("").toString())) {
            Path program = Path.of(command.get(0));
            return new EnginePair(Recording.of(program, "trap"), Recording.of(program, "splice"));
        }
        MadtRun plain = MadtRun.command(directory, command);
        return new EnginePair(
                record(directory, "trap", options, command, plain),
                record(directory, "splice", options, command, plain));
    }

    private static Path record(
            Path directory,
            String engine,
            List<String> options,
            List<String> command,
            MadtRun plain)
            throws Exception {
        Path trace = directory.resolve(engine + ".madt");
        List<String> arguments = new ArrayList<>(
                List.of("run", "-q", "-f", "--engine", engine, "-o", trace.toString()));
        arguments.addAll(options);
        arguments.add("--");
        arguments.addAll(command);
        MadtRun run =
                MadtRun.madt(directory, arguments.toArray(String[]::new)).expect(plain.status());
        assertArrayEquals(plain.output(), run.output(), () -> "stdout under engine " + engine);
        TraceFile.check(trace);
        return trace;
    }

    /** Returns how many events were compared, all equal. */
    public int agree() throws IOException {
        List<String> expected = lines(trap);
        List<String> actual = lines(splice);
        assertEquals("", difference(expected, actual));
        return expected.size();
    }

    private static List<String> lines(Path trace) throws IOException {
        return Recording.lines(trace, LineOptions.SYMBOLIC);
    }

    private static boolean same(String trap, String splice) {
        return trap.equals(splice)
                || MOVING.matcher(trap)
                        .replaceAll("")
                        .equals(MOVING.matcher(splice).replaceAll(""));
    }

    private static String difference(List<String> trap, List<String> splice) {
        int common = Math.min(trap.size(), splice.size());
        int i = 0;
        while (i < common && same(trap.get(i), splice.get(i))) {
            i++;
        }
        return i == trap.size() && i == splice.size()
                ? ""
                : "line " + i + " of " + trap.size() + " (trap) and " + splice.size()
                        + " (splice): trap " + around(trap, i) + "; splice " + around(splice, i);
    }

    /** The line and the two on either side. */
    private static List<String> around(List<String> lines, int i) {
        return lines.subList(Math.max(0, i - 2), Math.min(lines.size(), i + 3));
    }
}

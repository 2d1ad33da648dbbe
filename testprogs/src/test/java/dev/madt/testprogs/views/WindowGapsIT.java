package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks what is told of calls that are open when a window of the recording closes, or when one
 * opens: nobody has seen what their threads did in between.
 */
class WindowGapsIT {
    private static final Pattern WINDOW = Pattern.compile("([OQ])\\$\\d+:.*,t=(\\d+)");

    @TempDir
    static Path directory;

    private static List<String> lines;

    @BeforeAll
    static void record() throws Exception {
        List<String> command = new ArrayList<>(List.of("trace", "-o", "t.madt"));
        command.addAll(List.of("--calls", "gaps:*", "--windows", "2", "--at", "repeated", "time"));
        command.addAll(LockWindowsIT.WINDOWS);
        command.addAll(List.of("--", MadtRun.program("locks/gaps").toString()));
        MadtRun.madt(directory, command.toArray(String[]::new)).expect(0);
        lines = told("print");
    }

    private static List<String> told(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(words));
        command.add("t.madt");
        return MadtRun.madt(directory, command.toArray(String[]::new))
                .expect(0)
                .text()
                .lines()
                .toList();
    }

    /** Returns how long the windows were in all, in nanoseconds. */
    private static long windows() {
        long length = 0;
        for (String line : lines) {
            Matcher turn = WINDOW.matcher(line);
            if (turn.matches()) {
                length += (turn.group(1).equals("Q") ? 1 : -1) * Long.parseLong(turn.group(2));
            }
        }
        return length;
    }

    /** The second of the three calls is entered in the gap; the first one is left there. */
    @Test
    void shouldTellNoTimeOfAnUnknownCall() {
        List<String> left = lines.stream()
                .filter(line -> line.matches("X\\$\\d+:repeated.*"))
                .map(line -> line.replaceAll("X\\$\\d+:repeated(\\?|,\\d+,\\d+)", "$1")
                        .replaceAll("\\d+", "n"))
                .toList();
        assertEquals(List.of("?", ",n,n"), left);
    }

    @Test
    void shouldNotKnowTheCallersOfAThreadBehindAGap() {
        List<String> callers = lines.stream()
                .filter(line -> line.matches("B\\$\\d+:within,.*"))
                .map(line -> line.split(",")[1])
                .toList();
        assertEquals(List.of("?"), callers);
    }

    @Test
    void shouldLeaveTheGapOutOfTheTimeOfCalls() throws Exception {
        List<String> calls =
                told("report", "--by", "call", "--format", "csv", "--columns", "function,total");
        List<String> repeated =
                calls.stream().filter(row -> row.startsWith("repeated,")).toList();
        assertEquals(1, repeated.size(), calls.toString());
        assertTrue(
                Long.parseLong(repeated.get(0).split(",")[1]) <= windows(),
                repeated + " in " + windows());
    }

    /** The first call of the worker and its second one are no one call. */
    @Test
    void shouldTimeOnlyCallsThatLieInAWindow() throws Exception {
        List<String> points = told("points");
        assertTrue(
                points.stream().anyMatch(row -> row.matches(" *1 +repeated +time .*")),
                points.toString());
    }
}

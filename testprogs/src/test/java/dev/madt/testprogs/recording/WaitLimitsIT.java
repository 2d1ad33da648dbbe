package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Waits with a time limit in a recording whose windows open and close by time, which a signal of
 * MadT's brings: they end, and leave in memory and registers what they leave alone. How long they
 * take is not judged, but that none ends too early.
 */
class WaitLimitsIT {
    private static final String ROUNDS = "2";

    @TempDir
    static Path directory;

    private static Path program;
    private static String alone;

    @BeforeAll
    static void compile() throws Exception {
        program = CallProgram.build(directory, "limits.c");
        alone = MadtRun.command(directory, List.of("" + program, ROUNDS))
                .expect(0)
                .text();
    }

    private void assertAsAlone(String options) throws Exception {
        Path trace = directory.resolve("t.madt");
        List<String> command = new ArrayList<>(List.of("" + MadtRun.launcher()));
        command.addAll(List.of(options.split(" ")));
        command.addAll(
                List.of("-qf", "-o", "" + trace, "--windows", "0", "--", "" + program, ROUNDS));
        assertEquals(alone, MadtRun.command(directory, command).expect(0).text());
        String windows = MadtRun.madt(directory, "info", "" + trace)
                .expect(0)
                .text()
                .replaceAll("(?s).*\nwindows +(\\d+)\n.*", "$1");
        assertTrue(Integer.parseInt(windows) > 1, windows);
    }

    @Test
    void shouldEndWhereAccessesAreRecorded() throws Exception {
        assertAsAlone("run --start after:20ms --for 5ms");
    }

    @Test
    void shouldEndWhereCallsAreRecordedWithTimes() throws Exception {
        assertAsAlone("trace --start after:5ms --for 5ms");
    }

    @Test
    void shouldEndWhereWindowsCloseByTime() throws Exception {
        assertAsAlone("run --record accesses,calls --start after:3ms --for 30ms");
    }

    @Test
    void shouldEndUnderEngineTrap() throws Exception {
        assertAsAlone("run --engine trap --start after:20ms --for 5ms");
    }
}

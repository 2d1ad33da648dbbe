package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * System calls that are on their way, and threads and processes that come and go, while windows
 * open and close by time: none is refused for what a window does with the memory that it names.
 */
class WindowCallsIT {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"trap", "splice"})
    void shouldRefuseNoCall(String engine) throws Exception {
        Path program = CallProgram.build(directory, "unmoved.c");
        Path trace = directory.resolve("t.madt");

        MadtRun run = MadtRun.madt(
                        directory,
                        ("run -qf --engine " + engine
                                        + " --start after:2ms --for 1ms --windows 0 -o " + trace
                                        + " -- " + program + " 200")
                                .split(" "))
                .expect(0);
        assertEquals("0 refused\n", run.text(), run.errors());
        String windows = MadtRun.madt(directory, "info", "" + trace)
                .expect(0)
                .text()
                .replaceAll("(?s).*\nwindows +(\\d+)\n.*", "$1");
        assertTrue(Integer.parseInt(windows) > 10, windows);
    }
}

package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * While no window is open, the code of a program is that of its files: it compares what
 * /proc/self/mem has with them. MadT's own library does not count.
 */
class DormantIT {
    /** In the loader: where MadT learns of new libraries. */
    private static final long WATCHED = 1;

    private static final long LEAST_BYTES = 1_000_000;

    @TempDir
    Path directory;

    private Path program;

    @BeforeEach
    void compile() throws Exception {
        program = directory.resolve("dormant");
        String source = "" + MadtRun.root().resolve("madt-native/bench/calls_dormant.c");
        MadtRun.command(directory, List.of("gcc", "-O1", "-o", "" + program, source))
                .expect(0);
    }

    /** Bytes that differ from the files. */
    private long different(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("trace", "-qf", "-o", "t.madt"));
        command.addAll(List.of(options));
        command.addAll(List.of("--", "" + program, "1"));
        String[] said = MadtRun.madt(directory, command.toArray(String[]::new))
                .expect(0)
                .text()
                .split(" ");
        assertTrue(Long.parseLong(said[0]) > LEAST_BYTES, "executable bytes: " + said[0]);
        return Long.parseLong(said[1]);
    }

    @Test
    void shouldLeaveTheTextAsItIsBeforeTheFirstWindow() throws Exception {
        for (String start :
                List.of("marker", "ctl", "after:10m", "signal:USR1", "read:never typed")) {
            assertEquals(WATCHED, different("--start", start), start);
        }
        assertTrue(different("--start", "main") > LEAST_BYTES / 1000, "the test sees patches");
    }

    /** One byte at the entry of a function that is awaited. */
    @Test
    void shouldChangeOneByteOfAFunctionThatIsAwaited() throws Exception {
        assertEquals(WATCHED + 1, different("--start", "func:dormant:step"));
    }

    /** The program opens the list of its mappings, and compares them then. */
    @Test
    void shouldLeaveTheTextAsItIsBehindTheLastWindow() throws Exception {
        assertEquals(WATCHED, different("--start", "func:fopen", "--stop", "return:fopen"));
    }
}

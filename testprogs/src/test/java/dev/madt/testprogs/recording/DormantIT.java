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
 * While no window is open, the code of a program is that of its files, but for system calls that
 * are made often: it compares what /proc/self/mem has with them. MadT's own library does not count.
 */
class DormantIT {
    /** In the loader: where MadT learns of new libraries. */
    private static final long WATCHED = 1;

    private static final long LEAST_BYTES = 1_000_000;
    /** A jump that takes the place of a {@code syscall} instruction and of what is beside it. */
    private static final long MOST_OF_A_CALL = 34;

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
        return differentAfter(0, options);
    }

    private long differentAfter(int calls, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("trace", "-qf", "-o", "t.madt"));
        command.addAll(List.of(options));
        command.addAll(List.of("--", "" + program, "1", "" + calls));
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

    /**
     * Checks that where one is made from often, a jump takes its place, and no other text changes.
     */
    @Test
    void shouldChangeTheTextOfASystemCallThatIsMadeOften() throws Exception {
        for (String start : List.of("marker", "func:dormant:step")) {
            long text = different("--start", start);
            long changed = differentAfter(1000, "--start", start) - text;
            assertTrue(changed > 0 && changed <= MOST_OF_A_CALL, start + ": " + changed);
        }
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

package dev.madt.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SessionDirectoryTest {
    private static final int NOBODY = 3;

    /** There may be no memory left, and then a look that takes some ends the recording. */
    @Test
    void shouldTakeNoMemoryToLookAtAProcessThatIsNotThere() throws Exception {
        Path base = Files.createTempDirectory(SessionDirectory.place(), "test");
        Path shim = Files.createFile(base.resolve("libmadt.so"));
        SessionSettings settings = new SessionSettings(
                Engine.SPLICE.code(), Windows.MAIN, 0, 0, 0, 0, 0, InstrumentMemory.NONE, null);
        try (SessionDirectory session = SessionDirectory.create(base, shim, settings)) {
            String before = blocks(session);
            assertFalse(session.isComplete(NOBODY));
            assertEquals(0, session.counts(NOBODY, 1, 512).getLong(0));
            assertEquals(before, blocks(session));
        } finally {
            Files.delete(shim);
            Files.delete(base);
        }
    }

    private static String blocks(SessionDirectory session) throws Exception {
        Process stat = new ProcessBuilder(
                        "stat", "-c", "%b", session.path().resolve("session").toString())
                .start();
        String said = new String(stat.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, stat.waitFor());
        return said;
    }
}

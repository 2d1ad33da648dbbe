package dev.madt.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TemporaryFolderTest {
    private static final String PLACE = "java.io.tmpdir";
    private static final int ROUNDS = 50;

    /** A database writes files and removes them, until the process ends. */
    @Test
    void shouldGoWhileSomebodyWritesThere() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            TemporaryFolder folder = new TemporaryFolder();
            CountDownLatch writes = new CountDownLatch(1);
            Thread writer = new Thread(() -> write(folder.path(), writes));
            writer.start();
            writes.await();
            folder.close();
            writer.join();
            assertTrue(Files.notExists(folder.path()), folder.path().toString());
        }
    }

    private static void write(Path folder, CountDownLatch writes) {
        try {
            while (true) {
                Path one = Files.createTempFile(folder, "one", "");
                Files.createTempFile(folder, "other", "");
                writes.countDown();
                Files.deleteIfExists(one);
            }
        } catch (IOException e) {
            return; // the folder has gone
        }
    }

    @Test
    void shouldSayWhereItCannotBeAndWhatHelps() {
        String before = System.setProperty(PLACE, "/nonexistent");
        try {
            IOException failure = assertThrows(IOException.class, TemporaryFolder::new);
            assertEquals(
                    "cannot make a temporary folder in /nonexistent: no such file or directory;"
                            + " TMPDIR=FOLDER names another place for it",
                    Reason.of(failure));
        } finally {
            System.setProperty(PLACE, before);
        }
    }
}

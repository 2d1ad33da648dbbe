package dev.madt.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckedFilesTest {
    private static final int SIZE = 1_009;

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void makeFile() throws IOException {
        file = Files.write(folder.resolve("a.plan"), new byte[SIZE]);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(97)));
        assertFalse(CheckedFiles.holds(file));
        CheckedFiles.note(file);
        assumeTrue(CheckedFiles.holds(file), "no extended attributes here");
    }

    @Test
    void shouldLookAgainAtWhatWasWritten() throws IOException {
        Files.write(file, new byte[] {1}, StandardOpenOption.WRITE);
        assertEquals(SIZE, Files.size(file));
        assertFalse(CheckedFiles.holds(file));
        CheckedFiles.note(file);
        assertTrue(CheckedFiles.holds(file));
    }

    @Test
    void shouldLookAgainAtWhatWasWrittenThoughItsTimeIsAsBefore() throws Exception {
        FileTime time = Files.getLastModifiedTime(file);
        Thread.sleep(50); // the time of a note is exact within milliseconds
        Files.write(file, new byte[] {1}, StandardOpenOption.WRITE);
        Files.setLastModifiedTime(file, time);
        assertFalse(CheckedFiles.holds(file));
    }

    @Test
    void shouldLookAgainAtWhatWasCut() throws IOException {
        FileTime time = Files.getLastModifiedTime(file);
        Files.write(file, new byte[SIZE - 1]);
        Files.setLastModifiedTime(file, time);
        assertFalse(CheckedFiles.holds(file));
    }

    @Test
    void shouldLookAgainAtAnotherFileOfTheName() throws IOException {
        Path copy = folder.resolve("b.plan");
        Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
        assertFalse(CheckedFiles.holds(copy));
        Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
        assertFalse(CheckedFiles.holds(file));
    }

    @Test
    void shouldLookAgainAtAFileUnderAnotherName() throws IOException {
        assertFalse(CheckedFiles.holds(Files.move(file, folder.resolve("b.plan"))));
    }

    @Test
    void shouldRememberThatItWasUsed() throws IOException {
        try (CacheSpace space = new CacheSpace(folder, Long.MAX_VALUE, false)) {
            assertTrue(space.use(file));
            assertTrue(CheckedFiles.holds(file));
        }
        Files.write(file, new byte[] {1}, StandardOpenOption.WRITE);
        try (CacheSpace space = new CacheSpace(folder, Long.MAX_VALUE, false)) {
            assertTrue(space.use(file));
            assertFalse(CheckedFiles.holds(file));
        }
    }

    @Test
    void shouldNotFailWithoutTheFile() throws IOException {
        Files.delete(file);
        CheckedFiles.note(file);
        assertFalse(CheckedFiles.holds(file));
    }
}

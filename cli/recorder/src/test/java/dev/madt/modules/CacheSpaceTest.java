package dev.madt.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.console.Numbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheSpaceTest {
    private static final int SIZE = 1_009;

    @TempDir
    Path directory;

    private Path file(String name, int hoursAgo) throws IOException {
        Path file = Files.write(directory.resolve(name), new byte[SIZE]);
        Files.setLastModifiedTime(
                file, FileTime.from(Instant.now().minus(Duration.ofHours(hoursAgo))));
        return file;
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void shouldDeleteWhatWasUsedLongestAgo() throws IOException {
        file("a.codemap", 5);
        Path again = file("b.plan", 9);
        file("c.plan", 2);
        file("d.plan", 1);
        file("e.plan.77", 3);
        file("f.plan.78", 30);
        file("other", 99);
        CacheSpace space = new CacheSpace(directory, 3 * SIZE, true);
        assertTrue(space.use(again));
        assertFalse(space.use(directory.resolve("none.plan")));
        space.close();
        assertEquals(List.of("b.plan", "d.plan", "e.plan.77", "other"), files());
    }

    /** A session that adds nothing need not look at all files. */
    @Test
    void shouldLookAtTheSpaceWhereSomethingWasAdded() throws IOException {
        file("a.plan", 9);
        new CacheSpace(directory, SIZE, false).close();
        try (CacheSpace space = new CacheSpace(directory, SIZE, false)) {
            space.put(file("b.plan.77", 1), directory.resolve("b.plan"));
            Files.delete(directory.resolve("b.plan.77"));
        }
        assertEquals(List.of("b.plan"), files());
    }

    @Test
    void shouldKeepWhatAnotherSessionUses() throws Exception {
        Path old = file("a.plan", 9);
        file("b.plan", 1);
        try (CacheSpace other = new CacheSpace(directory, Long.MAX_VALUE, false)) {
            assertTrue(other.use(old));
            Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(9))));
            new CacheSpace(directory, 0, true).close();
            assertEquals(List.of("a.plan"), files());
        }
        // a process that another test starts has the lock, too, until it executes its program
        for (int tries = 0; tries < 1000 && !files().isEmpty(); tries++) {
            new CacheSpace(directory, 0, true).close();
            Thread.sleep(10);
        }
        assertEquals(List.of(), files());
    }

    /**
     * Sessions that use some files and build what is gone, each with too little space for all: what
     * one uses is there until it ends.
     */
    @Test
    void shouldTakeNothingFromThoseThatUseItAtTheSameTime() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> sessions = IntStream.range(0, 4)
                .<Future<?>>mapToObj(seed -> threads.submit(() -> {
                    Random random = new Random(seed);
                    for (int i = 0; i < 200; i++) {
                        session(random);
                    }
                    return null;
                }))
                .toList();
        for (Future<?> session : sessions) {
            assertNull(session.get());
        }
        threads.shutdown();
        new CacheSpace(directory, 3 * SIZE, true).close();
        assertEquals(3, files().size());
    }

    private void session(Random random) throws IOException {
        try (CacheSpace space = new CacheSpace(directory, 3 * SIZE, false)) {
            List<Path> used = random.ints(4, 0, 9)
                    .mapToObj(number -> directory.resolve(number + ".plan"))
                    .toList();
            for (Path file : used) {
                while (!space.use(file)) {
                    Path fresh = Files.write(
                            directory.resolve(file.getFileName() + "." + random.nextLong(1L << 40)),
                            new byte[SIZE]);
                    space.put(fresh, file);
                    Files.delete(fresh);
                }
            }
            for (Path file : used) {
                try {
                    assertEquals(SIZE, Files.size(file));
                } catch (NoSuchFileException e) {
                    throw new AssertionError(file + " vanished while it was in use", e);
                }
            }
        }
    }

    @Test
    void shouldReadSizes() {
        assertEquals(500L << 20, Numbers.bytes("500M"));
        assertEquals(2L << 30, Numbers.bytes("2g"));
        assertEquals(0, Numbers.bytes("0"));
        assertEquals(-1, Numbers.bytes("many"));
    }
}

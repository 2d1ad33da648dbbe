package dev.madt.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.natives.FileLock;
import dev.madt.natives.Libc;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaleSessionsTest {
    @TempDir
    Path base;

    private Path session(String name, int version, long pid) throws IOException {
        ByteBuffer page = ByteBuffer.allocate(SharedLayout.PAGE).order(ByteOrder.LITTLE_ENDIAN);
        page.putLong(SharedLayout.Session.MAGIC, SharedLayout.SESSION_MAGIC);
        page.putInt(SharedLayout.Session.VERSION, version);
        page.putInt(SharedLayout.Session.LAUNCHER_PID, (int) pid);
        Path directory = Files.createDirectory(base.resolve(name));
        Files.write(directory.resolve("session"), page.array());
        Files.write(directory.resolve("p0.ctl"), new byte[100]);
        return directory;
    }

    /**
     * The pids say nothing: a launcher in another PID namespace has one that is nobody's here, or
     * somebody else's.
     */
    @Test
    void shouldDeleteSessionsOfDeadLaunchersOnly() throws IOException {
        Path elsewhere =
                session("madt-elsewhere", SharedLayout.LAYOUT_VERSION, Integer.MAX_VALUE - 1);
        Path reused = session(
                "madt-reused",
                SharedLayout.LAYOUT_VERSION,
                ProcessHandle.current().pid());
        Path dead = session("madt-dead", SharedLayout.LAYOUT_VERSION, Integer.MAX_VALUE - 1);
        Path older = session("madt-older", SharedLayout.LAYOUT_VERSION - 1, Integer.MAX_VALUE - 1);
        Path foreign = session("other", SharedLayout.LAYOUT_VERSION, Integer.MAX_VALUE - 1);
        Path young = Files.createDirectory(base.resolve("madt-young"));

        try (FileLock lock = FileLock.tryTake(elsewhere.resolve("session"), Libc.LOCK_EX)) {
            assertNotNull(lock);
            StaleSessions.sweep(base);
        }

        assertTrue(Files.exists(elsewhere.resolve("p0.ctl")));
        assertFalse(Files.exists(reused));
        assertFalse(Files.exists(dead));
        assertTrue(Files.exists(older));
        assertTrue(Files.exists(foreign));
        assertTrue(Files.exists(young));
    }

    @Test
    void shouldKeepASessionUntilItIsClosed() throws Exception {
        Path shim = Files.createFile(base.resolve("libmadt.so"));
        SessionSettings settings = new SessionSettings(
                Engine.SPLICE.code(), Windows.MAIN, 0, 0, 0, 0, 0, InstrumentMemory.NONE, null);
        try (SessionDirectory session = SessionDirectory.create(base, shim, settings)) {
            ByteBuffer page = StaleSessions.read(
                    session.path().resolve("session"), 0, SharedLayout.Session.BYTES);
            assertEquals(SharedLayout.SESSION_MAGIC, page.getLong(SharedLayout.Session.MAGIC));
            session.disown();
            StaleSessions.sweep(base);
            assertTrue(session.isThere());
        }
        assertEquals(List.of(shim), entries());
    }

    private List<Path> entries() throws IOException {
        try (Stream<Path> entries = Files.list(base)) {
            return entries.toList();
        }
    }
}

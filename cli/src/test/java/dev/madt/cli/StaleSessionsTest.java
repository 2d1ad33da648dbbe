package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.tracker.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaleSessionsTest {
    @TempDir
    Path base;

    private Path session(String name, long pid, long start) throws IOException {
        ByteBuffer page = ByteBuffer.allocate(SharedLayout.PAGE).order(ByteOrder.LITTLE_ENDIAN);
        page.putLong(SharedLayout.Session.MAGIC, SharedLayout.SESSION_MAGIC);
        page.putInt(SharedLayout.Session.LAUNCHER_PID, (int) pid);
        page.putLong(SharedLayout.Session.LAUNCHER_START, start);
        Path directory = Files.createDirectory(base.resolve(name));
        Files.write(directory.resolve("session"), page.array());
        Files.write(directory.resolve("p0.ctl"), new byte[100]);
        return directory;
    }

    @Test
    void shouldDeleteSessionsOfDeadLaunchersOnly() throws IOException {
        long pid = ProcessHandle.current().pid();
        long start = ProcessStatus.startTime((int) pid);
        Path living = session("madt-living", pid, start);
        Path reused = session("madt-reused", pid, start - 1);
        Path dead = session("madt-dead", Integer.MAX_VALUE - 1, start);
        Path foreign = session("other", Integer.MAX_VALUE - 1, start);
        Path young = Files.createDirectory(base.resolve("madt-young"));

        StaleSessions.sweep(base);

        assertTrue(Files.exists(living.resolve("p0.ctl")));
        assertFalse(Files.exists(reused));
        assertFalse(Files.exists(dead));
        assertTrue(Files.exists(foreign));
        assertTrue(Files.exists(young));
    }
}

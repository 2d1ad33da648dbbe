package dev.madt.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OffCpuTimesTest {
    @Test
    void shouldCallTheLaunchersThreadsByItsOwnName() throws Exception {
        int launcher = Math.toIntExact(ProcessHandle.current().pid());
        assertEquals("madt", OffCpuTimes.comm(launcher));
        Process other = new ProcessBuilder("sleep", "60").start();
        try {
            assertEquals(commOf(other.pid()), OffCpuTimes.comm(Math.toIntExact(other.pid())));
        } finally {
            other.destroyForcibly().waitFor();
        }
        assertEquals("?", OffCpuTimes.comm(Math.toIntExact(other.pid())));
        assertEquals("?", OffCpuTimes.comm(0));
    }

    private static String commOf(long pid) throws IOException {
        return Files.readString(Path.of("/proc/" + pid + "/comm")).stripTrailing();
    }
}

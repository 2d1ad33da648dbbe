package dev.madt.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.natives.Libc;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpawnerTest {
    private static final int CLOSE = 3;
    private static final int DUP = 32;
    private static final int WAIT4 = 61;

    @TempDir
    Path directory;

    @AfterEach
    void forgetTheCaller() {
        System.clearProperty("madt.open");
    }

    @Test
    void shouldKeepWhatOtherThreadsOpenMeanwhileOffCpuFromTheProgram() throws Exception {
        System.setProperty("madt.open", "0,1,2,");
        Thread opener = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                Libc.syscall(CLOSE, Libc.syscall(DUP, 1, 0, 0, 0), 0, 0, 0);
            }
        });
        opener.start();
        try {
            Path list = directory.resolve("list");
            for (int i = 0; i < 100; i++) {
                run("echo /proc/$$/fd/* >" + list);
                String numbers = Files.readString(list).replaceAll("/proc/\\d+/fd/", "");
                assertEquals("0 1 2 3\n", numbers, "3 is the folder that the shell reads");
            }
        } finally {
            opener.interrupt();
            opener.join();
        }
    }

    private static void run(String line) throws Exception {
        List<byte[]> words = List.of(text("sh"), text("-c"), text(line));
        long pid = Spawner.spawn(Path.of("/bin/sh"), words, List.of(), true, null);
        assertEquals(pid, Libc.syscall(WAIT4, pid, 0, 0, 0));
    }

    private static byte[] text(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }
}

package dev.madt.top;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowingFileTest {
    @TempDir
    private Path directory;

    @Test
    void shouldReadWhatIsWrittenMeanwhile() throws Exception {
        Path file = Files.createFile(directory.resolve("growing"));
        byte[] all = new byte[300_007];
        new Random(1).nextBytes(all);
        AtomicBoolean over = new AtomicBoolean();
        try (GrowingFile in = new GrowingFile(file, over::get)) {
            CompletableFuture<byte[]> read = CompletableFuture.supplyAsync(() -> {
                try {
                    return in.readAllBytes();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            for (int at = 0; at < all.length; at += 50_001) {
                int length = Math.min(50_001, all.length - at);
                byte[] part = Arrays.copyOfRange(all, at, at + length);
                Files.write(file, part, StandardOpenOption.APPEND);
                Thread.yield();
            }
            over.set(true);
            assertArrayEquals(all, read.get());
            assertEquals(0, in.left());
        }
    }
}

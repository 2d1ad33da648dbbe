package dev.madt.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptLinesTest {
    private static final int MOST = 1 << 15;

    @TempDir
    Path directory;

    private static byte[] bytes(ByteBuffer levels) {
        byte[] bytes = new byte[levels.remaining()];
        levels.get(bytes);
        return bytes;
    }

    private static void assertHolds(Map<Long, byte[]> model, KeptLines lines) {
        model.forEach((address, levels) ->
                assertEquals(Arrays.toString(levels), Arrays.toString(bytes(lines.find(address)))));
    }

    @Test
    void shouldKeepWhatWasAdded() throws IOException {
        Random random = new Random(4_711);
        Path file = directory.resolve("kept.lines");
        Map<Long, byte[]> model = new HashMap<>();
        for (int session = 0; session < 9; session++) {
            KeptLines lines = KeptLines.of(file);
            assertHolds(model, lines);
            assertFalse(lines.hasGrown());
            for (int i = 0; i < 733; i++) {
                long address = random.nextBoolean() ? random.nextLong() : random.nextInt(9_973);
                byte[] levels = new byte[random.nextInt(5) * random.nextInt(31)];
                random.nextBytes(levels);
                assertEquals(model.containsKey(address), lines.find(address) != null);
                if (lines.find(address) == null && address != 0) {
                    lines.add(address, levels);
                    model.put(address, levels);
                }
            }
            assertHolds(model, lines);
            assertTrue(lines.hasGrown());
            lines.write(file);
        }
    }

    @Test
    void shouldKnowNothingWhereNothingIsKept() throws IOException {
        Path file = directory.resolve("none.lines");
        assertNull(KeptLines.of(null).find(77));
        assertNull(KeptLines.of(file).find(77));
        assertNull(KeptLines.of(file).find(0));
        KeptLines.of(file).write(file);
        assertNull(KeptLines.of(file).find(77));
        assertNull(KeptLines.of(file).find(0));
    }

    @Test
    void shouldPassOverAFileWithAnyDamage() throws IOException {
        Path file = directory.resolve("kept.lines");
        KeptLines lines = KeptLines.of(file);
        lines.add(0x1234, new byte[] {1, 2, 3});
        lines.write(file);
        byte[] whole = Files.readAllBytes(file);
        assertHolds(Map.of(0x1234L, new byte[] {1, 2, 3}), KeptLines.of(file));
        for (int i = 0; i < whole.length; i++) {
            byte[] damaged = whole.clone();
            damaged[i] ^= 0x10;
            Files.write(file, damaged);
            assertNull(KeptLines.of(file).find(0x1234), "byte " + i);
            Files.write(file, Arrays.copyOf(whole, i));
            assertNull(KeptLines.of(file).find(0x1234), "cut at " + i);
        }
    }

    @Test
    void shouldNotGrowWithoutEnd() throws IOException {
        Path file = directory.resolve("kept.lines");
        KeptLines lines = KeptLines.of(file);
        for (int i = 1; i < MOST + 99; i++) {
            lines.add(i, new byte[] {1});
        }
        lines.write(file);
        KeptLines again = KeptLines.of(file);
        again.add(MOST + 999, new byte[] {1});
        assertNull(again.find(MOST + 1));
        assertNull(again.find(MOST + 999));
        assertFalse(again.hasGrown());
        assertHolds(Map.of((long) MOST, new byte[] {1}), again);
    }
}

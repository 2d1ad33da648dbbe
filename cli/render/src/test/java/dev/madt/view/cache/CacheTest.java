package dev.madt.view.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CacheTest {
    private static final int TRACES = 1_000;
    private static final int ACCESSES = 997;

    /** Every line with the time of its last use; the set's oldest line goes. */
    private static final class Model {
        private final CacheGeometry geometry;
        private final Map<Long, Long> lastUse = new HashMap<>();
        private long time;

        Model(CacheGeometry geometry) {
            this.geometry = geometry;
        }

        boolean misses(long address, int size) {
            boolean miss = false;
            for (long line = address / geometry.line();
                    line <= (address + size - 1) / geometry.line();
                    line++) {
                miss |= !lastUse.containsKey(line);
                lastUse.put(line, time++);
                evict(line % geometry.sets());
            }
            return miss;
        }

        private void evict(long set) {
            long oldest = -1;
            int count = 0;
            for (long line : lastUse.keySet()) {
                if (line % geometry.sets() == set) {
                    count++;
                    oldest = oldest < 0 || lastUse.get(line) < lastUse.get(oldest) ? line : oldest;
                }
            }
            if (count > geometry.ways()) {
                lastUse.remove(oldest);
            }
        }
    }

    @Test
    void shouldMissExactlyWhereABruteForceModelMisses() {
        long misses = 0;
        for (int trace = 0; trace < TRACES; trace++) {
            Random random = new Random(trace);
            int line = 8 << random.nextInt(4);
            int ways = 1 + random.nextInt(8);
            CacheGeometry geometry =
                    new CacheGeometry((long) line * ways * (1 + random.nextInt(9)), ways, line);
            Cache cache = new Cache(geometry);
            Model model = new Model(geometry);
            int span = (int) geometry.size() * (1 + random.nextInt(4));
            for (int i = 0; i < ACCESSES; i++) {
                long address = random.nextBoolean() ? random.nextInt(span) : (long) i * 4 % span;
                int size =
                        random.nextInt(20) == 0 ? 1 + random.nextInt(100) : 1 << random.nextInt(4);
                boolean expected = model.misses(address, size);
                assertEquals(
                        expected,
                        cache.misses(address, size),
                        "trace " + trace + ", access " + i + ", " + geometry);
                misses += expected ? 1 : 0;
            }
        }
        assertTrue(misses > TRACES * ACCESSES / 10, "only " + misses + " misses");
    }

    @Test
    void shouldReadItsForm() {
        assertEquals(new CacheGeometry(32 << 10, 8, 64), CacheGeometry.of("32K,8,64"));
        assertEquals(
                "1024 B, 32 B, direct-mapped", CacheGeometry.of("1024,1,32").toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "32K",
                "32K,8",
                "32K,8,64,1",
                "32K,0,64",
                "1000,8,64",
                "32K,8,48",
                "-1024,1,64",
                "K,1,64",
                "9999999M,1,64",
                "99999999999999999999,1,64",
                "0,1,64"
            })
    void shouldRefuseAFormThatNoCacheHas(String text) {
        assertThrows(IllegalArgumentException.class, () -> CacheGeometry.of(text));
    }

    @Test
    void shouldTakeTheFormsThatTheKernelTells(@TempDir Path sys) throws Exception {
        index(sys, 0, "1", "Data", "48K", "12");
        index(sys, 1, "1", "Instruction", "32K", "8");
        index(sys, 2, "2", "Unified", "2048K", "16");
        index(sys, 3, "3", "Unified", "36M", "9");
        CacheHierarchy caches = CacheHierarchy.of(sys);
        assertEquals(new CacheGeometry(48 << 10, 12, 64), caches.data());
        assertEquals(new CacheGeometry(32 << 10, 8, 64), caches.instructions());
        assertEquals(new CacheGeometry(36 << 20, 9, 64), caches.last());
        assertEquals(
                List.of(
                        new CacheGeometry(48 << 10, 12, 64),
                        new CacheGeometry(2 << 20, 16, 64),
                        new CacheGeometry(36 << 20, 9, 64)),
                CacheHierarchy.dataLevels(sys));
    }

    @Test
    void shouldTakeUsualFormsWhereTheKernelTellsNothing(@TempDir Path sys) {
        assertEquals(
                new CacheGeometry(32 << 10, 8, 64),
                CacheHierarchy.of(sys.resolve("none")).data());
    }

    private static void index(
            Path sys, int number, String level, String type, String size, String ways)
            throws Exception {
        Path index = Files.createDirectory(sys.resolve("index" + number));
        Files.writeString(index.resolve("level"), level + "\n");
        Files.writeString(index.resolve("type"), type + "\n");
        Files.writeString(index.resolve("size"), size + "\n");
        Files.writeString(index.resolve("coherency_line_size"), "64\n");
        Files.writeString(index.resolve("ways_of_associativity"), ways + "\n");
    }
}

package dev.madt.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemplateNumbersTest {
    private static final int FIRST = SharedLayout.TEMPLATE_FIRST_MODULE;
    private static final int THREADS = 5;
    private static final int TIMES = 101;

    @TempDir
    Path folder;

    @Test
    void shouldGiveEachPlanItsOwn() throws IOException {
        assertEquals(FIRST, TemplateNumbers.kept(folder).take(1_009));
        assertEquals(FIRST + 1_009, TemplateNumbers.kept(folder).take(0));
        assertEquals(FIRST + 1_009, TemplateNumbers.kept(folder).take(7));
        assertEquals(FIRST + 1_016, TemplateNumbers.kept(folder).take(1));
    }

    @Test
    void shouldNotMeetThoseOfASession() throws IOException {
        assertEquals(TemplateNumbers.END, TemplateNumbers.ofSession(folder).take(13));
        assertEquals(TemplateNumbers.END + 13, TemplateNumbers.ofSession(folder).take(13));
    }

    @Test
    void shouldBeginAnewBehindTheLast() throws IOException {
        Files.writeString(folder.resolve(TemplateNumbers.FILE), TemplateNumbers.END - 3 + "\n");
        assertEquals(TemplateNumbers.END - 3, TemplateNumbers.kept(folder).take(FIRST + 3));
        assertEquals(FIRST, TemplateNumbers.kept(folder).take(1));
    }

    @Test
    void shouldBeginAnewWhereTheFileIsDamaged() throws IOException {
        for (String text : List.of("", "x", "-5", "99999999999999999999", "3", "4294967296")) {
            Files.writeString(folder.resolve(TemplateNumbers.FILE), text);
            assertEquals(FIRST, TemplateNumbers.kept(folder).take(5), text);
            assertEquals(FIRST + 5, TemplateNumbers.kept(folder).take(5), text);
        }
    }

    @Test
    void shouldFailWhereThereIsNoAccount() {
        assertThrows(IOException.class, () -> TemplateNumbers.kept(folder.resolve("none"))
                .take(1));
    }

    @Test
    void shouldServeManyAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<TreeMap<Integer, Integer>>> taken = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            taken.add(threads.submit(() -> {
                TreeMap<Integer, Integer> own = new TreeMap<>();
                for (int k = 1; k <= TIMES; k++) {
                    int count = thread * TIMES + k;
                    own.put(TemplateNumbers.kept(folder).take(count), count);
                }
                return own;
            }));
        }
        TreeMap<Integer, Integer> all = new TreeMap<>();
        for (Future<TreeMap<Integer, Integer>> own : taken) {
            all.putAll(own.get());
        }
        threads.shutdown();
        int next = FIRST;
        for (int first : all.keySet()) {
            assertEquals(next, first);
            next += all.get(first);
        }
        assertEquals(THREADS * TIMES, all.size());
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(1, files.count());
        }
    }
}

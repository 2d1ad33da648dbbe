package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks what {@code madt run} says of the trace that it has just written: as much as it is true.
 */
class FirstLookIT {
    private static final Pattern NAMED =
            Pattern.compile("([0-9.]+) % (\\S+|operator new\\(unsigned long\\))( \\([^()]*\\))?");

    @TempDir
    Path directory;

    private MadtRun run(String... command) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("run", "-f", "-o", "t.madt"));
        arguments.addAll(List.of(command));
        return MadtRun.told(directory, arguments.toArray(String[]::new));
    }

    /** Returns what follows the words in one of the lines; empty if none begins so. */
    private static String said(MadtRun run, String words) {
        return run.errors()
                .lines()
                .filter(line -> line.startsWith("madt: " + words))
                .map(line -> line.substring(("madt: " + words).length()))
                .findFirst()
                .orElse("");
    }

    /** Share and name of the rows that a report begins with, as the summary has them. */
    private List<String> reported(String key) throws Exception {
        List<String> lines = MadtRun.madt(
                        directory, "report", "--by", key, "--format", "csv", "t.madt")
                .expect(0)
                .text()
                .lines()
                .toList();
        int column = CsvLine.cells(lines.get(0)).indexOf(key);
        List<String> rows = new ArrayList<>();
        for (String line : lines.subList(1, 4)) {
            List<String> cells = CsvLine.cells(line);
            double share = Double.parseDouble(cells.get(0));
            rows.add(String.format(Locale.ROOT, "%.1f %s", 100 * share, cells.get(column)));
        }
        return rows;
    }

    private static List<String> named(String said) {
        List<String> named = new ArrayList<>();
        for (Matcher matcher = NAMED.matcher(said); matcher.find(); ) {
            named.add(matcher.group(1) + " " + matcher.group(2));
        }
        return named;
    }

    /** A trace that is searched for defects, and one that is only counted. */
    @ParameterizedTest
    @ValueSource(strings = {"heap.O0", "matrix.O0"})
    void shouldNameWhatReportsBeginWith(String program) throws Exception {
        MadtRun run = run("--", MadtRun.program(program).toString());
        assertEquals(reported("symbol"), named(said(run, "hottest data: ")), run.errors());
        assertEquals(reported("function"), named(said(run, "hottest code: ")), run.errors());
        assertEquals("", said(run, "defects: "));
    }

    /** The name is that of the function that it is inlined in, which may be the shorter one. */
    @Test
    void shouldNameABlockByTheCallOfAnInlinedFunction() throws Exception {
        Files.writeString(
                directory.resolve("p.c"),
                """
                #include <stdlib.h>
                static inline __attribute__((always_inline)) long *make_a_block(void)
                { return malloc(800); }
                __attribute__((noinline)) long use(void)
                {
                    volatile long *block = make_a_block();
                    for (int i = 0; i < 100; i++) block[i] = i;
                    return block[99];
                }
                int main(void) { return use() != 99; }
                """);
        MadtRun.command(directory, List.of("gcc", "-O2", "-g", "-o", "p", "p.c"))
                .expect(0);
        MadtRun run = run("--", "./p").expect(0);
        assertTrue(said(run, "hottest data: ").contains(" % <malloc@use+"), run.errors());
        assertEquals(
                reported("symbol").get(0), named(said(run, "hottest data: ")).get(0));
    }

    /** In a loop over arrays the whole looks as its parts do. */
    @Test
    void shouldSayOfALargeTraceThatItIsASample() throws Exception {
        MadtRun run = run("--", "perl", "-e", "for (1..300000) { $s += $_ * $_ } print $s");
        String said = said(run, "hottest code, of a sample of ");
        assertTrue(said.matches("[0-9.]+ % of the accesses: .*"), run.errors());
        assertFalse(said.startsWith("0.0 "), said);
        String data = said(run, "hottest data, of a sample of ") + said(run, "hottest data: ");
        assertFalse(data.isEmpty(), run.errors());
        String hottest = said.replaceFirst(".*?: [0-9.]+ % ", "").replaceAll("[ ,].*", "");
        List<String> names = reported("function").stream()
                .map(row -> row.replaceFirst(".* ", ""))
                .toList();
        assertTrue(names.contains(hottest), said + " " + names);
    }

    /** The threads fill few frames, at the end, by whose number they would be much. */
    @Test
    void shouldWeighPartsOfALargeTraceByTheirAccesses() throws Exception {
        Files.writeString(
                directory.resolve("p.c"),
                """
                #include <pthread.h>
                static volatile long hot[1000], cold[1000];
                static void *load(void *of, int rounds)
                {
                    volatile long *from = of;
                    for (int i = 0; i < rounds * 1000; i++) from[i % 1000];
                    return 0;
                }
                static void *side(void *none) { return load((void *)cold, 5); }
                int main(void)
                {
                    pthread_t threads[4];
                    load((void *)hot, 1000);
                    for (int i = 0; i < 4; i++) pthread_create(threads + i, 0, side, 0);
                    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
                }
                """);
        MadtRun.command(directory, List.of("gcc", "-O2", "-o", "p", "p.c", "-pthread"))
                .expect(0);
        MadtRun run = run("--", "./p").expect(0);
        String said = said(run, "hottest data, of a sample of ");
        assertTrue(said.matches("[0-9.]+ % of the accesses: 9[6-9][.0-9]* % hot.*"), run.errors());
    }

    /** All but the first and the last part of the trace has no allocations. */
    @Test
    void shouldNameTheDataOfALargeTrace() throws Exception {
        Files.writeString(
                directory.resolve("p.c"),
                """
                #include <stdio.h>
                #include <stdlib.h>
                int main(void)
                {
                    unsigned r = 1;
                    volatile int *a = malloc(1 << 22);
                    for (int i = 0; i < 1500000; i++) {
                        r = r * 1103515245 + 12345;
                        a[(r >> 8) % (1 << 20)] = i;
                    }
                    return puts("done") < 0;
                }
                """);
        MadtRun.command(directory, List.of("gcc", "-O2", "-o", "p", "p.c")).expect(0);
        MadtRun run = run("--", "./p").expect(0);
        String said = said(run, "hottest data, of a sample of ");
        assertTrue(
                said.matches("[0-9.]+ % of the accesses: (9[89]|100)[.0-9]* % <malloc@main[^,]*.*"),
                run.errors());
    }

    @Test
    void shouldCountDefects() throws Exception {
        String program =
                MadtRun.program("defects/accesses/list_freed_while_walked").toString();
        MadtRun run = run("--", program);
        assertTrue(
                said(run, "defects: ")
                        .matches("\\d+ access(es)? to (a )?freed blocks?; see them with:"
                                + " madt defects t\\.madt"),
                run.errors());
    }

    /** Says which calls led to the access, and to the end of what had been there. */
    @Test
    void shouldExplainACrashInMemoryThatIsUnmapped() throws Exception {
        Files.writeString(
                directory.resolve("p.c"),
                """
                #define _GNU_SOURCE
                #include <sys/mman.h>
                #define APART __attribute__((noinline))
                static char *volatile area;
                APART void grow(void) { area = mremap(area, 4096, 65536, MREMAP_MAYMOVE); }
                APART void drop(char *p) { munmap(p, 65536); }
                APART void finish(void) {
                    drop(area);
                    area[0] = 1;
                }
                int main(void)
                {
                    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
                    area = mmap(0, 8192, PROT_READ | PROT_WRITE, flags, -1, 0);
                    grow();
                    finish();
                    return 0;
                }
                """);
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-O1",
                                "-g",
                                "-fno-optimize-sibling-calls",
                                "-o",
                                "p",
                                "p.c"))
                .expect(0);
        for (String engine : List.of("splice", "trap")) {
            MadtRun run = run("--engine", engine, "--", "./p");
            assertEquals(
                    "a store to <unmap:N@grow+N>+0 by finish+N p.c:9; unmapped by drop+N p.c:6,"
                            + " called by finish+N p.c:8, main+N p.c:16",
                    said(run, "the crash: ")
                            .replaceAll("unmap:\\d+", "unmap:N")
                            .replaceAll("\\+[1-9]\\d*", "+N"),
                    run.errors());
            String site = MadtRun.madt(
                            directory, "report", "--by", "site", "--chains", "--min", "0", "t.madt")
                    .expect(0)
                    .text();
            assertTrue(
                    Pattern.compile("<mremap@grow\\+\\d+> +p.c:5\\n +main\\+\\d+ +p.c:15\\n")
                            .matcher(site)
                            .find(),
                    site);
        }
    }

    @Test
    void shouldSayOfACrashWhatTheProcessorSays() throws Exception {
        MadtRun none = run("--", MadtRun.program("crash_null.O0").toString());
        assertTrue(
                said(none, "the crash: ")
                        .matches("a store to 0x0, where nothing lies, by main\\+\\d+ .*"),
                none.errors());
    }

    @Test
    void shouldNotLookWhereNobodyWantsToKnow() throws Exception {
        for (List<String> options : List.of(
                List.of("-f", "-o", "t.madt", "--no-hottest"),
                List.of("-f", "-o", "t.madt", "-q"),
                List.of("-f", "-o", "t.madt", "--report", "symbol"),
                List.of("--text", "t.txt"),
                List.of("-o", "-"))) {
            List<String> command = new ArrayList<>(List.of("run"));
            command.addAll(options);
            command.addAll(List.of("--", "true"));
            MadtRun run =
                    MadtRun.told(directory, command.toArray(String[]::new)).expect(0);
            assertFalse(run.errors().contains("hottest"), run.errors());
        }
    }

    @Test
    void shouldSayWhichProcessItLookedAt() throws Exception {
        MadtRun run = run("--", "sh", "-c", "true; sort /dev/null; true");
        assertTrue(
                run.errors()
                        .lines()
                        .anyMatch(line -> line.matches("madt: hottest data in t\\.madt.*")),
                run.errors());
    }
}

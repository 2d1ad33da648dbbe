package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.MeasuredRun;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many processes, threads, mappings and libraries, in the soak profile as many as there may be:
 * every access is recorded, and memory does not follow their number.
 */
class MultitudeIT {
    private static final double TENTH_MORE = 1.1;
    /**
     * A tenth more is the aim; 5 to 10 % are measured, most of them on a loaded machine, where the
     * highest of many short peaks counts.
     */
    private static final double SEVENTH_MORE = 1.15;

    /** Stores of a child or a thread into {@code touched}. */
    private static final int STORES = 101;

    private static final int CALLS = 11;
    private static final int LIMIT_MINUTES = 60;

    @TempDir
    Path directory;

    private MeasuredRun run(String... arguments) throws Exception {
        return record("splice", arguments);
    }

    private MeasuredRun record(String engine, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "run",
                "-f",
                "-o",
                "t.madt",
                "--engine",
                engine,
                MadtRun.program("multitude").toString()));
        command.addAll(List.of(arguments));
        MeasuredRun run = MeasuredRun.madt(directory, command);
        assertEquals("done\n", run.output());
        return run;
    }

    /** Stores in the rows of a report whose first column is this name, in whatever library. */
    private long stores(String trace, String key, String name) throws Exception {
        List<String> lines = MadtRun.madt(
                        directory, "report", "--by", key, "--format", "csv", trace)
                .expect(0)
                .text()
                .lines()
                .toList();
        List<String> columns = List.of(lines.get(0).split(","));
        return lines.stream()
                .map(line -> line.split(","))
                .filter(row -> row[columns.indexOf(key)].matches("(.*:)?" + name))
                .mapToLong(row -> Long.parseLong(row[columns.indexOf("stores")]))
                .sum();
    }

    /** Each child's trace is complete; those of some are looked into. */
    private MeasuredRun children(int count, String... arguments) throws Exception {
        MeasuredRun run = run(arguments);
        List<String> listed = MadtRun.madt(directory, "info", "t.madt")
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.matches("  \\d+ .*, exit 7, t\\.madt\\.[\\d.]+"))
                .toList();
        assertEquals(count, listed.size());
        for (int i = 0; i < count; i += 1 + count / 2) {
            String trace = listed.get(i).replaceAll(".*, ", "");
            assertEquals(STORES, stores(trace, "symbol", "touched"), listed.get(i));
        }
        assertComplete(run.errors());
        return run;
    }

    /** The summary says of each trace that it is complete. */
    private static void assertComplete(String summary) {
        assertTrue(
                summary.lines()
                        .filter(line -> !line.contains("next:") && !line.contains("hottest"))
                        .allMatch(line -> line.contains(", complete")),
                summary);
    }

    @Test
    void shouldRecordManyProcesses() throws Exception {
        // 2,000 fill the old generation of Java's heap with garbage, so that it is collected
        int few = Tier.SOAK ? 2_000 : 40;
        long first = children(few, "processes", Integer.toString(few), "1").peak();
        if (Tier.SOAK) {
            // one run differs from the next by a third, as the collector comes sooner or later
            first = Math.max(first, children(few, "processes", "2000", "1").peak());
            long one = children(10_000, "processes", "10000", "1").peak();
            one = Math.min(one, children(10_000, "processes", "10000", "1").peak());
            long many = children(10_000, "processes", "10000", "500").peak();
            System.out.printf(
                    "launcher's peak: %,d KiB with 2,000 processes, %,d with 10,000, %,d with 500"
                            + " at a time%n",
                    first, one, many);
            assertTrue(one <= SEVENTH_MORE * first, "memory grows with processes");
        }
    }

    /**
     * A child may end before its parent's events up to the fork have been taken; it has its blocks
     * all the same.
     */
    @Test
    void shouldGiveEachChildTheBlocksOfItsParent() throws Exception {
        String script = "for i in $(seq " + Tier.of(200, 12)
                + "); do x=$(echo one); y=$(echo $x $i; exit 3); (x=$(echo a)); done; echo $y";
        MadtRun.madt(directory, "run", "-q", "-o", "t.madt", "--", "bash", "-c", script)
                .expect(0);
        try (Stream<Path> files = Files.list(directory)) {
            for (Path trace : files.filter(
                            file -> file.getFileName().toString().startsWith("t.madt"))
                    .toList()) {
                TraceFile.check(trace);
            }
        }
    }

    @Test
    void shouldRecordManyPrograms() throws Exception {
        int count = Tier.SOAK ? 1_000 : 12;
        children(count, "programs", Integer.toString(count));
    }

    @Test
    void shouldRecordManyThreads() throws Exception {
        int count = Tier.SOAK ? 5_000 : 200;
        run("threads", Integer.toString(count), Integer.toString(count / 10));
        assertEquals((long) count * STORES, stores("t.madt", "symbol", "touched"));
    }

    /** Each holds a chunk of the buffer while it sleeps. */
    @Test
    @Soak
    void shouldRecordManySleepingThreads() throws Exception {
        assertComplete(run("sleepers", "2500").errors());
        assertEquals(2_500L * STORES, stores("t.madt", "symbol", "touched"));
        record("trap", "sleepers", "2500");
    }

    /** They run on, and the trace says so. */
    @Test
    @Soak
    void shouldLeaveMoreThreadsThanItHasRoomFor() throws Exception {
        String summary = run("sleepers", "11000").errors();
        assertTrue(summary.contains("madt: more than 9,920 threads ran at a time."), summary);
        MadtRun info = MadtRun.madt(directory, "info", "--strict", "t.madt").expect(3);
        assertTrue(info.text().contains("complete until more threads ran"), info.text());
    }

    @Test
    void shouldRecordManyMappings() throws Exception {
        int count = Tier.SOAK ? 60_000 : 2_000;
        run("mappings", Integer.toString(count));
        assertEquals(count, stores("t.madt", "function", "fill"));
    }

    /** As often as a library is opened, it counts anew, and its names are known. */
    @Test
    void shouldRecordManyLibraries() throws Exception {
        int count = Tier.SOAK ? 300 : 12;
        for (int i = 0; i < count; i++) {
            Files.copy(MadtRun.program("libcounted.so"), directory.resolve("counted." + i));
        }
        String libraries = directory.resolve("counted").toString();
        int rounds = Tier.SOAK ? 50 : 3;
        MeasuredRun run =
                run("libraries", Integer.toString(count), Integer.toString(rounds), libraries);
        assertEquals((long) count * rounds * CALLS, stores("t.madt", "symbol", "counter"));
        assertEquals((long) count * rounds * CALLS, stores("t.madt", "function", "count"));
        if (Tier.SOAK) {
            long few = run("libraries", Integer.toString(count), "5", libraries).peak();
            System.out.printf(
                    "launcher's peak: %,d KiB with 5 rounds of %d libraries, %,d with %d%n",
                    few, count, run.peak(), rounds);
            assertTrue(run.peak() <= TENTH_MORE * few, "memory grows with rounds");
        }
    }

    /** 2,000 commands in pipes and subshells. */
    @Test
    @Soak
    void shouldRunAScriptOfManyCommandsWhole() throws Exception {
        Path script = Files.writeString(
                directory.resolve("script"),
                """
                        i=0
                        while [ $i -lt 200 ]; do
                            i=$((i + 1))
                            (printf '%s\\n' $i a b | sort -r | tr a-b x-y | sed "s/x/x$i/"; expr \
                        $i + 1) | grep -v '^y' | wc -l
                            name=$(basename "/some/folder/$i.c" .c); echo "int f$name(void) { \
                        return $name; }" >"$1/$name.c"
                            test "$(cat "$1/$name.c" | cut -d' ' -f2)" = "f$name(void)" || echo \
                        wrong
                            rm -f "$1/$name.c"
                        done
                        (exit 9)
                        """);
        Path folder = Files.createDirectory(directory.resolve("made"));
        MadtRun plain =
                MadtRun.command(directory, List.of("sh", script.toString(), folder.toString()));
        MadtRun run = MadtRun.command(
                directory,
                List.of(
                        MadtRun.launcher().toString(),
                        "run",
                        "-o",
                        "t.madt",
                        "sh",
                        script.toString(),
                        folder.toString()),
                LIMIT_MINUTES * 60);
        assertEquals(plain.status(), run.status(), run.errors());
        assertEquals(plain.text(), run.text());
        assertComplete(run.errors());
    }
}

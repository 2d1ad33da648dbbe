package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OrdinaryUser;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads are called what the kernel calls them, which the program says itself. */
class ThreadNamesIT {
    private static final String PROGRAM = MadtRun.program("threads/named").toString();

    @TempDir
    Path directory;

    /** A thread as the program says it. */
    private record Named(String pid, String tid, String name) {
        static List<Named> all(String output) {
            List<Named> all = new ArrayList<>();
            for (String line : output.lines().toList()) {
                String[] words = line.split(" ", 3);
                all.add(new Named(words[0], words[1], words[2]));
            }
            return all;
        }

        String label() {
            return name + " (" + tid + ")";
        }
    }

    private List<Named> record(String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "-q", "-f", "-o", "n.madt"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", PROGRAM));
        return Named.all(
                MadtRun.madt(directory, words.toArray(String[]::new)).expect(0).text());
    }

    /** The trace of the first process is that of the last line, in which main says its name. */
    private Path trace(List<Named> all, Named one) {
        String first = all.get(all.size() - 1).pid();
        return directory.resolve(one.pid().equals(first) ? "n.madt" : "n.madt." + one.pid());
    }

    private String text(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text();
    }

    /** Rows of a report by thread: name and accesses, by number. */
    private Map<String, String> rows(Path trace, String... more) throws Exception {
        List<String> words = new ArrayList<>(
                List.of("report", "--by", "thread", "--format", "csv", trace.toString()));
        words.addAll(List.of(more));
        List<String> lines = text(words.toArray(String[]::new)).lines().toList();
        List<String> keys = CsvLine.cells(lines.get(0));
        Map<String, String> rows = new HashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = CsvLine.cells(line);
            rows.put(
                    cells.get(keys.indexOf("thread")),
                    cells.get(keys.indexOf("thread_name")) + " " + cells.get(keys.indexOf("loads"))
                            + " " + cells.get(keys.indexOf("stores")));
        }
        rows.remove("total");
        return rows;
    }

    @ParameterizedTest
    @ValueSource(strings = {"splice", "trap"})
    void shouldCallEachThreadAsTheKernelDoes(String engine) throws Exception {
        List<Named> threads = record("--engine", engine);
        assertEquals(9, threads.size());
        for (Named thread : threads) {
            Path trace = trace(threads, thread);
            Map<String, String> rows = rows(trace);
            String row = rows.getOrDefault(thread.tid(), "no row");
            assertTrue(row.startsWith(thread.name() + " "), row + " is " + thread);
            for (String choice : List.of(thread.name(), thread.tid(), thread.label())) {
                assertEquals(
                        Map.of(thread.tid(), row), rows(trace, "--thread", choice), thread.label());
            }
            assertTrue(text("info", trace.toString()).contains(' ' + thread.label() + '\n'));
        }
    }

    /** Selects what a thread did before it had its name, too. */
    @Test
    void shouldSelectAllThatAThreadDid() throws Exception {
        record();
        String counted = text(
                "report",
                "--thread",
                "worker-2",
                "--symbol",
                "counters",
                "--format",
                "csv",
                "n.madt");
        assertTrue(counted.contains(",2000,2000,"), counted);
        assertEquals("", text("print", "--thread", "worker-9", "--kind", "access", "n.madt"));
    }

    @Test
    void shouldKeepNamesOfEventsThatAreForgotten() throws Exception {
        List<Named> threads = record("--last", "1K");
        String info = text("info", "n.madt");
        assertTrue(info.contains(threads.get(0).label()), info);
        Path trace = directory.resolve("n.madt");
        byte[] bytes = Files.readAllBytes(trace);
        Path cut =
                Files.write(directory.resolve("cut.madt"), Arrays.copyOf(bytes, bytes.length - 1));
        Named last = threads.get(threads.size() - 1);
        assertTrue(MadtRun.madt(
                        directory, "report", "--by", "thread", "--format", "csv", cut.toString())
                .text()
                .contains(last.name() + "\"\n"));
    }

    @Test
    void shouldNameTracksOfATimelineAndThreadsOfAFlameGraph() throws Exception {
        MadtRun run = MadtRun.madt(directory, "trace", "-q", "-f", "-o", "n.madt", "--", PROGRAM)
                .expect(0);
        List<Named> threads = Named.all(run.text());
        String text = text("timeline", "--all", "n.madt");
        for (Named thread : threads) {
            assertTrue(text.contains(thread.label()), thread.label() + " in " + text);
        }
        text("timeline", "-o", "t.pftrace", "n.madt");
        String packets = new String(
                Files.readAllBytes(directory.resolve("t.pftrace")), StandardCharsets.UTF_8);
        assertTrue(packets.contains(threads.get(2).name()));
        assertTrue(packets.contains(threads.get(threads.size() - 1).name()));
        text("flame", "-o", "f.html", "n.madt");
        assertTrue(Files.readString(directory.resolve("f.html"))
                .contains('"' + threads.get(0).label() + '"'));
    }

    @Test
    void shouldNameThreadsOfAnOrdinaryUser() throws Exception {
        OrdinaryUser user = new OrdinaryUser(directory);
        List<Named> threads = Named.all(
                user.madt("run", "-q", "-o", "n.madt", "--", PROGRAM).expect(0).text());
        String report =
                user.madt("report", "--by", "thread", "n.madt").expect(0).text();
        assertTrue(report.contains(" by a friend"), report);
        assertEquals(9, threads.size());
    }
}

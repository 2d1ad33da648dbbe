package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.PatchedCopy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The walks of CONTRIBUTING.md, which are patches in {@code docs/walks}: each needs no more files
 * than it says, and what it adds is recorded and shown. They are applied to one copy of the
 * sources, which is built once. The program says what is to be recorded; the {@code madt} at hand
 * reads the traces as one of before does.
 */
@Order(1)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WalksIT {
    /** Sends messages, and prints what of each is to be recorded. */
    private static final String PROGRAM =
            """
            #include <stdio.h>
            #include <stdlib.h>
            #include <sys/socket.h>

            static char table[64];

            static void tell(int socket, const char *buffer, size_t size)
            {
                ssize_t sent = send(socket, buffer, size, 0);

                if (sent < 0)
                    exit(1);
                printf("%p,%zd,%d\\n", (void *)buffer, sent, socket);
            }

            int main(void)
            {
                char *block = malloc(48);
                int pair[2];

                if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
                    return 1;
                for (int i = 0; i < 5; i++)
                    table[i] = 1;
                for (int i = 0; i < 48; i++)
                    block[i] = 2;
                tell(pair[0], table, 5);
                tell(pair[1], table + 8, 7);
                tell(pair[0], block + 16, 32);
                return 0;
            }
            """;

    /** The names of the three buffers, and of the call that sends. */
    private static final List<String> BUFFERS =
            List.of("table\\+0", "table\\+8", "<malloc\\d+@main\\+\\d+>\\+16");

    private static final long PAGE_MASK = 4095;

    private static final String CALL = "tell\\+\\d+";

    private Path directory;
    private PatchedCopy copy;
    /** Holds what the program has printed, by each engine. */
    private final List<String> told = new ArrayList<>();

    private final List<String> traces = List.of("splice.madt", "trap.madt");

    @BeforeAll
    void recordByThePatchedCopy(@TempDir Path folder) throws Exception {
        directory = folder;
        copy = new PatchedCopy(directory);
        copy.apply("event");
        copy.writeSchema();
        assertFiles(7, copy.changed(), "event");
        copy.apply("analysis");
        assertFiles(3, named("analysis"), "analysis");
        copy.apply("probe");
        assertFiles(4, named("probe"), "probe");
        copy.build();
        Files.writeString(directory.resolve("sender.c"), PROGRAM);
        MadtRun.command(directory, List.of("gcc", "-O0", "-o", "sender", "sender.c"))
                .expect(0);
        for (String trace : traces) {
            String engine = trace.replace(".madt", "");
            told.add(copy.madt(
                            directory,
                            "run",
                            "-q",
                            "-o",
                            trace,
                            "--engine",
                            engine,
                            "--",
                            "./sender")
                    .expect(0)
                    .text());
        }
    }

    @AfterAll
    void close() throws Exception {
        copy.close();
    }

    private static void assertFiles(int most, Set<String> files, String walk) {
        assertTrue(files.size() <= most, walk + " takes more than " + most + " files: " + files);
    }

    /** The files that a patch names. */
    private static Set<String> named(String walk) throws Exception {
        Set<String> named = new TreeSet<>();
        Path patch = MadtRun.root().resolve("docs/walks/" + walk + ".patch");
        Matcher files =
                Pattern.compile("(?m)^\\+\\+\\+ b/(\\S+)$").matcher(Files.readString(patch));
        while (files.find()) {
            named.add(files.group(1));
        }
        return named;
    }

    private String patched(String... arguments) throws Exception {
        return copy.madt(directory, arguments).expect(0).text();
    }

    /** Returns what raw lines say, without the call. */
    private static List<String> saidOf(List<String> lines) {
        return lines.stream()
                .map(line -> line.substring(line.indexOf(':') + 1, line.lastIndexOf(',')))
                .toList();
    }

    private static List<String> events(String text) {
        return text.lines().filter(line -> line.startsWith("N")).toList();
    }

    private static String without(String text, String start) {
        return text.lines()
                .filter(line -> !line.startsWith(start))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private MadtRun python(Path reader, String trace) throws Exception {
        return MadtRun.command(directory, List.of("python3", reader.toString(), trace))
                .expect(0);
    }

    @Test
    void shouldShowANewTypeOfEventsInEachView() throws Exception {
        List<String> said = told.get(0).lines().toList();
        List<String> lines =
                patched("print", "--kind", "N", "splice.madt").lines().toList();
        for (int i = 0; i < said.size(); i++) {
            String numbers = said.get(i).substring(said.get(i).indexOf(','));
            String line = "N\\$" + (i + 1) + ":" + BUFFERS.get(i) + numbers + "," + CALL;
            assertTrue(lines.get(i).matches(line), lines.toString());
        }
        assertEquals(said.size(), lines.size());
        assertEquals(
                lines.subList(0, 2),
                patched("print", "--kind", "N", "--symbol", "table", "splice.madt")
                        .lines()
                        .toList());
        String csv = patched("convert", "--to", "csv", "--kind", "N", "splice.madt");
        assertEquals(said, csv.lines().skip(1).map(WalksIT::ofRow).toList());
        String report = patched("report", "splice.madt");
        assertTrue(report.contains("\nOther events: 3 SEND\n"), report);
        String info = patched("info", "splice.madt");
        assertTrue(info.contains("\nother events    3 (SEND: 3)\n"), info);
        assertTrue(patched("dump", "splice.madt").contains(" SEND "));
    }

    /** The address, size and socket that a row has, of which the call is known. */
    private static String ofRow(String row) {
        String[] cells = row.split(",", -1);
        Matcher socket = Pattern.compile(",tell,tell\\+\\d+,.*,socket=(\\d+),").matcher(row);
        assertTrue(socket.find(), row);
        return cells[4] + "," + cells[5] + "," + socket.group(1);
    }

    @Test
    void shouldShowItInReadersOfTheFormat() throws Exception {
        for (int i = 0; i < traces.size(); i++) {
            String raw = patched("print", "--raw", traces.get(i));
            assertEquals(told.get(i).lines().toList(), saidOf(events(raw)), traces.get(i));
            String transfer = raw.substring(0, raw.indexOf("\nN#")).replaceAll("(?s).*\n", "");
            assertEquals( // of the same call
                    transfer.replaceAll(".*,", ""),
                    events(raw).get(0).replaceAll(".*,", ""),
                    traces.get(i));
            assertEquals(
                    raw, python(copy.file("docs/reader.py"), traces.get(i)).text(), traces.get(i));
        }
    }

    @Test
    void shouldBeSkippedAndCountedByReadersOfBefore() throws Exception {
        String trace = "splice.madt";
        String now = patched("print", "--raw", trace);
        MadtRun before = MadtRun.madt(directory, "print", "--raw", trace).expect(0);
        assertEquals(without(now, "N"), before.text());
        assertTrue(before.errors().contains("3 events of splice.madt left out"), before.errors());
        MadtRun reader = python(MadtRun.root().resolve("docs/reader.py"), trace);
        assertEquals(before.text(), reader.text());
        assertEquals("3 of kinds that this reader does not know\n", reader.errors());
        String info = MadtRun.madt(directory, "info", trace).expect(0).text();
        assertTrue(info.contains("\nunknown kinds   3 (event 63: 3)\n"), info);
        MadtRun check = MadtRun.madt(directory, "check", trace).expect(0);
        assertTrue(check.text().contains(": sound, "), check.text());
        assertEquals(
                patched("report", trace).replace("\nOther events: 3 SEND\n", ""),
                MadtRun.madt(directory, "report", trace).expect(0).text());
    }

    @Test
    void shouldAddAnAnalysisWithACommand() throws Exception {
        String stores = patched("stores", "splice.madt");
        assertTrue(stores.lines().anyMatch(line -> line.matches("5 main\\+\\d+")), stores);
        assertEquals(patched("help", "--man"), Files.readString(copy.file("docs/madt.1")));
    }

    /**
     * The recorder of the tests in C, whose probes of blocks become those of the new kind, meets
     * every call of a function as often as the function is called, in their order.
     */
    @Test
    void shouldRecordANewKindOfProbe() throws Exception {
        Path probes = copy.file("madt-native/test/recorder_probes.h");
        Files.writeString(
                probes,
                Files.readString(probes).replaceAll("MADT_PROBE_BLOCK\\b", "MADT_PROBE_CALL"));
        copy.make("target/test/recorder");
        Path program = directory.resolve("sender");
        String code = MadtRun.command(
                        directory, List.of("objdump", "-d", "--disassemble=tell", "sender"))
                .expect(0)
                .text();
        List<Long> calls = Pattern.compile("(?m)^ *([0-9a-f]+):.*\\scall\\s+.*<(?:send|printf)@.*$")
                .matcher(code)
                .results()
                .map(call -> Long.parseLong(call.group(1), 16))
                .toList();
        assertEquals(2, calls.size(), code);
        Path events = directory.resolve("events");
        MadtRun.command(
                        directory,
                        List.of(
                                "env",
                                String.format(
                                        "MADT_TEST_PROBES=%x:%x:cells",
                                        calls.get(0), calls.get(1) + 1),
                                copy.file("madt-native/target/test/recorder").toString(),
                                copy.file("madt-native/target/libmadt.so").toString(),
                                events.toString(),
                                "main:splice",
                                program.toString()))
                .expect(0);
        List<Long> met = Files.readAllLines(events).stream()
                .filter(line -> line.startsWith("probe 15 "))
                .map(line -> Long.decode(line.split(" ")[2]) & PAGE_MASK)
                .toList();
        List<Long> wanted = new ArrayList<>();
        for (int i = 0; i < told.get(0).lines().count(); i++) {
            calls.forEach(call -> wanted.add(call & PAGE_MASK));
        }
        assertEquals(wanted, met);
    }
}

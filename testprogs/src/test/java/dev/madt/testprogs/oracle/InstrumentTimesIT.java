package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.net.DatagramSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks what instruments say of times: how long calls took, by what they were given, and how far
 * hits are apart. Judges are the program's own clock, strace, and tcpdump. What stands between two
 * readings of a clock may be late on a busy machine, but in between it is.
 */
class InstrumentTimesIT {
    private static final int FORKS = 96;
    private static final int PACKETS = 40;
    private static final int QUIET_TRIES = 20;
    private static final long MILLISECOND = 1_000_000;
    /** Two clocks may go so far apart in a second or two. */
    private static final long SLACK = 200_000;

    private static final Pattern STRACE = Pattern.compile(".*<(\\d+)\\.(\\d{6})>");
    private static final Pattern CAPTURED = Pattern.compile("(\\d+)\\.(\\d{9}) .*");

    @TempDir
    Path directory;

    /** Returns the rows of the table of times: their cells by the table's headings. */
    private List<Map<String, String>> times() throws Exception {
        List<Map<String, String>> rows = new ArrayList<>();
        List<String> headings = List.of();
        for (String line : MadtRun.madt(directory, "points", "--format", "csv", "t.madt")
                .expect(0)
                .text()
                .lines()
                .toList()) {
            List<String> cells = CsvLine.cells(line);
            if (cells.contains("hits")) {
                headings = cells;
            } else if (headings.contains("median_ns") && cells.size() == headings.size()) {
                Map<String, String> row = new TreeMap<>();
                for (int i = 0; i < cells.size(); i++) {
                    row.put(headings.get(i), cells.get(i));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    private static long number(Map<String, String> row, String column) {
        return Long.parseLong(row.get(column));
    }

    private static List<Long> sorted(String lines) {
        return lines.lines().map(Long::valueOf).sorted().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fork", "vfork", "posix_spawn"})
    void shouldTakeTheTimesOfForks(String how) throws Exception {
        String program = InstrumentGuardsIT.program(directory, "forks").toString();
        List<Long> own =
                sorted(InstrumentsIT.run(directory, List.of("--at", how, "time"), program, how)
                        .expect(0)
                        .text());
        assertEquals(FORKS, own.size());
        Map<String, String> row = times().get(0);
        assertEquals(how, row.get("place"));
        assertEquals(FORKS, number(row, "hits"));
        shouldBeWithin(own.get(0), number(row, "min_ns"));
        long middle = own.get(FORKS / 2 - 1);
        shouldBeWithin(middle, number(row, "median_ns") * 97 / 100);
        shouldBeWithin(own.get(FORKS - 1), number(row, "max_ns"));
        long sum = own.stream().mapToLong(Long::longValue).sum();
        assertTrue(number(row, "total_ns") <= sum + SLACK, row + " of " + sum);
        assertTrue(own.get(0) - number(row, "min_ns") < MILLISECOND, row + " and " + own);
        assertTrue(
                middle - number(row, "median_ns") < MILLISECOND + middle / 4, row + " and " + own);
    }

    /** The program reads its clock before the call and behind it. */
    private static void shouldBeWithin(long own, long taken) {
        assertTrue(taken > 0 && taken <= own + SLACK / FORKS, taken + " of " + own);
    }

    /**
     * So that the program's own clock may judge: strace does not contradict it. How close they are
     * shows in a quiet moment, which is waited for.
     */
    @ParameterizedTest
    @ValueSource(strings = {"fork", "vfork", "posix_spawn"})
    void shouldHaveProgramsThatSayWhatStraceSays(String how) throws Exception {
        String program = InstrumentGuardsIT.program(directory, "forks").toString();
        long apart = straced(program, how);
        for (int i = 1; i < QUIET_TRIES && apart >= MILLISECOND; i++) {
            apart = straced(program, how);
        }
        assertTrue(apart < MILLISECOND, "the least of each are " + apart + " ns apart");
    }

    /** Returns how far the least time by the program's clock is above the least one by strace. */
    private long straced(String program, String how) throws Exception {
        List<Long> own = sorted(MadtRun.command(
                        directory,
                        List.of(
                                "strace",
                                "-f",
                                "--seccomp-bpf",
                                "-T",
                                "-e",
                                "trace=clone,clone3,fork,vfork",
                                "-o",
                                "strace",
                                program,
                                how))
                .expect(0)
                .text());
        List<Long> told = new ArrayList<>();
        for (String line : Files.readAllLines(directory.resolve("strace"))) {
            Matcher call = STRACE.matcher(line);
            if (call.matches()) {
                told.add(1000 * (Long.parseLong(call.group(1) + call.group(2)) - 1));
            }
        }
        Collections.sort(told);
        assertEquals(FORKS, told.size());
        assertEquals(FORKS, own.size());
        for (int i = 0; i < FORKS; i++) {
            assertTrue(told.get(i) <= own.get(i), told + " and " + own);
        }
        return own.get(0) - told.get(0);
    }

    private static final String OPENS =
            """
            #include <dlfcn.h>
            #include <stdio.h>
            #include <time.h>

            static long now(void)
            {
                struct timespec time;
                clock_gettime(CLOCK_MONOTONIC, &time);
                return time.tv_sec * 1000000000L + time.tv_nsec;
            }

            int main(void)
            {
                for (int i = 0; i < 7; i++) {
                    char file[40];
                    sprintf(file, i < 5 ? "./lib%c.so" : "./it is not there\\t%c", "eadbcxy"[i]);
                    long before = now();
                    dlopen(file, RTLD_NOW);
                    printf("%ld %s\\n", now() - before, file);
                }
                return 0;
            }
            """;

    /** Five libraries take long to load; what MadT does for each is none of their time. */
    @Test
    void shouldNameSlowLibraries() throws Exception {
        for (int i = 1; i <= 5; i++) {
            Path source = Files.writeString(
                    directory.resolve("slow.c"),
                    "#include <unistd.h>\n__attribute__((constructor)) static void init(void)"
                            + " { usleep(" + 30_000 * i + "); }\n");
            MadtRun.command(
                            directory,
                            List.of(
                                    "gcc",
                                    "-shared",
                                    "-fPIC",
                                    "-o",
                                    "lib" + "abcde".charAt(i - 1) + ".so",
                                    source.toString()))
                    .expect(0);
        }
        Files.writeString(directory.resolve("opens.c"), OPENS);
        MadtRun.command(directory, List.of("gcc", "-o", "opens", "opens.c")).expect(0);
        Map<String, Long> own = new TreeMap<>();
        InstrumentsIT.run(
                        directory,
                        List.of(
                                "--at",
                                "dlopen",
                                "time by str(arg0); sum 1 by str(arg0); time by tid"),
                        "./opens")
                .expect(0)
                .text()
                .lines()
                .forEach(line -> own.put(
                        line.substring(line.indexOf(' ') + 1).replace("\t", "\\x09"),
                        Long.parseLong(line.substring(0, line.indexOf(' ')))));
        List<Map<String, String>> rows = times();
        assertEquals(8, rows.size());
        List<Long> totals = rows.stream().map(row -> number(row, "total_ns")).toList();
        assertEquals(totals.stream().sorted(Collections.reverseOrder()).toList(), totals);
        assertEquals("time by tid", rows.get(0).get("action"));
        assertEquals(7, number(rows.get(0), "hits"));
        for (Map<String, String> row : rows.subList(1, 8)) {
            long took = number(row, "total_ns");
            String file = row.get("key");
            long slept = 30 * MILLISECOND * ("abcde".indexOf(file.charAt(5)) + 1);
            assertTrue(own.containsKey(file), file + " of " + own);
            assertTrue(took <= own.get(file) + SLACK, row + " and " + own);
            assertTrue(!file.startsWith("./lib") || took >= slept, row + " and " + own);
            assertEquals(row.get("total_ns"), row.get("max_ns"));
            assertEquals(row.get("total_ns"), row.get("min_ns"));
            assertEquals("1", row.get("hits"));
        }
        assertTrue(MadtRun.madt(directory, "points", "--format", "csv", "t.madt")
                .text()
                .contains("dlopen,sum 1 by str(arg0),./libc.so,1,1\n"));
    }

    /** Reads of each packet when it came, and between what times it was taken. */
    private static List<long[]> packets(String output) {
        return output.lines()
                .map(line -> Arrays.stream(line.split(" "))
                        .mapToLong(Long::parseLong)
                        .toArray())
                .toList();
    }

    @Test
    void shouldTellHowFarPacketsAreApart() throws Exception {
        String program = InstrumentGuardsIT.program(directory, "packets").toString();
        List<long[]> packets = packets(InstrumentsIT.run(
                        directory,
                        List.of(
                                "--at",
                                "take",
                                "log \"%d %d\" elapsed apart; hist apart; max apart",
                                "--at",
                                "take",
                                "log \"late\"",
                                "--if",
                                "apart > 30000000 && arg0 > 2"),
                        program)
                .expect(0)
                .text());
        assertEquals(PACKETS, packets.size());
        List<String> hits = MadtRun.madt(directory, "print", "--kind", "T", "t.madt")
                .expect(0)
                .text()
                .lines()
                .toList();
        List<Long> elapsed = new ArrayList<>();
        List<Long> apart = new ArrayList<>();
        for (String line : hits) {
            String[] words = line.replaceAll("T\\$\\d+:(.*),.*", "$1").split(" ");
            if (words.length == 2) {
                elapsed.add(Long.parseLong(words[0]));
                apart.add(words[1].equals("?") ? -1 : Long.parseLong(words[1]));
            }
        }
        assertEquals(PACKETS, elapsed.size());
        long from = Long.MIN_VALUE;
        long to = Long.MAX_VALUE;
        for (int i = 0; i < PACKETS; i++) {
            from = Math.max(from, packets.get(i)[1] - elapsed.get(i));
            to = Math.min(to, packets.get(i)[2] - elapsed.get(i));
        }
        assertTrue(from <= to + SLACK, from + " to " + to);
        assertEquals(-1, apart.get(0));
        for (int i = 0; i < PACKETS; i++) {
            assertTrue(elapsed.get(i) + to >= packets.get(i)[0] - SLACK, i + " of " + packets);
            assertTrue(i == 0 || apart.get(i) > 0, apart.toString());
            long between = i == 0 ? -1 : elapsed.get(i) - elapsed.get(i - 1);
            assertTrue(Math.abs(apart.get(i) - between) <= 2, apart + " and " + elapsed);
        }
        List<Long> gaps = apart.subList(1, PACKETS).stream().sorted().toList();
        Map<String, String> row = times().get(0);
        assertEquals("hist apart", row.get("action").replaceAll(".*; (hist apart).*", "$1"));
        assertEquals(PACKETS - 1, number(row, "hits"));
        assertEquals(gaps.get(0), number(row, "min_ns"));
        assertEquals(gaps.get(PACKETS - 2), number(row, "max_ns"));
        assertTrue(number(row, "median_ns") >= gaps.get(PACKETS / 2 - 1), row + " of " + gaps);
        assertTrue(
                number(row, "median_ns") <= gaps.get(PACKETS / 2 - 1) * 104 / 100,
                row + " of " + gaps);
        long late = 0;
        for (int i = 3; i < PACKETS; i++) {
            late += apart.get(i) > 30 * MILLISECOND ? 1 : 0;
        }
        long said = hits.stream().filter(line -> line.contains(":late,")).count();
        assertTrue(said >= late - 1 && said <= late + 1, said + " of " + apart);
    }

    /** The receiver takes a packet behind what tcpdump captures, and before it says so. */
    @Test
    void shouldAgreeWithTcpdump() throws Exception {
        String program = InstrumentGuardsIT.program(directory, "packets").toString();
        int port;
        try (DatagramSocket free = new DatagramSocket(0)) {
            port = free.getLocalPort();
        }
        Path script = Files.writeString(
                directory.resolve("capture.sh"),
                """
                tcpdump -i lo -n -tt -l --time-stamp-precision=nano -c 40 udp port $1 \\
                    >captured 2>errors &
                while ! grep -q listening errors; do
                    kill -0 $! 2>/dev/null || exit 9
                    sleep 0.05
                done
                "$2" run -qf -o t.madt --at take 'hist apart; log apart' -- "$3" $1 >own || exit
                i=0
                until [ "$(grep -c . captured)" -ge 40 ] || [ $i -gt 200 ]; do
                    i=$((i + 1))
                    sleep 0.05
                done
                kill $! 2>/dev/null
                wait
                """);
        MadtRun run = MadtRun.command(
                directory,
                List.of(
                        "sh",
                        script.toString(),
                        Integer.toString(port),
                        MadtRun.launcher().toString(),
                        program));
        Assumptions.assumeTrue(run.status() != 9, "nobody may capture packets here");
        List<long[]> packets = packets(Files.readString(directory.resolve("own")));
        List<Long> captured = new ArrayList<>();
        for (String line : Files.readAllLines(directory.resolve("captured"))) {
            Matcher packet = CAPTURED.matcher(line);
            if (packet.matches()) {
                captured.add(Long.parseLong(packet.group(1) + packet.group(2)));
            }
        }
        List<Long> apart = new ArrayList<>();
        for (String line : MadtRun.madt(directory, "print", "--kind", "T", "t.madt")
                .expect(0)
                .text()
                .lines()
                .skip(1)
                .toList()) {
            apart.add(Long.parseLong(line.replaceAll("T\\$\\d+:apart=(\\d+),.*", "$1")));
        }
        assertEquals(PACKETS, captured.size());
        assertEquals(PACKETS, packets.size());
        assertEquals(PACKETS - 1, apart.size());
        for (int i = 1; i < PACKETS; i++) {
            long gap = captured.get(i) - captured.get(i - 1);
            long late = packets.get(i)[2] - captured.get(i);
            long lateBefore = packets.get(i - 1)[2] - captured.get(i - 1);
            assertTrue(
                    apart.get(i - 1) <= gap + late + SLACK
                            && apart.get(i - 1) >= gap - lateBefore - SLACK,
                    i + ": " + apart.get(i - 1) + ", captured " + gap + " apart, late " + lateBefore
                            + " and " + late);
            assertTrue(apart.get(i - 1) > 0);
        }
    }
}

package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Integers that are too large for a type with a sign: the program says what they are. */
class UnsignedValuesIT {
    private static final int CALLS = 20;

    /** As the program has them, in its order. */
    private static final List<String> CONDITIONS = List.of(
            "big > 5",
            "negative < big",
            "big / 3 > 4611686018427387904",
            "big >> 60 == 15",
            "pair->high % 1000 >= 500",
            "big - 7 <= 0x8000000000000000",
            "pair->low > negative",
            "~big >= 12000000000000000000",
            "negative / 2 < 0 || negative < 0",
            "big >> pair->low % 64 < pair->high");

    @TempDir
    Path directory;

    private MadtRun record(List<String> instruments) throws Exception {
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-g",
                                "-O1",
                                "-o",
                                "unsigned",
                                "" + MadtRun.root().resolve("testprogs/instruments/unsigned.c")))
                .expect(0);
        return InstrumentsIT.run(directory, instruments, "./unsigned").expect(0);
    }

    private List<List<String>> points() throws Exception {
        return MadtRun.madt(directory, "points", "--format", "csv", "t.madt")
                .expect(0)
                .text()
                .lines()
                .map(CsvLine::cells)
                .filter(cells -> cells.size() > 2)
                .toList();
    }

    @Test
    void shouldTellThemWithoutASign() throws Exception {
        List<String> printed = record(List.of(
                        "--at",
                        "mix",
                        "log \"%d %s %g %d %u\" big, pair->high, pair->low, negative, last",
                        "--at",
                        "mix:return",
                        "log \"%d\" ret"))
                .text()
                .lines()
                .toList();
        List<String> hits = InstrumentsIT.hits(directory, line -> true);
        List<String> told = new ArrayList<>();
        for (int i = 0; i < hits.size(); i += 2) {
            told.add(hits.get(i) + " " + hits.get(i + 1));
        }
        assertEquals(printed.subList(0, CALLS), told);
    }

    /** Decides conditions in the program, and in the launcher where they ask for the thread. */
    @Test
    void shouldCompareAndTabulateThemWithoutASign() throws Exception {
        List<String> instruments = new ArrayList<>();
        for (String one : CONDITIONS) {
            String launcher = "tid > 0 && (" + one + ")";
            instruments.addAll(List.of("--at", "mix", "count", "--if", one));
            instruments.addAll(List.of("--at", "mix", "count", "--if", launcher));
        }
        instruments.addAll(List.of("--at", "mix", "sum big; max pair->high; hist big"));
        instruments.addAll(List.of("--at", "mix", "max negative by big"));
        instruments.addAll(List.of("--at", "mix:return", "min ret"));
        List<String> printed = record(instruments).text().lines().toList();
        List<List<String>> points = points();
        List<String> wanted = printed.subList(CALLS, CALLS + CONDITIONS.size());
        // of the program, by how many there are; of the launcher, in their order
        assertEquals(
                wanted.stream().sorted().toList(),
                points.stream()
                        .filter(row -> row.get(2).equals("count"))
                        .map(row -> row.get(0))
                        .sorted()
                        .toList());
        assertEquals(
                wanted,
                points.stream()
                        .filter(row -> row.get(1).equals("count"))
                        .map(row -> row.get(3))
                        .toList());
        assertEquals(printed.get(30), value(points, "sum big"));
        assertEquals(printed.get(31), value(points, "min ret"));
        assertEquals(printed.get(32), value(points, "max pair->high"));
        List<String> keys = points.stream()
                .filter(row -> row.get(1).equals("max negative by big"))
                .map(row -> row.get(2))
                .sorted()
                .toList();
        List<String> given = printed.subList(0, CALLS).stream()
                .map(line -> line.split(" ")[0])
                .sorted()
                .toList();
        assertEquals(given, keys);
        assertTrue(
                points.stream()
                        .anyMatch(row -> row.size() > 2
                                && row.get(2)
                                        .equals("9223372036854775808 to 18446744073709551615")),
                () -> "" + points);
    }

    private static String value(List<List<String>> points, String action) {
        return points.stream()
                .filter(row -> row.get(1).equals(action))
                .map(row -> row.get(row.size() - 1))
                .findFirst()
                .orElse("none");
    }
}

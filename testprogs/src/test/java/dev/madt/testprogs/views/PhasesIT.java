package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares {@code madt reuse --phases} with a script that knows nothing of it, and with a program
 * whose phases are known.
 */
class PhasesIT {
    private static final Path ORACLE = Path.of("oracle/phases.py").toAbsolutePath();
    private static final String SOURCE =
            """
            #define N 1024
            static unsigned numbers[N], table[256];
            static void init(void)
            {
                for (unsigned round = 0; round < 4; round++)
                    for (unsigned i = 0; i < N; i++)
                        numbers[i] = i * 2654435761u % 1000003;
            }
            static unsigned sweep(void)
            {
                unsigned sum = 0;
                for (int round = 0; round < 8; round++)
                    for (int i = 0; i < N; i++)
                        sum += numbers[i];
                return sum;
            }
            static void hash(void)
            {
                for (int round = 0; round < 4; round++)
                    for (int i = 0; i < N; i++)
                        table[numbers[i] % 256]++;
            }
            static void sort(void)
            {
                for (int gap = N / 2; gap; gap /= 2)
                    for (int i = gap; i < N; i++)
                        for (int j = i - gap; j >= 0 && numbers[j] > numbers[j + gap]; j -= gap) {
                            unsigned high = numbers[j];
                            numbers[j] = numbers[j + gap];
                            numbers[j + gap] = high;
                        }
            }
            int main(void)
            {
                unsigned sum = 0;
                for (int i = 0; i < 2; i++) {
                    init();
                    sum += sweep();
                    hash();
                    sort();
                }
                return sum == 1;
            }
            """;

    @TempDir
    Path directory;

    private String madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text();
    }

    private List<Map<String, String>> phases(String trace, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("reuse", "--format", "csv", "--phases"));
        words.addAll(List.of(options));
        words.add(trace);
        return CsvLine.rows(madt(words.toArray(String[]::new)));
    }

    /** A phase that comes again has the same letter; the order is that of the source. */
    @Test
    void shouldFindThePhasesOfTheSource() throws Exception {
        Path source = Files.writeString(directory.resolve("phases.c"), SOURCE);
        Path program = directory.resolve("program");
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-O1",
                                "-fno-inline",
                                "-o",
                                program.toString(),
                                source.toString()))
                .expect(0);
        String trace = directory.resolve("t.madt").toString();
        madt("run", "-q", "-o", trace, "--", program.toString());
        List<String> rows = new ArrayList<>();
        long next = 0;
        for (Map<String, String> row : phases(trace, "500")) {
            assertEquals(next, Long.parseLong(row.get("from")));
            next = Long.parseLong(row.get("to")) + 1;
            rows.add(row.get("phase") + " " + row.get("functions").split(" ")[0] + " "
                    + row.get("data").split(" ")[0]);
        }
        List<String> once =
                List.of("A init numbers", "B sweep numbers", "C hash table", "D sort numbers");
        List<String> expected = new ArrayList<>(once);
        expected.addAll(once);
        assertEquals(expected, rows.subList(0, 8));
        assertTrue(rows.size() <= 9, rows.toString()); // the end of the program
        assertTrue(madt("reuse", "--phases", "500", "--format", "html", trace).contains("sweep"));
    }

    @ParameterizedTest
    @CsvSource({"heap.O0, 50, 25", "sorting.O0, 16, 25", "cpp.O2, 16, 10"})
    @SoakCases({
        "kernel.O2, 100, 25",
        "strings.O2, 20, 40",
        "stringops.O2, 16, 25",
        "dispatch.O2, 30, 25",
        "disparity.O2, 16, 25",
        "libcheavy.O2, 50, 15",
        "vector.O2, 16, 25",
        "matrix.O2, 16, 5"
    })
    void shouldFindThePhasesOfAnotherProgram(String program, int length, int change)
            throws Exception {
        String trace = Recording.of(MadtRun.program(program)).toString();
        Path accesses = directory.resolve("accesses.csv");
        madt(
                "sql",
                "--format",
                "csv",
                "-o",
                accesses.toString(),
                trace,
                "select number, function, module, data, region, address, size from accesses"
                        + " order by number");
        String line = "python3 " + ORACLE + " " + length + " " + change / 100.0 + " <" + accesses;
        List<String> expected = MadtRun.command(directory, List.of("sh", "-c", line))
                .expect(0)
                .text()
                .lines()
                .toList();
        Set<String> letters = new HashSet<>();
        List<String> actual = new ArrayList<>();
        for (Map<String, String> row : phases(trace, "" + length, "--change", "" + change)) {
            letters.add(row.get("phase"));
            actual.add(number(row.get("phase")) + "," + row.get("from") + "," + row.get("to") + ","
                    + row.get("accesses") + "," + row.get("lines"));
        }
        assertEquals(expected, actual);
        assertTrue(letters.size() > 1, letters.toString());
    }

    /** The number of a phase by its letters, from 0: Z is followed by AA. */
    private static int number(String letters) {
        return letters.chars().reduce(0, (number, letter) -> 26 * number + letter - 'A' + 1) - 1;
    }
}

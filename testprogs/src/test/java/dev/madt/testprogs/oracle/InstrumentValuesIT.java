package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares values that are in no word of their own, bit-fields and what the compiler has computed,
 * with what gdb prints at the same hits. Where gdb says that one is optimized out, so do
 * instruments.
 */
class InstrumentValuesIT {
    private static final String COUNTS = "pair.x pair.y text.length text.begin[0] small.a small.b"
            + " mixed.count big.first big.third";

    private static final Map<String, List<String>> BITS = new TreeMap<>(Map.of(
            "change",
            List.of(
                    "flags->low",
                    "flags->middle",
                    "flags->half",
                    "flags->wide",
                    "flags->far",
                    "flags->set",
                    "flags->inner",
                    "flags->other",
                    "flags->bits",
                    "packed->odd",
                    "packed->even",
                    "packed->last"),
            "compute",
            List.of("number", "seven", "below", "large", "sum", "more", "*place")));

    private static final Map<String, List<String>> PARTS = new TreeMap<>(Map.of(
            "take",
            List.of((COUNTS + " small.c[1] text.begin sum").split(" ")),
            "nest",
            List.of(
                    "nested.pair.x",
                    "nested.pair.y",
                    "nested.small.a",
                    "nested.small.b",
                    "nested.small.c[2]",
                    "moved.x",
                    "moved.y",
                    "last.length",
                    "last.begin[1]",
                    "more")));

    @TempDir
    Path directory;

    private void build(String compiler, String program) throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin", compiler.split(" ")[0])),
                compiler + ": not installed");
        List<String> command = new ArrayList<>(List.of(compiler.split(" ")));
        command.addAll(List.of("-g", "-no-pie", "-o", program));
        String source = "testprogs/instruments/" + program + ".c";
        command.add(MadtRun.root().resolve(source).toString());
        MadtRun.command(directory, command).expect(0);
    }

    /** Returns what instruments tell, behind the addresses of their places, hit by hit. */
    private List<String> told(String program, Map<String, List<String>> expressions, boolean first)
            throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "-qf", "-o", "t.madt"));
        expressions.forEach((function, list) -> words.addAll(List.of(
                "--at",
                function + ":block(*)",
                "count; log \"= " + "%d ".repeat(list.size()) + "\" " + String.join(", ", list))));
        words.addAll(List.of("--", "./" + program, "4"));
        MadtRun.told(directory, words.toArray(String[]::new)).expect(0);
        return InstrumentsIT.hits(directory, line -> first || !line.endsWith("+0")).stream()
                .map(hit -> hit.replaceAll("= (.*) ", "$1"))
                .toList();
    }

    private List<String> printed(
            String program, Map<String, List<String>> expressions, boolean first) throws Exception {
        StringBuilder script = new StringBuilder(InstrumentsIT.EVALUATE);
        for (String line : MadtRun.madt(directory, "points", "--format", "csv", "t.madt")
                .expect(0)
                .text()
                .lines()
                .toList()) {
            List<String> cells = CsvLine.cells(line);
            List<String> list = expressions.get(cells.get(1).replaceAll(":.*", ""));
            if (list != null && (first || !cells.get(1).endsWith("(0)"))) {
                script.append(
                        "Place('%s', ['%s'])\n".formatted(cells.get(4), String.join("', '", list)));
            }
        }
        Files.writeString(directory.resolve("script.py"), script + "gdb.execute('run 4')\n");
        return MadtRun.command(
                        directory,
                        List.of("gdb", "-q", "-batch", "-nx", "-x", "script.py", program))
                .text()
                .lines()
                .filter(line -> line.matches("0x[0-9a-f]+( (\\?|-?\\d+))+"))
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gcc -O0", "gcc -O2", "clang -O1"})
    @SoakCases({
        "gcc -O1",
        "gcc -O3",
        "gcc -Os",
        "gcc -gdwarf-4 -O2",
        "clang -O0",
        "clang -O2",
        "clang -gdwarf-4 -O2"
    })
    void shouldTellWhatGdbPrints(String compiler) throws Exception {
        // without optimisation, variables have no values yet in the first block
        compare(compiler, "bits", BITS, !compiler.endsWith("-O0"));
    }

    /**
     * Structs in registers. In the first block gdb may read memory that nobody has written yet.
     */
    @ParameterizedTest
    @ValueSource(strings = {"gcc -O2", "clang -O2"})
    @SoakCases({
        "gcc -O0",
        "gcc -O1",
        "gcc -O3",
        "gcc -Os",
        "gcc -gdwarf-4 -O2",
        "clang -O0",
        "clang -O1",
        "clang -O3"
    })
    void shouldTellPartsAsGdbPrintsThem(String compiler) throws Exception {
        boolean first = compiler.startsWith("clang -O") && !compiler.endsWith("-O0");
        compare(compiler, "parts", PARTS, first);
    }

    /** Takes what a function is given before it has put it into variables of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"gcc -O0", "gcc -O2", "clang -O0", "clang -O2"})
    void shouldTellWhatIsPassed(String compiler) throws Exception {
        build(compiler, "parts");
        List<String> names = List.of(COUNTS.split(" "));
        String format = "log \"= " + "%d ".repeat(names.size()) + "\" " + String.join(", ", names);
        MadtRun run = MadtRun.told(
                        directory, "run", "-qf", "-o", "t.madt", "--at", "take", format, "--",
                        "./parts", "5")
                .expect(0);
        List<String> given =
                run.text().lines().filter(line -> line.contains(" ")).toList();
        List<String> told = MadtRun.madt(directory, "print", "--kind", "T", "t.madt")
                .expect(0)
                .text()
                .lines()
                .map(line -> line.replaceAll(".*:= (.*) ,.*", "$1"))
                .toList();
        assertEquals(5, told.size());
        int unknown = 0;
        for (int i = 0; i < told.size(); i++) {
            String[] own = told.get(i).split(" ");
            String[] wanted = given.get(i).split(" ");
            for (int k = 0; k < own.length; k++) {
                unknown += own[k].equals("?") ? 1 : 0;
                assertTrue(own[k].equals("?") || own[k].equals(wanted[k]), told + "\n" + given);
            }
        }
        assertEquals(0, unknown, told.toString());
    }

    private void compare(
            String compiler, String program, Map<String, List<String>> expressions, boolean first)
            throws Exception {
        build(compiler, program);
        List<String> told = told(program, expressions, first);
        List<String> printed = printed(program, expressions, first);
        assertEquals(printed.size(), told.size());
        int same = 0;
        int missed = 0;
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < told.size(); i++) {
            String[] own = told.get(i).split(" ");
            String[] wanted = printed.get(i).split(" ");
            for (int k = 0; k < own.length; k++) {
                same += own[k].equals(wanted[k]) && !own[k].equals("?") ? 1 : 0;
                missed += own[k].equals("?") && !wanted[k].equals("?") ? 1 : 0;
                if (!own[k].equals("?") && !own[k].equals(wanted[k])) {
                    wrong.add(i + "." + k + ": " + told.get(i) + ", not " + printed.get(i));
                }
            }
        }
        System.out.println(compiler + ": " + same + " values as gdb has them, " + missed
                + " that gdb alone has");
        assertEquals(List.of(), wrong);
        assertTrue(same >= 60, "values: " + same);
        assertTrue(missed == 0 || !compiler.endsWith("-O0"), missed + " missed");
    }
}

package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares values that the debug information computes, what only callers know, and floating-point
 * numbers with what gdb prints at the same hits.
 */
class ComputedValuesIT {
    /** Of each function, what is told there, in one instrument for each list. */
    private static final Map<String, List<String>> COMPUTED = Map.of(
            "narrow",
            List.of(
                    "low half masked shifted difference product less number",
                    "copy.a copy.b copy.c copy.d sum wide from->d"),
            "real",
            List.of(
                    "first second third product high half mixed tenth large whole point.x",
                    "shape->weight shape->corners[1].x shape->corners[0].y shape->first->x scale"
                            + " shares[2]"),
            "given",
            List.of("first second third fifth sum text[0] text[1]"),
            "again",
            List.of("depth first here"),
            "far",
            List.of("at->d at->b real[0]"));

    /** Gdb knows no calls of clang that come last, and so takes old values for new ones. */
    private static final Map<String, List<String>> LAST =
            Map.of("even", List.of("left first"), "odd", List.of("left first"));

    private static final Map<String, List<String>> CLASSES = Map.of(
            "length", List.of("of->x of->y of->z sum turns i"),
            "number_of", List.of("text._M_len sought kind old found letter"),
            "mean", List.of("sum taken number"),
            "applied", List.of("factor added result i"));

    private static final Map<String, List<String>> MEMBERS = Map.of(
            "led",
            List.of(
                    "item.id item.inner.id item.serial item.link.id item.link.parts[1] item->id",
                    "number all->serial share row[2] last.sum item.sum last.inner.parts[2]",
                    "item.state item.flag item.rest item.colour sum all->flag"),
            "depot::Item::weigh",
            List.of(
                    "more id part this->id",
                    "inner.id inner.parts[2] serial state flag rest colour",
                    "link.id link.parts[0] sum total built depot::Item::total",
                    "busy gone idle most step depot::Base::busy depot::Colour::green"));

    private static final Map<String, List<String>> LONGS = Map.of(
            "scaled",
            List.of("by own all *where", "measure->length measure->limits[0] measure->limits[1]"));

    private static final Map<String, List<String>> RUST = Map.of(
            "weigh", List.of("parcel->weight parcel.share parcel.count turns more sum left"),
            "fold", List.of("start half total"));

    private static final String EVALUATE =
            """
            import gdb

            def text(expression):
                try:
                    value = gdb.parse_and_eval(expression)
                    if value.is_optimized_out:
                        return '?'
                    type = value.type.strip_typedefs()
                    if type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
                        value = value.referenced_value()
                        type = value.type.strip_typedefs()
                    if type.code == gdb.TYPE_CODE_FLT:
                        return ('f' if type.sizeof == 4 else 'd') + repr(float(value))
                    return str(int(value))
                except (gdb.error, gdb.MemoryError):
                    return '?'

            class Place(gdb.Breakpoint):
                def __init__(self, address, lists):
                    super().__init__('*' + address)
                    self.address = address
                    self.lists = lists

                def stop(self):
                    frame = gdb.newest_frame()
                    while frame.type() == gdb.INLINE_FRAME:
                        frame = frame.older()
                    frame.select()
                    for list in self.lists:
                        print('@', self.address, *[text(one) for one in list.split()])
                    return False

            gdb.execute('set pagination off')
            """;

    @TempDir
    Path directory;

    private void build(String compiler, String source) throws Exception {
        String[] words = compiler.split(" ");
        boolean rust = words[0].equals("rustc");
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, words[0]))),
                words[0] + ": not installed");
        List<String> command = new ArrayList<>(List.of(words));
        command.addAll(
                rust ? List.of("-C", "relocation-model=static", "-g") : List.of("-g", "-no-pie"));
        command.addAll(List.of(
                "-o",
                "program",
                MadtRun.root().resolve("testprogs/instruments/" + source).toString()));
        MadtRun.command(directory, command).expect(0);
    }

    private List<String> told(Map<String, List<String>> all, boolean first) throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "-qf", "-o", "t.madt"));
        new TreeMap<>(all)
                .forEach((function, lists) -> lists.forEach(list -> {
                    String[] values = list.split(" ");
                    words.addAll(List.of(
                            "--at",
                            function + ":block(*)",
                            "count; log \"= " + "%g ".repeat(values.length) + "\" "
                                    + String.join(", ", values)));
                }));
        words.addAll(List.of("--", "./program", "4"));
        MadtRun.told(directory, words.toArray(String[]::new)).expect(0);
        return InstrumentsIT.hits(directory, line -> first || !line.endsWith("+0")).stream()
                .map(hit -> hit.replaceAll("= (.*) ", "$1"))
                .toList();
    }

    private List<String> printed(Map<String, List<String>> all, boolean first, String language)
            throws Exception {
        Map<String, List<String>> places = new TreeMap<>();
        for (String line : MadtRun.madt(directory, "points", "--format", "csv", "t.madt")
                .expect(0)
                .text()
                .lines()
                .toList()) {
            List<String> cells = CsvLine.cells(line);
            List<String> lists = all.get(cells.get(1).replaceAll(":block.*", ""));
            if (lists != null && (first || !cells.get(1).endsWith("(0)"))) {
                places.put(cells.get(4), lists);
            }
        }
        StringBuilder script = new StringBuilder(EVALUATE)
                .append("gdb.execute('set language %s')\n".formatted(language));
        places.forEach((address, lists) -> script.append(
                "Place('%s', ['%s'])\n".formatted(address, String.join("', '", lists))));
        Files.writeString(directory.resolve("script.py"), script + "gdb.execute('run 4')\n");
        return MadtRun.command(
                        directory,
                        List.of("gdb", "-q", "-batch", "-nx", "-x", "script.py", "program"))
                .text()
                .lines()
                .filter(line -> line.startsWith("@ 0x"))
                .map(line -> line.substring(line.indexOf(' ', 2) + 1))
                .toList();
    }

    /** Returns whether they are the same number, of the type that gdb says. */
    private static boolean isSame(String own, String printed) {
        if (own.equals("?") || printed.equals("?")) {
            return own.equals(printed);
        }
        return switch (printed.charAt(0)) {
            case 'd' ->
                number(own) == number(printed.substring(1))
                        || own.equals("nan") && printed.equals("dnan");
            case 'f' -> (float) number(own) == (float) number(printed.substring(1));
            default -> own.equals(printed);
        };
    }

    private static double number(String text) {
        return switch (text) {
            case "nan" -> Double.NaN;
            case "inf" -> Double.POSITIVE_INFINITY;
            case "-inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private void compare(String compiler, String source, Map<String, List<String>> all, int least)
            throws Exception {
        // without optimisation, variables have no values yet in the first block
        boolean first = !compiler.endsWith("-O0") && !compiler.equals("rustc");
        build(compiler, source);
        List<String> told = told(all, first);
        List<String> printed = printed(all, first, source.endsWith(".cc") ? "c++" : "c");
        assertEquals(printed.size(), told.size());
        int same = 0;
        int nowhere = 0;
        List<String> missed = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < told.size(); i++) {
            String[] own = told.get(i).split(" ");
            String[] wanted = printed.get(i).split(" ");
            for (int k = 0; k < own.length; k++) {
                boolean equal = isSame(own[k], wanted[k]);
                nowhere += equal && own[k].equals("?") ? 1 : 0;
                same += equal && !own[k].equals("?") ? 1 : 0;
                if (!equal) {
                    (own[k].equals("?") ? missed : wrong)
                            .add(i + "." + k + ": " + told.get(i) + ", not " + printed.get(i));
                }
            }
        }
        System.out.println(compiler + " " + source + ": " + same + " values as gdb has them, "
                + nowhere + " that neither has, " + missed.size() + " that gdb alone has");
        assertEquals(List.of(), wrong);
        assertEquals(List.of(), missed);
        assertTrue(same >= least, "values: " + same);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gcc -O2", "clang -O1"})
    @SoakCases({
        "gcc -O0",
        "gcc -O1",
        "gcc -O3",
        "gcc -Os",
        "gcc -gdwarf-4 -O2",
        "clang -O0",
        "clang -O2",
        "clang -O3"
    })
    void shouldComputeWhatGdbPrints(String compiler) throws Exception {
        Map<String, List<String>> all = new TreeMap<>(COMPUTED);
        all.putAll(compiler.startsWith("clang") ? Map.of() : LAST);
        compare(compiler, "computed.c", all, 250);
    }

    @ParameterizedTest
    @ValueSource(strings = "g++ -O2")
    @SoakCases({"g++ -O0", "g++ -O1", "clang++ -std=c++17 -O0", "clang++ -std=c++17 -O2"})
    void shouldTellValuesOfClasses(String compiler) throws Exception {
        compare(compiler, "values.cc", CLASSES, 60);
    }

    @ParameterizedTest
    @ValueSource(strings = {"g++ -O0", "g++ -O2"})
    @SoakCases({"g++ -O1", "g++ -gdwarf-4 -O2", "clang++ -std=c++17 -O0", "clang++ -std=c++17 -O2"})
    void shouldTellWhatReferencesLeadToAndMembers(String compiler) throws Exception {
        compare(compiler, "members.cc", MEMBERS, 250);
    }

    @ParameterizedTest
    @ValueSource(strings = "gcc -O0")
    @SoakCases("clang -O0")
    void shouldTellLongFloatingPointNumbers(String compiler) throws Exception {
        compare(compiler, "longs.c", LONGS, 100);
    }

    @ParameterizedTest
    @ValueSource(strings = "rustc")
    @SoakCases("rustc -O")
    void shouldTellValuesOfRust(String compiler) throws Exception {
        compare(compiler, "values.rs", RUST, 20);
    }

    /** Decides in the launcher what floating-point numbers a condition has. */
    @Test
    void shouldCompareFloatingPointNumbers() throws Exception {
        build("gcc -O2", "computed.c");
        MadtRun.told(
                        directory,
                        "run",
                        "-qf",
                        "-o",
                        "t.madt",
                        "--at",
                        "real",
                        "log \"%g %d\" first / 2, third",
                        "--if",
                        "first > 1.0 && second * 7 < 2.5",
                        "--",
                        "./program",
                        "4")
                .expect(0);
        assertEquals(List.of("0.7 2"), InstrumentsIT.hits(directory, line -> true));
    }

    /** A table is of integers. */
    @Test
    void shouldRefuseTablesOfFloatingPointNumbers() throws Exception {
        build("gcc -O2", "computed.c");
        String said = MadtRun.told(
                        directory,
                        "run",
                        "-qf",
                        "-o",
                        "t.madt",
                        "--at",
                        "real",
                        "sum first",
                        "--",
                        "./program",
                        "4")
                .expect(125)
                .errors();
        assertTrue(said.contains("floating-point number, and tables are of integers"), said);
        assertTrue(said.contains("sum first\n    ^"), said);
    }
}

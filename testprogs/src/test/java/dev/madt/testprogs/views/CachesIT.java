package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testing.Tier;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recorder;
import dev.madt.testprogs.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares {@code madt reuse} and {@code madt cache} with two scripts that know nothing of them,
 * and the second script and {@code madt cache} with Cachegrind.
 */
class CachesIT {
    private static final Path ORACLES = Path.of("oracle").toAbsolutePath();
    private static final String SECOND_LEVEL = "65536,8,64";
    private static final int WINDOW = 997;
    private static final int PAIRS = 5;

    @TempDir
    Path directory;

    private String madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text();
    }

    /** With the names that the linker knows, as scripts have them from converted traces. */
    private List<List<String>> csv(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(arguments));
        words.add("--no-demangle");
        return madt(words.toArray(String[]::new))
                .lines()
                .skip(1)
                .map(CsvLine::cells)
                .toList();
    }

    /** Gives a trace in a format to a script, and returns its lines. */
    private List<List<String>> script(
            String name, Path input, String separator, List<String> arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("python3", ORACLES.resolve(name).toString()));
        command.addAll(arguments);
        String line = String.join(" ", command) + " < " + input;
        return MadtRun.command(directory, List.of("sh", "-c", line))
                .expect(0)
                .text()
                .lines()
                .map(text -> List.of(text.split(separator)))
                .toList();
    }

    private Path converted(String trace, String... options) throws Exception {
        Path file = Files.createTempFile(directory, "converted", ".txt");
        List<String> all = new ArrayList<>(List.of("convert", "-f", "-o", file.toString()));
        all.addAll(List.of(options));
        all.add(trace);
        madt(all.toArray(String[]::new));
        return file;
    }

    @ParameterizedTest
    @ValueSource(strings = {"matrix.O2", "heap.O0", "cpp.O2", "straddle.O0"})
    @SoakCases({
        "kernel.O2",
        "sorting.O0",
        "strings.O2",
        "stringops.O2",
        "dispatch.O2",
        "disparity.O2",
        "libcheavy.O2",
        "vector.O2",
        "x87.O0",
        "modify.O2"
    })
    void shouldHaveTheDistancesOfAnotherProgram(String program) throws Exception {
        checkDistances(Recording.of(MadtRun.program(program)).toString());
    }

    private void checkDistances(String trace) throws Exception {
        List<List<String>> expected = script(
                "reuse.py",
                converted(trace, "--to", "csv"),
                ",",
                List.of(Integer.toString(WINDOW), "16", "64", "1024"));
        List<List<String>> distances = of("distance", expected);
        assertTrue(distances.size() > 20, distances.size() + " distances");
        checkBins(distances, csv("reuse", "--histogram", "--format", "csv", trace));
        List<String> functions = csv(
                        "reuse",
                        "--by",
                        "function",
                        "--sizes",
                        "1K,4K,64K",
                        "--format",
                        "csv",
                        trace)
                .stream()
                .map(row -> row.get(0) + " " + row.get(1) + ","
                        + String.join(",", row.subList(2, 4)) + ","
                        + String.join(",", row.subList(6, 9)))
                .sorted()
                .toList();
        assertEquals(
                of("function", expected).stream()
                        .map(row -> String.join(",", row))
                        .sorted()
                        .toList(),
                functions);
        assertEquals(
                of("window", expected),
                csv("reuse", "--working-set", "" + WINDOW, "--format", "csv", trace).stream()
                        .map(row -> List.of(row.get(1), row.get(2), row.get(4)))
                        .toList());
    }

    /**
     * A sample has the distances that a script finds among the same lines, whatever accesses are
     * selected, and its curve is as near to that of all lines as theory says.
     */
    @ParameterizedTest
    @ValueSource(strings = {"sort Makefile", "sed s/a/b/ Makefile"})
    @SoakCases({
        "gzip -c Makefile",
        "xz -0 -c Makefile",
        "perl -e for(1..300){$h{$_%97}.=$_}",
        "bash -c declare${IFS}-p"
    })
    void shouldEstimateDistancesFromASample(String command) throws Exception {
        Files.copy(Path.of("Makefile"), directory.resolve("Makefile"));
        Recorder recorder = new Recorder(directory);
        recorder.run(command.split(" ")).expect(0);
        String trace = recorder.trace().toString();
        for (List<String> selection : List.of(List.<String>of(), List.of("--kind", "store"))) {
            checkSample(trace, selection.toArray(String[]::new));
        }
    }

    private void checkSample(String trace, String... selection) throws Exception {
        TreeMap<Long, Double> exact = curve(trace, selection);
        TreeMap<Long, Double> sampled = curve(trace, of(selection, "--sample", "4"));
        assertTrue(sampled.size() > 20, sampled.toString());
        List<String> arguments = new ArrayList<>(List.of("4"));
        double off = 0;
        for (Map.Entry<Long, Double> point : sampled.entrySet()) {
            arguments.add(point.getKey().toString());
            double share = exact.getOrDefault(point.getKey(), exact.lastEntry().getValue());
            off += Math.abs(point.getValue() - share) / sampled.size();
        }
        List<List<String>> expected =
                script("sample.py", converted(trace, of(selection, "--to", "csv")), ",", arguments);
        checkBins(
                of("distance", expected),
                csv(of(
                        selection,
                        "reuse",
                        "--sample",
                        "4",
                        "--histogram",
                        "--format",
                        "csv",
                        trace)));
        double bound = Double.parseDouble(of("bound", expected).get(0).get(0));
        System.out.printf("%s off by %.4f, %.4f allowed%n", trace, off, bound);
        assertTrue(off <= bound, off + " of " + bound);
    }

    private static String[] of(String[] more, String... words) {
        return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
    }

    /** The shares of misses by the size in lines. */
    private TreeMap<Long, Double> curve(String trace, String... options) throws Exception {
        TreeMap<Long, Double> shares = new TreeMap<>();
        for (List<String> row : csv(of(options, "reuse", "--curve", "--format", "csv", trace))) {
            shares.put(Long.valueOf(row.get(1)), Double.valueOf(row.get(3)));
        }
        return shares;
    }

    /** The rows of one kind, without the kind. */
    private static List<List<String>> of(String kind, List<List<String>> rows) {
        return rows.stream()
                .filter(row -> row.get(0).equals(kind))
                .map(row -> row.subList(1, row.size()))
                .toList();
    }

    private static void checkBins(List<List<String>> distances, List<List<String>> bins) {
        TreeMap<Long, Long> expected = new TreeMap<>();
        for (List<String> row : distances) {
            expected.put(Long.valueOf(row.get(0)), Long.valueOf(row.get(1)));
        }
        long covered = 0;
        for (List<String> bin : bins) {
            boolean first = bin.get(0).isEmpty();
            Map<Long, Long> inBin = expected.subMap(
                    first ? -1 : Long.parseLong(bin.get(0)),
                    true,
                    first ? -1 : Long.parseLong(bin.get(1)),
                    true);
            assertEquals(
                    inBin.values().stream().mapToLong(Long::longValue).sum(),
                    Long.parseLong(bin.get(2)),
                    bin.toString());
            covered += inBin.size();
        }
        assertEquals(expected.size(), covered);
    }

    @ParameterizedTest
    @ValueSource(strings = {"straddle.O0", "modify.O2"})
    @SoakCases({
        "heap.O0",
        "matrix.O2",
        "kernel.O2",
        "sorting.O0",
        "strings.O2",
        "cpp.O2",
        "dispatch.O2",
        "disparity.O2",
        "libcheavy.O2",
        "vector.O2",
        "x87.O0",
        "stringops.O2"
    })
    void shouldMissWhereAnotherSimulationMisses(String program) throws Exception {
        checkMisses(
                Recording.of(MadtRun.program(program)).toString(),
                Tier.only(
                        Stream.of("1024,2,32", "512,1,64", "3072,3,16", "32768,8,64", "640,10,64"),
                        "1024,2,32",
                        "512,1,64"));
    }

    /** Misses of each function, as a tool counts, of a first level and the second one. */
    private List<List<String>> misses(String like, String first, String trace) throws Exception {
        return csv(
                "cache",
                "--like",
                like,
                "--l1",
                first,
                "--l2",
                SECOND_LEVEL,
                "--by",
                "function",
                "--format",
                "csv",
                trace);
    }

    private void checkMisses(String trace, List<String> geometries) throws Exception {
        Path log = converted(trace, "--to", "lackey", "--no-instructions");
        for (String first : geometries) {
            checkMisses(
                    "cachegrind",
                    first,
                    trace,
                    script("caches.py", log, " ", List.of(first, SECOND_LEVEL)));
            checkMisses(
                    "drcachesim",
                    first,
                    trace,
                    script("caches.py", log, " ", List.of("drcachesim", first, SECOND_LEVEL)));
        }
    }

    private void checkMisses(String like, String first, String trace, List<List<String>> expected)
            throws Exception {
        List<List<String>> rows = misses(like, first, trace);
        long[][] actual = {sum(rows, 3), sum(rows, 6), sum(rows, 10)};
        for (int level = 0; level < actual.length; level++) {
            assertEquals(
                    expected.get(level),
                    Stream.of(actual[level][0], actual[level][1])
                            .map(count -> Long.toString(count))
                            .toList(),
                    like + " " + first + ", level " + level);
        }
        assertTrue(actual[1][0] > 0 && actual[1][1] > 0, first + ": no misses");
    }

    /** Loads and stores, in two columns beside each other. */
    private static long[] sum(List<List<String>> rows, int column) {
        long[] sums = new long[2];
        for (List<String> row : rows) {
            sums[0] += Long.parseLong(row.get(column));
            sums[1] += Long.parseLong(row.get(column + 1));
        }
        return sums;
    }

    /**
     * Checks that the script simulates as Cachegrind does: a log of Lackey's has the accesses that
     * Cachegrind sees, those of all code from the loader on. The two are two runs of the program,
     * in which one access or another may lie elsewhere; of several pairs of runs, one is to agree
     * in all counts.
     */
    @Test
    void shouldHaveAScriptThatMissesWhereCachegrindMisses() throws Exception {
        Path program = MadtRun.program("heap.O0");
        List<List<String>> theirs = List.of();
        List<List<String>> ours = null;
        for (int pair = 0; pair < PAIRS && !theirs.equals(ours); pair++) {
            Path log = directory.resolve("lackey.log");
            valgrind(program, "--tool=lackey", "--trace-mem=yes", "--log-file=" + log);
            theirs = new ArrayList<>();
            ours = new ArrayList<>();
            for (String first : List.of("1024,2,32", "8192,2,64")) {
                ours.addAll(script("caches.py", log, " ", List.of(first)));
                String[] counts = Files.readAllLines(cachegrind(program, first)).stream()
                        .filter(line -> line.startsWith("summary: "))
                        .findFirst()
                        .orElseThrow()
                        .split(" ");
                theirs.add(List.of(counts[4], counts[7]));
                theirs.add(List.of(counts[5], counts[8]));
            }
        }
        assertEquals(theirs, ours);
    }

    /**
     * Checks a function that begins with more memory than the cache holds, so that what the
     * loaders of the two tools have left there does not matter: all of its accesses, that to its
     * return address among them.
     */
    @Test
    void shouldMissWhereCachegrindMisses() throws Exception {
        Path program = MadtRun.program("kernel.O2");
        Path trace = directory.resolve("kernel.madt");
        MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "--stack",
                        "-o",
                        trace.toString(),
                        "--",
                        program.toString())
                .expect(0);
        for (String first : List.of("1024,2,32", "1024,1,64", "2048,4,64", "4096,4,32")) {
            long[] expected = new long[9];
            boolean inside = false;
            for (String line : Files.readAllLines(cachegrind(program, first))) {
                inside = line.startsWith("fn=") ? line.equals("fn=kernel") : inside;
                for (int i = 0; inside && line.matches("\\d.*") && i < expected.length; i++) {
                    expected[i] += Long.parseLong(line.split(" ")[i + 1]);
                }
            }
            assertTrue(expected[4] > 1_000 && expected[7] > 1_000, first);
            List<String> row = misses("cachegrind", first, trace.toString()).stream()
                    .filter(each -> each.get(0).equals("kernel"))
                    .findFirst()
                    .orElseThrow();
            assertEquals(
                    Stream.of(3, 6, 4, 7).map(i -> Long.toString(expected[i])).toList(),
                    Stream.of(3, 4, 6, 7).map(row::get).toList(),
                    first);
        }
    }

    private Path cachegrind(Path program, String first) throws Exception {
        Path file = directory.resolve("cachegrind.out");
        valgrind(
                program,
                "--tool=cachegrind",
                "--cache-sim=yes",
                "--D1=" + first,
                "--LL=" + SECOND_LEVEL,
                "--cachegrind-out-file=" + file);
        return file;
    }

    private void valgrind(Path program, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("valgrind"));
        command.addAll(List.of(options));
        command.add(program.toString());
        MadtRun.command(directory, command).expect(0);
    }

    /** A picture has a mark for each row of its table, and needs nothing else. */
    @Test
    void shouldDrawWhatTablesTell() throws Exception {
        String trace = Recording.of(MadtRun.program("matrix.O2")).toString();
        assertEquals(
                csv("reuse", "--curve", "--format", "csv", trace).size(),
                marks(madt("reuse", "--curve", "--format", "svg", trace)));
        assertEquals(
                csv("reuse", "--working-set", "100", "--format", "csv", trace).size(),
                marks(madt("reuse", "--working-set", "100", "--format", "svg", trace)));
        String page = madt("cache", "--l1", "512,1,64", "--format", "html", trace);
        assertTrue(page.contains("multiply") || page.contains("grid"), page);
        assertTrue(!page.contains("http:") || page.contains("www.w3.org"), page);
    }

    private static int marks(String svg) {
        return svg.split("<title>", -1).length - 1;
    }
}

package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.WithoutStacks;
import dev.madt.trace.codec.TraceDecoder;
import dev.madt.trace.file.TraceReader;
import dev.madt.view.Accesses;
import dev.madt.view.Allocation;
import dev.madt.view.Analysis;
import dev.madt.view.CallChain;
import dev.madt.view.Needs;
import dev.madt.view.Place;
import dev.madt.view.ViewFeed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Blocks by the functions that a user of the program would name, whose counts the program
 * determines: optimised, with wrappers of malloc that only the trace shows to be some.
 */
class AllocationSitesIT {
    private static final String SOURCE =
            """
            #include <cstdlib>
            #include <map>
            #include <memory>
            #include <string>
            #include <vector>
            #define NI __attribute__((noinline))
            extern "C" NI void *get_space(size_t n)
            { void *p = malloc(n); if (!p) abort(); return p; }
            struct Node { Node *next; int key, value; };
            NI Node *new_node(int key)
            { Node *n = (Node *) get_space(sizeof *n); n->key = key; n->value = 1; return n; }
            NI char *load_text(int n)
            { char *t = (char *) get_space(n); for (int i = 0; i < n; i++) t[i] = 'a'; return t; }
            NI double *matrix(int n)
            { double *m = (double *) get_space(n * 8); for (int i = 0; i < n; i++) m[i] = i;
              return m; }
            NI Node *build_table(int n)
            { Node **t = (Node **) get_space(n * sizeof *t);
              for (int i = 0; i < n; i++) t[i] = new_node(i);
              Node *first = t[0]; free(t); return first; }
            NI std::vector<std::string> make_names(int n)
            { std::vector<std::string> v; v.reserve(n);
              for (int i = 0; i < n; i++) v.push_back(std::string(40, 'x')); return v; }
            NI void index_names(std::map<int, std::string *> &m, std::vector<std::string> &v)
            { for (auto &name : v) m[m.size()] = &name; }
            int main()
            {
                long sum = 0;
                for (int i = 0; i < 16; i++) sum += build_table(i + 4)->key;
                for (int i = 0; i < 40; i++) { char *t = load_text(i + 10); sum += t[i]; free(t); }
                for (int i = 0; i < 12; i++) { double *m = matrix(i + 4); sum += m[i]; free(m); }
                auto names = make_names(31);
                std::map<int, std::string *> index;
                index_names(index, names);
                return sum == 0;
            }
            """;

    /** As the loops say; the vector's room is one more block. */
    private static final Map<String, Long> BLOCKS = Map.of(
            "build_table", 16L,
            "index_names", 31L,
            "load_text", 40L,
            "make_names", 32L,
            "matrix", 12L,
            "new_node", 184L);

    @TempDir
    static Path folder;

    private static String trace;

    @BeforeAll
    static void record() throws Exception {
        Path source = Files.writeString(folder.resolve("shop.cpp"), SOURCE);
        Path program = folder.resolve("shop");
        MadtRun.command(
                        folder,
                        List.of("g++", "-O2", "-g", "-o", program.toString(), source.toString()))
                .expect(0);
        trace = folder.resolve("shop.madt").toString();
        MadtRun.madt(
                        folder,
                        "trace",
                        "-q",
                        "--record",
                        "accesses,calls",
                        "-o",
                        trace,
                        "--",
                        program.toString())
                .expect(0);
    }

    private static List<List<String>> cells(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("report", "--format", "csv"));
        command.addAll(List.of(options));
        command.add(trace);
        return MadtRun.madt(folder, command.toArray(String[]::new))
                .expect(0)
                .text()
                .lines()
                .skip(1)
                .map(CsvLine::cells)
                .toList();
    }

    /** Blocks by the function in the name of the allocation site. */
    private static Map<String, Long> blocks(String... options) throws Exception {
        List<String> all =
                new ArrayList<>(List.of("--by", "site", "--columns", "allocation_site,blocks"));
        all.addAll(List.of(options));
        Map<String, Long> blocks = new TreeMap<>();
        for (List<String> row : cells(all.toArray(String[]::new))) {
            String site = row.get(0).replaceAll("^<malloc@(\\w+)[^>]*>$", "$1");
            if (!row.get(1).isEmpty() && !row.get(0).equals("total")) {
                blocks.merge(site, Long.parseLong(row.get(1)), Long::sum);
            }
        }
        return blocks;
    }

    @Test
    void shouldNameBlocksByTheFunctionsOfTheirUser() throws Exception {
        Map<String, Long> blocks = blocks();
        BLOCKS.forEach((function, count) -> assertEquals(count, blocks.get(function), function));
        assertTrue(!blocks.containsKey("get_space"), blocks.toString());
    }

    @Test
    void shouldNameThemByTheInnermostCallIfAsked() throws Exception {
        for (String option : List.of("--blocks-by", "--site")) {
            Map<String, Long> blocks = blocks(option, "inner");
            assertEquals(16 + 40 + 12 + 184, blocks.get("get_space"), blocks.toString());
            assertTrue(!blocks.containsKey("matrix"), blocks.toString());
        }
    }

    @Test
    void shouldPassFurtherFunctions() throws Exception {
        Map<String, Long> blocks = blocks("--through", "new_*");
        assertEquals(16 + 184, blocks.get("build_table"), blocks.toString());
    }

    @Test
    void shouldNameThemByTheFirstFunctionThatMatches() throws Exception {
        Map<String, Long> blocks = blocks("--blocks-by", "build_*");
        assertEquals(16 + 184, blocks.get("build_table"), blocks.toString());
        assertEquals(40, blocks.get("load_text"), blocks.toString());
    }

    /** Returns the program's own functions of each chain, the outermost first, by source. */
    private static List<String> paths(boolean unwound) throws Exception {
        List<String> paths = new ArrayList<>();
        Analysis births = new Analysis() {
            @Override
            public Needs needs() {
                return Needs.BATCHES.withChains();
            }

            @Override
            public void accesses(Accesses batch) {
                // births alone count
            }

            @Override
            public void allocation(Allocation event) {
                StringBuilder path = new StringBuilder();
                for (CallChain each = event.chain();
                        each != null && each.outer() != null;
                        each = each.outer()) {
                    Place call = each.call();
                    if (call.module().equals("[shop]")
                            && !call.frameName().contains("inlined")
                            && !call.symbol().equals("_start")) {
                        path.insert(0, ';' + call.symbol());
                    }
                }
                paths.add(event.event().letter() + path.toString());
            }
        };
        ViewFeed feed = new ViewFeed(births);
        try (TraceReader reader = new TraceReader(Path.of(trace))) {
            reader.read(new TraceDecoder(unwound ? feed : new WithoutStacks(feed)));
        }
        return paths;
    }

    /** Compares what tools of formats count with the report, and their callers with the text. */
    @Test
    void shouldGiveWholeChainsToOtherTools() throws Exception {
        Map<String, Long> blocks = blocks();
        long all = blocks.values().stream().mapToLong(Long::longValue).sum();
        String heaptrack = converted("heaptrack", "heaptrack_print", "-f");
        assertTrue(heaptrack.contains("calls to allocation functions: " + all + " ("), heaptrack);
        assertTrue(
                Pattern.compile("184 calls with [^:]*:\\s+_Z8new_nodei\\s[^:]*:\\d+\\s+in shop"
                                + "\\s+_Z11build_tablei\\s[^:]*:\\d+\\s+in shop\\s+main\\s")
                        .matcher(heaptrack)
                        .find(),
                heaptrack);
        String massif = converted("massif", "ms_print", "--threshold=0");
        assertTrue(
                Pattern.compile("get_space \\(shop.cpp:\\d+\\)\\n[| ]*->[^\\n]*_Z8new_nodei \\("
                                + "shop.cpp:\\d+\\)\\n[| ]*->[^\\n]*_Z11build_tablei ")
                        .matcher(massif)
                        .find(),
                massif);
        String dhat = Files.readString(convert("dhat"));
        assertTrue(dhat.contains(": _Z11build_tablei (shop.cpp:"), dhat);
        assertTrue(
                Pattern.compile("\"fs\":\\[\\d+,\\d+,\\d+,\\d+").matcher(dhat).find(), dhat);
    }

    private static Path convert(String format) throws Exception {
        Path to = folder.resolve("shop." + format);
        MadtRun.madt(folder, "convert", "-f", "--to", format, "-o", to.toString(), trace)
                .expect(0);
        return to;
    }

    private static String converted(String format, String tool, String option) throws Exception {
        String file = convert(format).toString();
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/" + tool)), "no " + tool);
        return MadtRun.command(folder, List.of(tool, option, file)).expect(0).text();
    }

    /** Selects each row by the name that it shows, and by none other. */
    @Test
    void shouldSelectEachSiteThatIsShown() throws Exception {
        String[] columns = {"--by", "site", "--columns", "allocation_site,loads,stores,blocks"};
        for (List<String> row : cells(columns)) {
            String name = row.get(0);
            if (!name.startsWith("<")) {
                continue;
            }
            for (String option : List.of("--site", "--symbol")) {
                List<String> selection = new ArrayList<>(List.of(columns));
                selection.addAll(List.of(option, name));
                assertEquals(
                        List.of(row),
                        cells(selection.toArray(String[]::new)).stream()
                                .filter(each -> !each.get(0).equals("total"))
                                .toList(),
                        option + " " + name);
            }
        }
    }

    /** Shows chains as trees, the callers inward. */
    @Test
    void shouldShowChainsAsTrees() throws Exception {
        String text = MadtRun.madt(
                        folder, "report", "--by", "site", "--chains", "--min", "0", trace)
                .expect(0)
                .text();
        assertTrue(
                Pattern.compile(" 184 +2,944 +<malloc@new_node[^\\n]*\\n +build_table\\+\\d+  "
                                + "shop.cpp:\\d+\\n +main\\+")
                        .matcher(text)
                        .find(),
                text);
        assertTrue(text.lines().allMatch(line -> line.length() <= 100), text);
        assertTrue(!text.contains("__libc_start_main"), text);
    }

    /** Compares chains of unwound stacks with those of recorded calls, of a trace with both. */
    @Test
    void shouldHaveTheSameChainsByStacksAsByCalls() throws Exception {
        List<String> byStacks = paths(true);
        assertTrue(byStacks.size() > 400, byStacks.size() + " allocations and ends");
        assertTrue(
                byStacks.contains("M;main;_Z11build_tablei;_Z8new_nodei;get_space"),
                byStacks.toString());
        assertEquals(paths(false), byStacks);
    }

    /** Selects what is shown; of lines too, which have the names of the innermost calls. */
    @Test
    void shouldSelectWhatIsShown() throws Exception {
        List<List<String>> rows = cells("--columns", "symbol,loads,stores");
        List<String> matrix = rows.stream()
                .filter(row -> row.get(0).contains("@matrix"))
                .findFirst()
                .orElseThrow();
        assertEquals(
                List.of(matrix),
                cells("--symbol", matrix.get(0), "--columns", "symbol,loads,stores").stream()
                        .filter(row -> !row.get(0).equals("total"))
                        .toList());
        List<String> lines = MadtRun.madt(
                        folder, "print", "--site", "matrix", "--kind", "load,store", trace)
                .expect(0)
                .text()
                .lines()
                .toList();
        assertEquals(Long.parseLong(matrix.get(1)) + Long.parseLong(matrix.get(2)), lines.size());
        assertTrue(lines.stream().allMatch(line -> line.contains("@get_space+")), lines.get(0));
    }
}

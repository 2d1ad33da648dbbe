package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.AwaitedCall;
import dev.madt.testprogs.Browser;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions and control-flow graphs of programs. */
class GraphIT {
    private static final String SOURCE = String.join(
            "\n",
            "#include <stdlib.h>",
            "volatile long *seen;",
            "__attribute__((noinline)) void take(int kind)",
            "{",
            "    switch (kind) {",
            "    case 0: seen[0] = 1; break;",
            "    case 1: seen[1] = 2; break;",
            "    case 2: seen[2] = 3; break;",
            "    case 3: seen[3] = 4; break;",
            "    case 4: seen[4] = 5; break;",
            "    default: for (int i = 0; i < kind; i++) seen[i] = i;",
            "    }",
            "}",
            "int main(void)",
            "{",
            "    seen = calloc(16, sizeof *seen);",
            "    for (int kind = 0; kind < 7; kind++)",
            "        for (int i = 0; i < 10 + kind; i++)",
            "            take(kind);",
            "    return 0;",
            "}",
            "");
    private static final Pattern BLOCK = Pattern.compile("block (\\d+) .*? ran (\\?|[\\d,]+)");
    private static final Pattern STORE = Pattern.compile(".*  graphs\\.c:(\\d+)");

    @TempDir
    Path directory;

    private Path program() throws Exception {
        Path source = directory.resolve("graphs.c");
        Path program = directory.resolve("graphs");
        Files.writeString(source, SOURCE);
        MadtRun.command(
                        directory,
                        List.of("gcc", "-g", "-O1", "-o", program.toString(), source.toString()))
                .expect(0);
        return program;
    }

    /** A function with a part that is put elsewhere, and a copy of another for one value. */
    private Path parted() throws Exception {
        Path source = directory.resolve("parted.c");
        Path program = directory.resolve("parted");
        Files.writeString(
                source,
                String.join(
                        "\n",
                        "__attribute__((noinline)) int part(int x) { return x * 3; }",
                        "__asm__(\".type part.cold, @function\\npart.cold: nop\\nud2\\n\"",
                        "        \".size part.cold, . - part.cold\\n\"",
                        "        \".type part.isra.0, @function\\npart.isra.0: nop\\nret\\n\"",
                        "        \".size part.isra.0, . - part.isra.0\\n\");",
                        "int main(int count, char **words) { return part(count) - 3; }",
                        ""));
        MadtRun.command(
                        directory,
                        List.of("gcc", "-g", "-O1", "-o", program.toString(), source.toString()))
                .expect(0);
        return program;
    }

    private MadtRun madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments);
    }

    private Path traced(Path program) throws Exception {
        Path trace = directory.resolve("graphs.madt");
        madt("run", "-q", "-f", "-o", "" + trace, "--", "" + program).expect(0);
        return trace;
    }

    @Test
    void shouldListFunctions() throws Exception {
        Path program = program();
        String csv =
                madt("functions", "--format", "csv", "" + program).expect(0).text();
        List<String> rows = csv.lines().toList();
        assertEquals(
                "function,symbol,module,address,bytes,blocks,by_jump,by_trap,without,instrument",
                rows.get(0));
        assertTrue(rows.stream().anyMatch(row -> row.matches("main,main,graphs,0x.*,yes")), csv);
        String filtered =
                madt("functions", "--filter", "ta?e", "" + program).expect(0).text();
        assertTrue(filtered.contains("\ntake "), filtered);
        assertTrue(!filtered.contains("main"), filtered);
        MadtRun none = madt("functions", "--filter", "nothing", "" + program).expect(0);
        assertTrue(none.errors().contains("no function has a name like 'nothing'"), none.errors());
        String json =
                madt("functions", "--format", "json", "" + program).expect(0).text();
        assertTrue(json.contains("\"function\": \"take\"") || json.contains("\"take\""), json);
        assertTrue(json.contains("reasons"), json);
    }

    /** A stripped file has the same functions, by their addresses. */
    @Test
    void shouldListFunctionsOfStrippedFiles() throws Exception {
        Path program = program();
        Path stripped = directory.resolve("stripped");
        MadtRun.command(directory, List.of("strip", "-o", "" + stripped, "" + program))
                .expect(0);
        String take = row(program, "take");
        String address = take.split(",")[3];
        String unnamed = row(stripped, "func@" + address);
        assertEquals(behind(take, address), behind(unnamed, address));
    }

    /** A function that the loader alone knows has no symbol, and no unwind table. */
    @Test
    void shouldInstrumentWhatTheLoaderEnters() throws Exception {
        Path source =
                Files.writeString(directory.resolve("bare.c"), "int main(void) { return 0; }\n");
        Path bare = directory.resolve("bare");
        MadtRun.command(directory, List.of("gcc", "-s", "-o", "" + bare, "" + source))
                .expect(0);
        String init = MadtRun.command(directory, List.of("readelf", "-d", "" + bare))
                .text()
                .replaceAll("(?s).*\\(INIT\\) +(0x[0-9a-f]+)\n.*", "func@$1");
        assertTrue(row(bare, init).endsWith(",yes"), init);
        assertHitOnce(bare, init);
    }

    /** A function's symbol covers what has a frame of its own: it is called by where it begins. */
    @Test
    void shouldNameFramesWithinAFunction() throws Exception {
        Path source = Files.writeString(
                directory.resolve("frames.c"),
                """
                extern int both(void);
                asm(".text\\n.globl both\\n.type both, @function\\nboth:\\n.cfi_startproc\\n"
                    "mov $7, %eax\\njmp 1f\\n.cfi_endproc\\n"
                    "1: .cfi_startproc\\nadd $1, %eax\\nadd $2, %eax\\nret\\n.cfi_endproc\\n"
                    ".size both, . - both\\n");
                int main(void) { return both() != 10; }
                """);
        Path frames = directory.resolve("frames");
        MadtRun.command(directory, List.of("gcc", "-o", "" + frames, "" + source))
                .expect(0);
        String part = "both+0x7";
        assertTrue(row(frames, part).endsWith(",yes"), part);
        assertTrue(madt("cfg", "" + frames, part).expect(0).text().startsWith(part + " in frames"));
        assertHitOnce(frames, part);
    }

    private void assertHitOnce(Path program, String place) throws Exception {
        madt(("run -qf -o t.madt --start load --at " + place + " count -- " + program).split(" "))
                .expect(0);
        String hits = madt("points", "--format", "csv", "t.madt").expect(0).text();
        assertTrue(hits.contains("\n1," + place + ",count,"), hits);
    }

    /** The name of the linker is enough, and a part that is put elsewhere has one of its own. */
    @Test
    void shouldTellPartsFromFunctions() throws Exception {
        Path program = parted();
        String part = row(program, "part.cold").split(",")[3];
        String whole = row(program, "part,part").split(",")[3];
        assertTrue(madt("cfg", "" + program, "part").expect(0).text().contains(whole), whole);
        assertTrue(madt("cfg", "" + program, "part.cold").expect(0).text().contains(part), part);
        String address = "0x00000000" + String.format("%8s", whole.substring(2)).replace(' ', '0');
        assertEquals(
                madt("cfg", "" + program, "part").text(),
                madt("cfg", "" + program, address).expect(0).text());
        String at = madt("run", "-f", "--at", "part.cold", "count", "--", "" + program)
                .expect(125)
                .errors();
        assertTrue(
                at.contains("'part.cold' is code of 'part' that the compiler put elsewhere"), at);
    }

    private static String behind(String row, String address) {
        return row.substring(row.lastIndexOf("," + address + ","));
    }

    private String row(Path file, String function) throws Exception {
        return madt("functions", "--format", "csv", "" + file)
                .expect(0)
                .text()
                .lines()
                .filter(row -> row.startsWith(function + ","))
                .findFirst()
                .orElseThrow();
    }

    /** Variables in a comment have the name that views print, as functions have. */
    @Test
    void shouldNameVariablesAsInTheSource() throws Exception {
        Path source = Files.writeString(
                directory.resolve("v.cc"),
                "static long head; extern \"C\" long next() { return head++; }\n");
        Path library = directory.resolve("v.so");
        MadtRun.command(
                        directory,
                        List.of("g++", "-O1", "-shared", "-fPIC", "-o", "" + library, "" + source))
                .expect(0);
        String text = madt("cfg", "" + library, "next").expect(0).text();
        assertTrue(text.contains("  # head\n"), text);
    }

    @Test
    void shouldListTheModulesOfAProcess() throws Exception {
        Process process = new ProcessBuilder("sleep", "600").start();
        try {
            AwaitedCall.in(process.pid(), AwaitedCall.CLOCK_NANOSLEEP); // its libraries are there
            MadtRun run =
                    MadtRun.madt(directory, "functions", "--format", "csv", "" + process.pid());
            String text = run.expect(0).text();
            assertTrue(text.contains(",libc.so.6,"), text.substring(0, 300));
            assertTrue(text.contains(",sleep,"), text.substring(0, 300));
        } finally {
            process.destroy();
        }
    }

    @Test
    void shouldSayWhatIsWrong() throws Exception {
        Path program = program();
        assertTrue(madt("functions").expect(2).errors().contains("which module?"));
        assertTrue(madt("functions", "absent").expect(1).errors().contains("absent"));
        assertTrue(madt("cfg", "" + program).expect(2).errors().contains("a file and a function"));
        String unknown = madt("cfg", "" + program, "tak").expect(1).errors();
        assertTrue(unknown.contains("has no function 'tak'"), unknown);
        assertTrue(unknown.contains("take"), unknown);
        String several = madt("cfg", "" + program, "*").expect(1).errors();
        assertTrue(several.contains("Name one by its address: 0x"), several);
        String format =
                madt("cfg", "-o", "a.pdf", "" + program, "take").expect(2).errors();
        assertTrue(format.contains(".txt, .dot, .svg, .html"), format);
    }

    /** Each case's store stands in a block of its own, which ran as often as the case. */
    @Test
    void shouldCountBlocks() throws Exception {
        Path program = program();
        String text = madt("cfg", "-T", "" + traced(program), "" + program, "take")
                .expect(0)
                .text();
        Map<Integer, Long> most = new TreeMap<>();
        long count = -1;
        for (String line : text.lines().toList()) {
            Matcher block = BLOCK.matcher(line);
            if (block.lookingAt()) {
                String ran = block.group(2).replace(",", "");
                count = ran.equals("?") ? -1 : Long.parseLong(ran);
            }
            Matcher source = STORE.matcher("  " + line);
            if (source.matches() && count >= 0) {
                most.merge(Integer.parseInt(source.group(1)), count, Math::max);
            }
        }
        for (int kind = 0; kind < 5; kind++) {
            assertEquals(10 + kind, most.get(6 + kind), "case " + kind + " in\n" + text);
        }
        assertEquals(15 * 5 + 16 * 6, most.get(11), text);
        assertTrue(text.contains("-> table block"), text);
        assertTrue(text.contains("(back)"), text);
    }

    /** An access of four elements is one that ran, and not four. */
    @Test
    void shouldCountAMaskedAccessOnce() throws Exception {
        Path source = Files.writeString(
                directory.resolve("masked.c"),
                String.join(
                        "\n",
                        "long to[4];",
                        "__attribute__((noinline)) void take(void)",
                        "{",
                        "    __asm__ volatile(\"vpcmpeqd %%ymm1, %%ymm1, %%ymm1\\n\"",
                        "        \"vpmaskmovq %%ymm1, %%ymm1, %0\" : \"=m\"(to) : : \"xmm1\");",
                        "}",
                        "int main(void)",
                        "{",
                        "    for (int i = 0; i < 10 && __builtin_cpu_supports(\"avx2\"); i++)",
                        "        take();",
                        "    return 0;",
                        "}"));
        Path program = directory.resolve("graphs");
        MadtRun.command(directory, List.of("gcc", "-g", "-O1", "-o", "" + program, "" + source))
                .expect(0);
        boolean runs = Files.readString(Path.of("/proc/cpuinfo")).contains(" avx2 ");
        String trace = "" + traced(program);
        String csv = madt("report", "--by", "function", "--format", "csv", trace)
                .expect(0)
                .text();
        assertEquals(runs, csv.contains(",0,40,320,0,0,1,1,take,"), csv);
        String text = madt("cfg", "-T", trace, "" + program, "take").expect(0).text();
        assertEquals(runs, text.contains(" ran 10"), text);
    }

    /** Counts of other code are refused, with a build-id and without; those of a copy are not. */
    @ParameterizedTest
    @ValueSource(strings = {"sha1", "none"})
    void shouldRefuseCountsOfAnotherBuild(String id) throws Exception {
        Path source = directory.resolve("built.c");
        Path program = directory.resolve("built");
        Path trace = directory.resolve("built.madt");
        String text = "int a[4], b[4]; int main(int n, char **v) { if (n > %d) a[0]++; b[0]++; }";
        List<String> build =
                List.of("gcc", "-O1", "-Wl,--build-id=" + id, "-o", "" + program, "" + source);
        Files.writeString(source, String.format(text, 0));
        MadtRun.command(directory, build).expect(0);
        madt("run", "-q", "-o", "" + trace, "--", "" + program).expect(0);
        Path copy = Files.copy(program, directory.resolve("copy"));
        madt("cfg", "-T", "" + trace, "" + copy, "main").expect(0);
        Files.writeString(source, String.format(text, 7));
        MadtRun.command(directory, build).expect(0);
        MadtRun refused = madt("cfg", "-T", "" + trace, "" + program, "main").expect(1);
        assertTrue(refused.errors().contains("with another build of " + program), refused.errors());
        assertEquals("", refused.text());
    }

    @Test
    void shouldDrawPictures() throws Exception {
        Path program = program();
        for (String format : List.of("svg", "dot")) {
            Path picture = directory.resolve("take." + format);
            madt("cfg", "-o", "" + picture, "" + program, "take").expect(0);
            String text = Files.readString(picture);
            assertTrue(text.startsWith(format.equals("svg") ? "<svg " : "digraph {"), text);
            String checked = format.equals("svg") ? "/usr/bin/xmllint" : "/usr/bin/dot";
            if (Files.isExecutable(Path.of(checked))) {
                MadtRun.command(
                                directory,
                                format.equals("svg")
                                        ? List.of(checked, "--noout", "" + picture)
                                        : List.of(checked, "-Tplain", "" + picture))
                        .expect(0);
            }
        }
    }

    @Test
    void shouldShowThePage() throws Exception {
        assumeTrue(Files.isExecutable(Browser.PROGRAM), "no chromium");
        Path program = program();
        Path page = directory.resolve("take.html");
        madt("cfg", "-T", "" + traced(program), "-o", "" + page, "" + program, "take")
                .expect(0);
        try (Browser browser = new Browser(directory)) {
            for (String colours : List.of("light", "dark")) {
                browser.prefer(colours);
                browser.open(page, 1200, 800);
                assertEquals("take", browser.evaluate("byId('title').textContent"));
                assertEquals(colours, browser.evaluate("document.documentElement.dataset.theme"));
                assertEquals(
                        "true",
                        browser.evaluate("document.querySelectorAll('#graph .block').length"
                                + " === blocks.length"));
                browser.key("/");
                browser.type("graphs.c:11");
                browser.enter();
                assertEquals(
                        "true",
                        browser.evaluate("blocks[chosen].code.some(line => "
                                + "line[3] === 'graphs.c:11')"));
                browser.key("Escape");
                browser.evaluate("choose(0); ''");
                browser.key("j");
                assertEquals("1", browser.evaluate("String(chosen)"));
                String before = browser.evaluate("String(view.scale)");
                browser.key("+");
                assertTrue(Double.parseDouble(browser.evaluate("String(view.scale)"))
                        > Double.parseDouble(before));
                browser.key("0");
                browser.evaluate("byId('in').click(); ''");
                assertEquals(List.of(), browser.complaints());
            }
            assertEquals(1, browser.requests().size(), "no network: " + browser.requests());
        }
    }

    /** A large function's graph is drawn in a moment, and no block is left out. */
    @Test
    void shouldDrawLargeFunctions() throws Exception {
        Path page = directory.resolve("large.svg");
        Path bash = Path.of("/bin/bash");
        String csv = madt("functions", "--format", "csv", "--sort", "blocks", "" + bash)
                .expect(0)
                .text();
        String[] largest = csv.lines().skip(1).findFirst().orElseThrow().split(",");
        int blocks = Integer.parseInt(largest[5]);
        assertTrue(blocks > 300, Arrays.toString(largest));
        madt("cfg", "-o", "" + page, "" + bash, largest[3]).expect(0);
        assertEquals(
                blocks,
                Files.readString(page)
                        .lines()
                        .filter(line -> line.contains(" rx=\"3\""))
                        .count());
    }
}

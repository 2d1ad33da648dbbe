package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.testing.Soak;
import dev.madt.testing.SoakCases;
import dev.madt.testing.Tier;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import dev.madt.view.Reading;
import dev.madt.view.Selection;
import dev.madt.view.hottest.HotView;
import dev.madt.view.overview.Overview;
import dev.madt.view.report.Report;
import dev.madt.view.report.ReportKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code madt defects} finds the one defect of each program in {@code defects/accesses}, which
 * access memory wrongly, and {@code defects/calls}, which allocate and free wrongly; and nothing in
 * those of {@code defects/correct}. The faulty ones say in comments what is to be found: the kind
 * in {@code // defect: KIND}, and the lines with {@code // here}, {@code // allocated} and
 * {@code // ended}; {@code // called}, where the call or the caller stands, and {@code // record:
 * OPTIONS} if the recording needs some. With {@code -Dmadt.soak=true} Valgrind's memcheck stands
 * beside it in the table that is printed.
 */
class DefectsIT {
    private static final int MEMCHECK_FOUND = 99;
    private static final String RECORD = "// record: ";
    private static final String RUN_ALL =
            "for program; do \"$program\" >output 2>&1 </dev/null; done; true";

    @TempDir
    Path directory;

    /**
     * Says what a program says of itself.
     *
     * @param options with which its defect is seen
     */
    private record Program(String name, Path source, String kind, List<String> options) {
        String folder() {
            return source.getParent().getFileName().toString();
        }

        /**
         * Returns what may follow from a program's defect, if it goes on: {@code // also: KIND}.
         */
        boolean also(String found) throws IOException {
            return Files.readAllLines(source).contains("// also: " + found);
        }

        /** {@code NAME.c:12} for the line with a mark; null if there is none. */
        String line(String mark) throws IOException {
            List<String> lines = Files.readAllLines(source);
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).endsWith("// " + mark)) {
                    return source.getFileName() + ":" + (i + 1);
                }
            }
            return null;
        }
    }

    private static List<Program> programs(String folder) throws IOException {
        try (Stream<Path> sources =
                Files.list(MadtRun.root().resolve("testprogs/defects/" + folder))) {
            List<Program> programs = new ArrayList<>();
            for (Path source : sources.sorted().toList()) {
                List<String> lines = Files.readAllLines(source);
                String first = lines.get(0);
                String kind = first.startsWith("// defect: ")
                        ? first.substring("// defect: ".length())
                        : null;
                programs.add(new Program(
                        source.getFileName().toString().replaceAll("\\..*", ""),
                        source,
                        kind,
                        options(lines)));
            }
            return programs;
        }
    }

    private static List<String> options(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(RECORD))
                .flatMap(line -> Stream.of(line.substring(RECORD.length()).split(" ")))
                .toList();
    }

    private static List<Program> faulty() throws IOException {
        List<Program> programs = new ArrayList<>(programs("accesses"));
        programs.addAll(programs("calls"));
        return programs;
    }

    /**
     * The rows of each program's defects, by the keys of their columns.
     *
     * @param options of the recording
     */
    private Map<String, List<Map<String, String>>> defects(
            List<Program> programs, List<String> options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                MadtRun.launcher().toString(),
                "run",
                "-q",
                "-o",
                "%n.%p.madt",
                "--only-program",
                "*/defects/*"));
        command.addAll(options);
        command.addAll(List.of("--", "sh", "-c", RUN_ALL, "sh"));
        programs.forEach(program -> command.add(executable(program)));
        MadtRun.command(directory, command).expect(0);
        List<String> asked = new ArrayList<>(List.of("defects", "--format", "csv"));
        try (Stream<Path> traces = Files.list(directory)) {
            traces.map(trace -> trace.getFileName().toString())
                    .filter(name -> name.endsWith(".madt"))
                    .sorted()
                    .forEach(asked::add);
        }
        for (Program program : programs) {
            assertTrue(
                    asked.stream().anyMatch(name -> name.startsWith(program.name() + ".")),
                    program.name() + " has no trace");
        }
        MadtRun found = MadtRun.madt(directory, asked.toArray(String[]::new)).expect(0);
        Map<String, List<Map<String, String>>> rows = new HashMap<>();
        List<String> lines = found.text().lines().toList();
        List<String> keys = CsvLine.cells(lines.get(0));
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = CsvLine.cells(line);
            Map<String, String> row = new TreeMap<>();
            for (int i = 0; i < cells.size(); i++) {
                row.put(keys.get(i), cells.get(i));
            }
            rows.computeIfAbsent(
                            row.get("trace")
                                    .replaceAll("\\.\\d+\\.madt$", "")
                                    .replaceAll(".*/", ""),
                            name -> new ArrayList<>())
                    .add(row);
        }
        return rows;
    }

    private static String executable(Program program) {
        return MadtRun.program("defects/" + program.folder() + "/" + program.name())
                .toString();
    }

    @Test
    void shouldFindTheDefectOfEachProgram() throws Exception {
        List<Program> programs = faulty();
        assertTrue(
                programs.size() >= 40
                        && programs.stream().map(Program::kind).distinct().count() >= 12,
                programs.toString());
        Map<String, List<Map<String, String>>> found = new HashMap<>();
        Map<List<String>, List<Program>> groups =
                programs.stream().collect(Collectors.groupingBy(Program::options));
        for (Map.Entry<List<String>, List<Program>> group : groups.entrySet()) {
            found.putAll(defects(group.getValue(), group.getKey()));
        }
        List<String> wrong = new ArrayList<>();
        for (Program program : programs) {
            List<Map<String, String>> rows = found.getOrDefault(program.name(), List.of());
            String said = verdict(program, rows);
            tell(program, rows.isEmpty() ? "nothing" : rows.get(0).get("kind"));
            if (!said.isEmpty()) {
                wrong.add(program.name() + ": " + said + " " + rows);
            }
        }
        for (Program program : programs) {
            wrong.addAll(disagreements(program, found.getOrDefault(program.name(), List.of())));
        }
        assertEquals(List.of(), wrong, () -> String.join("\n", wrong));
    }

    /**
     * Checks that what the search calls a defect beyond doubt, and a single access or free shows,
     * neither the summary, a report nor a page takes for right; and what a report counts, the
     * search has found.
     */
    private List<String> disagreements(Program program, List<Map<String, String>> rows)
            throws IOException {
        HotView hot = new HotView();
        Report report = new Report(ReportKey.SITE, false);
        Overview overview = new Overview();
        TraceFile.read(
                trace(program),
                new Reading(Selection.ALL)
                        .add(hot)
                        .add(report)
                        .add(overview)
                        .consumer(Demangler.NONE, null));
        List<String> certain = rows.stream()
                .filter(row -> row.get("certain").equals("yes"))
                .map(row -> row.get("event") + " " + row.get("kind"))
                .toList();
        boolean dead = certain.stream().anyMatch(row -> row.contains(" after-"));
        boolean shows =
                dead || certain.contains("F double-free") || certain.contains("F invalid-free");
        List<String> wrong = new ArrayList<>();
        if (shows && !hot.suspicious()) {
            wrong.add(program.name() + ": the summary sees nothing");
        }
        if (shows && !overview.isSuspicious()) {
            wrong.add(program.name() + ": the page sees nothing");
        }
        if (dead && !report.isSuspicious()) {
            wrong.add(program.name() + ": the report sees nothing");
        }
        if (report.deadAccesses() > 0 && certain.isEmpty()) {
            wrong.add(program.name() + ": the report alone is sure of a defect");
        }
        return wrong;
    }

    private Path trace(Program program) throws IOException {
        try (Stream<Path> traces = Files.list(directory)) {
            return traces.filter(trace -> trace.getFileName()
                            .toString()
                            .matches(program.name() + "\\.\\d+\\.madt"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Empty if the rows tell the program's defect and nothing else. */
    private static String verdict(Program program, List<Map<String, String>> rows)
            throws IOException {
        boolean told = false;
        for (Map<String, String> row : rows) {
            if (!row.get("kind").equals(program.kind()) && !program.also(row.get("kind"))) {
                return "invented: " + row.get("kind");
            }
            boolean guess = program.kind().equals("neighbour")
                    || program.kind().equals("uninitialised")
                            && row.get("event").equals("L");
            boolean certain = row.get("certain").equals(guess ? "no" : "yes");
            told |= certain
                    && agrees(program.line("here"), row.get("line"))
                    && agrees(program.line("called"), row.get("calls").split(" ")[0])
                    && agrees(program.line("allocated"), row.get("allocated_at"))
                    && agrees(program.line("ended"), row.get("ended_at"));
        }
        return told ? "" : "not found";
    }

    private static boolean agrees(String expected, String told) {
        return expected == null || expected.equals(told);
    }

    @ParameterizedTest
    @ValueSource(strings = "")
    @SoakCases({
        "--stack --record accesses,calls --quarantine 20M",
        "--stack --record accesses,calls",
        "--quarantine 20M"
    })
    void shouldFindNothingInCorrectPrograms(String options) throws Exception {
        findNothing(options);
    }

    @Test
    @Soak
    void shouldFindNothingInCorrectProgramsWithoutTheirCalls() throws Exception {
        findNothing("--stack");
    }

    @Test
    void shouldHaveProgramsThatEndWell() throws Exception {
        for (Program program : programs("correct")) {
            assertEquals(
                    0,
                    MadtRun.command(directory, List.of(executable(program))).status(),
                    program.name());
        }
    }

    private void findNothing(String options) throws Exception {
        List<Program> programs = programs("correct");
        assertTrue(programs.size() >= 40, programs.toString());
        Map<String, List<Map<String, String>>> found =
                defects(programs, options.isEmpty() ? List.of() : List.of(options.split(" ")));
        for (Program program : programs) {
            List<Map<String, String>> rows = found.getOrDefault(program.name(), List.of());
            tell(program, rows.isEmpty() ? "nothing" : rows.get(0).get("kind"));
        }
        assertEquals(Map.of(), found);
    }

    /**
     * Programs whose blocks are given out again where they are not kept back: memcheck finds a
     * defect in each, and nothing in those that do the same rightly.
     */
    @Test
    @Soak
    void shouldHaveProgramsThatMemcheckJudgesAlike() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/valgrind")), "no valgrind");
        List<Program> programs = faulty().stream().filter(DefectsIT::isKeptBack).toList();
        assertTrue(programs.size() >= 15, programs.toString());
        List<String> wrong = new ArrayList<>();
        for (Program program : programs) {
            if (memcheck(executable(program)).equals("nothing")) {
                wrong.add(program.name());
            }
            String twin = MadtRun.program("defects/correct/" + program.name() + "_rightly")
                    .toString();
            assertTrue(Files.isExecutable(Path.of(twin)), twin);
            if (!memcheck(twin).equals("nothing")) {
                wrong.add(twin);
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static boolean isKeptBack(Program program) {
        return program.options().contains("--quarantine");
    }

    @Test
    void shouldSayWhatItDoesNotLookFor() throws Exception {
        String program = MadtRun.program("defects/accesses/reused_object").toString();
        MadtRun.madt(directory, "run", "-q", "-o", "plain.madt", "--", program).expect(0);
        String plain =
                MadtRun.madt(directory, "defects", "plain.madt").expect(0).text();
        assertTrue(plain.startsWith("No defect.\n"), plain);
        assertTrue(
                plain.contains("Not looked for: uses of freed blocks whose memory was given out"
                        + " again (madt defects -- PROG looks for them).\nNor: accesses beyond"
                        + " arrays that are variables, on stacks or global; strings without an"
                        + " end that strlen and the like read beyond their block.\n"),
                plain);
        MadtRun kept = MadtRun.madt(directory, "defects", "--quarantine", "40", "--", program);
        assertTrue(kept.text().contains("behind which 40 bytes more had been freed"), kept.text());
    }

    /** Has the allocator's own functions lead to MadT where nothing is interposed. */
    @Test
    void shouldGiveAStaticProgramWhatItWasToldToUse() throws Exception {
        String source = MadtRun.root()
                .resolve("testprogs/defects/correct/usable_size.c")
                .toString();
        MadtRun.command(directory, List.of("gcc", "-static", "-o", "usable", source))
                .expect(0);
        MadtRun.madt(directory, "run", "-q", "-o", "usable.madt", "--", "./usable")
                .expect(0);
        String told =
                MadtRun.madt(directory, "defects", "usable.madt").expect(0).text();
        assertTrue(told.startsWith("No defect") && !told.contains("guess"), told);
    }

    /** Functions of a library's header, each inlined into the next one, hide no caller. */
    @Test
    void shouldTellInlinedCallsByTheirOwnLines() throws Exception {
        Files.writeString(
                directory.resolve("own.c"),
                """
                #include <stdlib.h>
                #define INLINE static inline __attribute__((always_inline)) char *
                __attribute__((noinline)) char *make(void)
                {
                    char *volatile made = malloc(8);
                    return made;
                }
                #line 10 "/usr/include/inlined.h"
                INLINE f0(void) { return make(); }
                INLINE f1(void) { return f0(); }
                INLINE f2(void) { return f1(); }
                INLINE f3(void) { return f2(); }
                INLINE f4(void) { return f3(); }
                INLINE f5(void) { return f4(); }
                INLINE f6(void) { return f5(); }
                INLINE f7(void) { return f6(); }
                INLINE f8(void) { return f7(); }
                #line 30 "own.c"
                __attribute__((noinline)) char *work(void)
                {
                    char *volatile got = f8();
                    return got;
                }
                int main(void)
                {
                    char *volatile block = work();
                    free(block);
                    return *(volatile char *)block & 0;
                }
                """);
        MadtRun.command(directory, List.of("gcc", "-g", "-O1", "-o", "own", "own.c"))
                .expect(0);
        MadtRun.madt(directory, "run", "-q", "-o", "own.madt", "--", "./own").expect(0);
        String told = MadtRun.madt(directory, "defects", "own.madt").text();
        StringBuilder calls = new StringBuilder("     allocated  own.c:5  make+N\n");
        for (int i = 0; i <= 8; i++) {
            calls.append("     ").append(i == 0 ? "called by  " : "           ");
            calls.append("inlined.h:" + (10 + i) + "  f" + i + " (inlined in work+N)\n");
        }
        calls.append("                own.c:32  work+N\n                own.c:37  main+N\n");
        assertTrue(told.replaceAll("[+]\\d+", "+N").contains(calls), told);
    }

    /** One command records and tells, with both engines. */
    @ParameterizedTest
    @ValueSource(strings = "splice")
    @SoakCases("trap")
    void shouldRecordAndTellInOneCommand(String engine) throws Exception {
        String faulty = MadtRun.program("defects/accesses/inlined_use").toString();
        String right = MadtRun.program("defects/correct/inlined_use_rightly").toString();
        String both = "\"$1\"; \"$2\"; exit 7";
        List<String> command = new ArrayList<>(List.of(
                MadtRun.launcher().toString(), "defects", "--engine", engine, "--only-program"));
        command.addAll(List.of("*/defects/*", "--", "sh", "-c", both, "sh", faulty, right));
        MadtRun told = MadtRun.command(directory, command).expect(7);
        assertTrue(
                told.text().contains("1 defect.\n\n1. Load of 1 byte at offset 0 of <freed:"),
                told.text());
        assertTrue(
                told.text()
                        .contains("by         inlined_use.cpp:5  first_letter (inlined in main+"),
                told.text());
        assertTrue(told.text().contains("\nNo defect in inlined_use_rightly."), told.text());
        command.addAll(2, List.of("--fail", "-o", "kept.madt"));
        MadtRun.command(directory, command).expect(4);
        try (Stream<Path> left = Files.list(directory)) {
            assertEquals(
                    2,
                    left.filter(file -> file.toString().contains("kept.madt")).count());
        }
    }

    /** A row of the table. */
    private void tell(Program program, String madt) throws Exception {
        String memcheck = Tier.SOAK ? memcheck(executable(program)) : "";
        System.out.printf(
                "%-28s %-14s %-14s %s%n",
                program.name(),
                program.kind() == null ? "nothing" : program.kind(),
                madt,
                memcheck);
    }

    /** Returns what memcheck says first. */
    private String memcheck(String executable) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/valgrind")), "no valgrind");
        MadtRun judged = MadtRun.command(
                directory,
                List.of(
                        "valgrind",
                        "-q",
                        "--leak-check=full",
                        "--error-exitcode=" + MEMCHECK_FOUND,
                        executable));
        return judged.status() != MEMCHECK_FOUND
                ? "nothing"
                : judged.errors()
                        .lines()
                        .filter(line -> line.matches("==\\d+== [A-Z0-9].*"))
                        .findFirst()
                        .map(line -> line.replaceFirst("==\\d+== ", ""))
                        .orElse("?");
    }
}

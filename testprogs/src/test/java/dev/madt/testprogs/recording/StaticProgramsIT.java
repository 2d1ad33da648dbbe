package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Programs that no loader prepares: they behave as alone, and are recorded from their first
 * instruction.
 */
class StaticProgramsIT {
    private static final String IDENTITY = MadtRun.program("attach/identity").toString();
    private static final int HEXADECIMAL = 16;
    /** Of a line of {@code nm -S}: address, size, kind, name. */
    private static final Pattern FUNCTION = Pattern.compile("([0-9a-f]+) ([0-9a-f]+) [tT] (\\S+)");

    private static final Pattern END = Pattern.compile("(?m)^([0-9a-f]+) [A-Z] _end$");

    /** Of Lackey: an instruction, or what it accesses. */
    private static final Pattern SHOWN = Pattern.compile("(I | L| S| M) +([0-9a-f]+),\\d+");

    private static final Pattern PRINTED =
            Pattern.compile("([LS])#\\d+:0x([0-9a-f]+),\\S+,0x([0-9a-f]+)");

    @TempDir
    Path directory;

    private MadtRun madt(String... words) throws Exception {
        return MadtRun.told(directory, words);
    }

    private static boolean isThere(String program) throws Exception {
        return MadtRun.command(Path.of("/"), List.of("sh", "-c", "command -v " + program))
                        .status()
                == 0;
    }

    @Test
    void shouldSeeOfItselfWhatItSeesAlone() throws Exception {
        for (List<String> more : List.of(List.<String>of(), List.of("one argument"))) {
            List<String> command = new ArrayList<>(List.of(IDENTITY));
            command.addAll(more);
            MadtRun alone = MadtRun.command(directory, command);
            List<String> words = new ArrayList<>(List.of("run", "-q", "-f", "-o", "t.madt", "--"));
            words.addAll(command);
            MadtRun run = madt(words.toArray(String[]::new));
            assertEquals(alone.status(), run.status());
            assertEquals(alone.text(), run.text());
            assertTrue(TraceFile.check(directory.resolve("t.madt")).accesses() > 1_000);
        }
    }

    @Test
    void shouldBeFollowedBelowAShell() throws Exception {
        MadtRun run = madt(
                        "run",
                        "-o",
                        "t.madt",
                        "--",
                        "sh",
                        "-c",
                        IDENTITY + " >/dev/null; (exec " + IDENTITY + "); exit 4")
                .expect(4);
        assertTrue(run.text().startsWith(IDENTITY + " identity " + IDENTITY), run.text());
        String info = madt("info", "--all", "t.madt").expect(0).text();
        assertEquals(2, info.lines().filter(line -> line.contains(" exit 7 ")).count(), info);
    }

    @Test
    void shouldSayWhatItCannotDo() throws Exception {
        for (String option : List.of("--engine=trap", "--tls")) {
            MadtRun run = madt("run", option, "--", IDENTITY).expect(126);
            assertTrue(run.errors().contains("statically linked"), run.errors());
        }
    }

    /** Without a library, nothing but the file's entry tells of code, and a system call ends it. */
    @Test
    void shouldRecordWhatBeginsAtTheFilesEntry() throws Exception {
        assemble("_start: mov ecx, 100\n1: add [rip+count], rcx\nloop 1b\n");
        MadtRun run = madt("run", "-f", "-o", "t.madt", "--", "./program").expect(0);
        assertTrue(run.errors().contains("200 accesses (100 L, 100 S)"), run.errors());
        assertTrue(run.errors().contains(", complete\n"), run.errors());
    }

    @Test
    void shouldAdviseNoEngineThatDoesNotGoWithIt() throws Exception {
        assemble("hidden: .rept 300\nadd [rip+count], rcx\n.endr\nret\n"
                + ".data\npointer: .quad hidden\n.text\n_start: call [rip+pointer]\n");
        MadtRun run = madt("run", "-f", "-o", "t.madt", "--", "./program").expect(0);
        assertTrue(
                run.errors()
                        .contains(" It needs unwind tables (-fasynchronous-unwind-tables) or"
                                + " symbols.\n"),
                run.errors());
    }

    /** Makes a program of this and a call of {@code exit}. */
    private void assemble(String code) throws Exception {
        Files.writeString(
                directory.resolve("program.s"),
                ".intel_syntax noprefix\n.globl _start\n.data\ncount: .quad 0\n.text\n" + code
                        + "xor edi, edi\nmov eax, 60\nsyscall\n");
        MadtRun.command(
                        directory,
                        List.of("gcc", "-static", "-nostdlib", "-s", "-o", "program", "program.s"))
                .expect(0);
    }

    /** Busybox executes itself by /proc/self/exe. */
    @Test
    void shouldRecordBusybox() throws Exception {
        assumeTrue(isThere("busybox"), "busybox-static");
        MadtRun run = madt(
                        "run",
                        "-o",
                        "t.madt",
                        "--",
                        "busybox",
                        "sh",
                        "-c",
                        "echo b; echo a | busybox sort; busybox awk 'BEGIN { exit 6 }'")
                .expect(6);
        assertEquals("b\na\n", run.text());
        String info = madt("info", "--all", "t.madt").expect(0).text();
        assertTrue(info.contains("busybox sort") && info.contains("busybox awk"), info);
    }

    @Test
    void shouldRecordGo() throws Exception {
        assumeTrue(isThere("go"), "golang-go");
        Files.writeString(
                directory.resolve("main.go"),
                """
                package main

                import "fmt"

                var table [64]int

                //go:noinline
                func fill(n int) {
                \tfor i := range table {
                \t\ttable[i] += n
                \t}
                }

                func main() {
                \tdone := make(chan int)
                \tfor g := 0; g < 4; g++ {
                \t\tgo func() { done <- len(make([]int, 1000)) }()
                \t}
                \tsum := 0
                \tfor g := 0; g < 4; g++ {
                \t\tsum += <-done
                \t}
                \tfor i := 0; i < 100; i++ {
                \t\tfill(i)
                \t}
                \tfmt.Println(sum, table[3])
                }
                """);
        recordGo("");
        String functions = MadtRun.madt(
                        directory, "report", "--by", "function", "--format", "csv", "t.madt")
                .expect(0)
                .text();
        Matcher fill = Pattern.compile("(?m)^([^,\n]+,)*main\\.fill,.*$").matcher(functions);
        assertTrue(functions.contains("main.fill"), functions);
        String lines = MadtRun.madt(directory, "print", "--symbol", "main.table", "t.madt")
                .expect(0)
                .text();
        long stores = lines.lines()
                .filter(line -> line.startsWith("S$") && line.contains(",main.fill+"))
                .count();
        assertEquals(6_400, stores, fill.toString());
        shouldNeedNoNamesOfAllocators();
        recordGo("-s -w"); // without symbols: Go's own table has the functions
        functions = madt("report", "--by", "function", "t.madt").expect(0).text();
        assertTrue(functions.contains("main.fill"), functions);
        String info = madt("info", "t.madt").expect(0).text();
        Matcher share = Pattern.compile("unrecorded code +([0-9.]+) % of").matcher(info);
        assertTrue(!share.find() || Double.parseDouble(share.group(1)) < 1, info);
    }

    /** Go's allocator is followed without {@code --alloc}. */
    private void shouldNeedNoNamesOfAllocators() throws Exception {
        String defects = madt("defects", "t.madt").expect(0).text();
        assertTrue(defects.contains("what is wrong with Go's blocks (its collector"), defects);
        MadtRun sites = madt("report", "--by", "site", "t.madt").expect(0);
        assertEquals("", sites.errors());
        assertTrue(sites.text().contains("<mallocgc@main.main"), sites.text());
    }

    private void recordGo(String flags) throws Exception {
        String build = "GOCACHE=$PWD/cache go build -ldflags='" + flags + "' -o program main.go";
        MadtRun.command(directory, List.of("sh", "-c", build)).expect(0);
        MadtRun run = madt("run", "-f", "-o", "t.madt", "--", "./program").expect(0);
        assertEquals("4000 4950\n", run.text());
    }

    private void build(String compiler, String source) throws Exception {
        assumeTrue(isThere(compiler.split(" ")[0]), "musl-tools");
        MadtRun.command(
                        directory,
                        List.of(
                                "sh",
                                "-c",
                                compiler + " -std=gnu11 -g -O1 -pthread -o program " + source))
                .expect(0);
    }

    private static String attached(String source) {
        return MadtRun.root() + "/testprogs/attach/" + source;
    }

    /** The storage of the first thread lies in front of the blocks, in the break. */
    @ParameterizedTest
    @CsvSource({"gcc -static", "gcc -static-pie", "musl-gcc -static"})
    void shouldTakeTheFirstThreadsStorageForNoHeap(String compiler) throws Exception {
        Files.writeString(
                directory.resolve("stores.c"),
                """
                #include <pthread.h>
                #include <stdio.h>
                #include <stdlib.h>

                static __thread char own[700];

                static void *work(void *argument)
                {
                    for (int i = 0; i < 100; i++)
                        ((volatile char *)argument)[i] = own[i];
                    return NULL;
                }

                int main(void)
                {
                    char *block = malloc(100);
                    pthread_t thread;

                    pthread_create(&thread, NULL, work, own);
                    pthread_join(thread, NULL);
                    work(block);
                    puts("done");
                    return 0;
                }
                """);
        build(compiler, "stores.c");
        for (List<String> more : List.of(List.<String>of(), List.of("--stack"))) {
            List<String> words = new ArrayList<>(List.of("run", "-f", "-o", "t.madt"));
            words.addAll(more);
            words.addAll(List.of("--", "./program"));
            MadtRun run = madt(words.toArray(String[]::new)).expect(0);
            assertFalse(run.errors().contains("madt: defects:"), run.errors());
            String lines = MadtRun.madt(directory, "print", "t.madt").expect(0).text();
            assertFalse(lines.contains(":[heap]+"), lines);
            long stores = lines.lines()
                    .filter(line -> line.matches("S\\$\\d+:<malloc.*@main.*,work\\+\\d+"))
                    .count();
            assertEquals(100, stores, run.errors());
        }
    }

    /** The C library frees again what it keeps for a thread, when the thread ends. */
    @ParameterizedTest
    @CsvSource({"gcc -static", "gcc -static-pie", "musl-gcc -static"})
    void shouldTakeNoEndOfAThreadForDefects(String compiler) throws Exception {
        build(compiler, attached("ends.c"));
        String text = madt("defects", "--", "./program").expect(0).text();
        assertTrue(text.startsWith("ready\nNo defect"), text);
    }

    /** The key's destructor is the C library's free, which its own code calls. */
    @Test
    void shouldFindTheSecondFreeOfAKeysValue() throws Exception {
        build("gcc -static", attached("ends.c"));
        String text = madt("defects", "--", "./program", "1", "twice").text();
        assertTrue(text.contains("(2,000 bytes), which has been freed before"), text);
        assertEquals(2, text.split("freed before", -1).length, text);
    }

    /** The C library's own functions are known there by their hooks alone. */
    @Test
    void shouldGrowBlocksWhoseFormerPlacesAreKeptBack() throws Exception {
        Files.writeString(
                directory.resolve("grows.c"),
                """
                #include <stdio.h>
                #include <stdlib.h>
                #include <string.h>

                int main(void)
                {
                    char *block = strcpy(malloc(10), "contents");

                    for (int size = 1000; size < 5000000; size *= 2)
                        block = realloc(block, size);
                    block = reallocarray(block, 3, 5000);
                    puts(block);
                    free(block);
                    return 0;
                }
                """);
        for (String compiler : List.of("gcc -static", "musl-gcc -static")) {
            build(compiler, "grows.c");
            for (String kept : List.of("--quarantine=20M", "--quarantine=1K")) {
                MadtRun run = madt("run", "-q", "-f", kept, "-o", "t.madt", "--", "./program");
                assertEquals("contents\n", run.expect(0).text());
            }
            String text = madt("defects", "--", "./program").expect(0).text();
            assertTrue(text.startsWith("contents\nNo defect"), text);
        }
    }

    /** Lackey shows what each instruction of the program's own functions accesses of its data. */
    @ParameterizedTest
    @CsvSource({
        "gcc -static -no-pie, globals",
        "gcc -static -no-pie, modify",
        "gcc -static -no-pie, sorting",
        "musl-gcc -static -no-pie, modify",
        "musl-gcc -static -no-pie, globals"
    })
    @SoakCases({
        "gcc -static -no-pie, dispatch",
        "gcc -static -no-pie, matrix",
        "gcc -static -no-pie, operands",
        "gcc -static -no-pie, straddle",
        "gcc -static -no-pie, strings",
        "gcc -static -no-pie, x87",
        "musl-gcc -static -no-pie, dispatch",
        "musl-gcc -static -no-pie, matrix",
        "musl-gcc -static -no-pie, sorting",
        "musl-gcc -static -no-pie, strings"
    })
    void shouldRecordTheSequenceOfLackey(String compiler, String source) throws Exception {
        assumeTrue(isThere(compiler.split(" ")[0]), "musl-tools");
        String root = MadtRun.root().toString();
        MadtRun.command(
                        directory,
                        List.of(
                                "sh",
                                "-c",
                                compiler + " -g -O1 -march=x86-64 -I" + root
                                        + "/madt-native/include -c " + root + "/testprogs/src/"
                                        + source + ".c -o part.o && " + compiler
                                        + " part.o -o program"))
                .expect(0);
        TreeMap<Long, Long> functions = functions();
        MadtRun alone = MadtRun.command(
                directory,
                List.of(
                        "valgrind",
                        "--tool=lackey",
                        "--trace-mem=yes",
                        "--log-file=log",
                        "./program"));
        MadtRun run = madt("run", "-q", "-o", "t.madt", "--", "./program");
        assertEquals(alone.status(), run.status());
        assertEquals(alone.text(), run.text());
        List<String> shown = shown(functions);
        List<String> printed = printed(functions);
        assertTrue(shown.size() > 20, () -> shown.size() + " accesses");
        assertEquals(shown, printed);
    }

    /** Behind it lie the heap and the stack. */
    private long imageEnd;

    /** Start and end of the functions of the source. */
    private TreeMap<Long, Long> functions() throws Exception {
        List<String> own = MadtRun.command(directory, List.of("nm", "-S", "part.o"))
                .expect(0)
                .text()
                .lines()
                .map(FUNCTION::matcher)
                .filter(Matcher::matches)
                .map(line -> line.group(3))
                .toList();
        TreeMap<Long, Long> functions = new TreeMap<>();
        String symbols = MadtRun.command(directory, List.of("nm", "-S", "program"))
                .expect(0)
                .text();
        Matcher end = END.matcher(symbols);
        assertTrue(end.find(), symbols);
        imageEnd = number(end.group(1));
        for (String line : symbols.lines().toList()) {
            Matcher function = FUNCTION.matcher(line);
            if (function.matches() && own.contains(function.group(3))) {
                long start = number(function.group(1));
                functions.put(start, start + number(function.group(2)));
            }
        }
        return functions;
    }

    private static long number(String text) {
        return Long.parseUnsignedLong(text, HEXADECIMAL);
    }

    private boolean counts(TreeMap<Long, Long> functions, long code, long address) {
        var function = functions.floorEntry(code);
        return function != null && code < function.getValue() && address < imageEnd;
    }

    private List<String> shown(TreeMap<Long, Long> functions) throws Exception {
        List<String> accesses = new ArrayList<>();
        long code = 0;
        for (String line : Files.readAllLines(directory.resolve("log"))) {
            Matcher part = SHOWN.matcher(line);
            if (!part.matches()) {
                continue;
            }
            long address = number(part.group(2));
            String kind = part.group(1).strip();
            if (kind.equals("I")) {
                code = address;
            } else if (counts(functions, code, address)) {
                for (String one : kind.equals("M") ? List.of("L", "S") : List.of(kind)) {
                    accesses.add(one + ' ' + Long.toHexString(address) + " at "
                            + Long.toHexString(code));
                }
            }
        }
        return accesses;
    }

    private List<String> printed(TreeMap<Long, Long> functions) throws Exception {
        List<String> accesses = new ArrayList<>();
        for (String line : MadtRun.madt(directory, "print", "--raw", "t.madt")
                .expect(0)
                .text()
                .lines()
                .toList()) {
            Matcher access = PRINTED.matcher(line);
            if (access.matches()
                    && counts(functions, number(access.group(3)), number(access.group(2)))) {
                accesses.add(access.group(1) + ' ' + access.group(2) + " at " + access.group(3));
            }
        }
        return accesses;
    }
}

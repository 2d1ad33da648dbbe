package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Functions of the user's that instruments call: what they count is compared with what the program
 * itself knows, and its registers and its accesses with those without them.
 */
class InstrumentCallsIT {
    private static final int THREADS = 3;
    private static final int CALLS = 1000;

    @TempDir
    Path directory;

    private Path build(String name, String source, String... words) throws Exception {
        Path code = Files.writeString(directory.resolve(name + ".c"), source);
        Path library = directory.resolve(name);
        List<String> command = new ArrayList<>(List.of("gcc", "-Wall", "-Wextra", "-fPIC"));
        command.add("-I" + MadtRun.root().resolve("madt-native/include"));
        command.addAll(List.of(words));
        command.addAll(List.of("-o", library.toString(), code.toString()));
        MadtRun.command(directory, command).expect(0);
        return library;
    }

    private String program(String name) throws Exception {
        return InstrumentGuardsIT.program(directory, name).toString();
    }

    private MadtRun run(List<String> options, String... program) throws Exception {
        return InstrumentsIT.run(directory, options, program);
    }

    /** Returns the numbers that functions have left, by their names and keys. */
    private Map<String, Long> numbers() throws Exception {
        Map<String, Long> numbers = new TreeMap<>();
        for (String line : MadtRun.madt(directory, "points", "--format", "csv", "t.madt")
                .expect(0)
                .text()
                .lines()
                .toList()) {
            List<String> cells = CsvLine.cells(line);
            if (cells.size() == 5 && cells.get(1).startsWith("call ")) {
                String function = cells.get(1).substring(5, cells.get(1).indexOf('@'));
                numbers.put(function + " " + cells.get(2), Long.parseLong(cells.get(4)));
            }
        }
        return numbers;
    }

    private static final String COUNTING =
            """
            #include <madt_probe.h>

            static const char *const wanted[] = { "add", "step" };
            static unsigned long all; /* of all threads: read with care */

            void each(const struct madt_probe *probe)
            {
                const unsigned long value = madt_probe_argument(probe, 0);

                probe->numbers[madt_probe_slot(value)]++;
                probe->numbers[60] += value;
                probe->numbers[61] += probe->place[0] == wanted[1][0];
                __atomic_fetch_add(&all, 1, __ATOMIC_RELAXED);
            }

            void text(const struct madt_probe *probe)
            {
                char text[8];
                uint64_t word = 7;

                probe->numbers[0] += madt_probe_text(text, madt_probe_argument(probe, 2), 8);
                probe->numbers[1] += text[0] == 'a';
                probe->numbers[2] += madt_probe_read(&word, 8, sizeof word);
                probe->numbers[3] += madt_probe_read(&word, probe->general[MADT_RSP], 8);
            }

            void total(const struct madt_probe *probe)
            {
                probe->numbers[0] = all;
                probe->numbers[1] = madt_probe_result(probe);
            }
            """;

    @Test
    void shouldCountWhatTheProgramCounts() throws Exception {
        build("my.so", COUNTING, "-O2", "-shared");
        String program = program("points");
        String[] line = {program, Integer.toString(THREADS), Integer.toString(CALLS)};
        String alone = MadtRun.command(directory, List.of(line)).expect(0).text();
        MadtRun run = run(
                List.of(
                        "--at",
                        "step",
                        "call each@./my.so; count",
                        "--at",
                        "add",
                        "call text@./my.so",
                        "--at",
                        "main:return",
                        "call total@my.so"),
                line);
        assertEquals(alone, run.expect(0).text());
        assertEquals("", run.errors());
        Map<String, Long> expected = new TreeMap<>();
        for (long value = 0; value < CALLS; value++) {
            int slot = Long.SIZE - Long.numberOfLeadingZeros(value);
            expected.merge("each " + slot, (long) THREADS, Long::sum);
            expected.merge("each 60", value * THREADS, Long::sum);
        }
        expected.put("each 61", (long) THREADS * CALLS);
        expected.put("text 0", 20L);
        expected.put("text 1", 10L);
        expected.put("text 3", 20L * 8);
        expected.put("total 0", (long) THREADS * CALLS);
        assertEquals(expected, numbers());
    }

    /** Checks each way: the code of the library decides on which registers are saved. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    general | probe->numbers[1] += probe->flags & 1
                    low     | __asm__ volatile("pcmpeqd %xmm0, %xmm0; movaps %xmm0, %xmm15")
                    control | __asm__ volatile("ldmxcsr %0" : : "m"((uint32_t){ 0x7f80 }))
                    forward | __asm__ volatile("stc; std; cld")
                    x87     | __asm__ volatile("fninit; fldpi")
                    wide    | __asm__ volatile("xor %%ecx, %%ecx; xgetbv; test $4, %%eax; jz 1f; \
                    vzeroall; test $32, %%eax; jz 1f; kxnorw %%k1, %%k1, %%k1; \
                    vpternlogd $0xff, %%zmm19, %%zmm19, %%zmm19; 1:" : : : "rax", "rcx", "rdx")
                    """)
    void shouldLeaveAllRegistersAsTheyWere(String name, String code) throws Exception {
        String function = "void spoil(const struct madt_probe *probe)\n{\n\tprobe->numbers[0]++;\n"
                + "\t" + code.replaceAll("\\\\\\s+", "") + ";\n}\n";
        build(name + ".so", "#include <madt_probe.h>\n" + function, "-O2", "-shared");
        String program = program("registers");
        MadtRun run = run(List.of("--at", "point", "call spoil@" + name + ".so"), program, "30");
        assertTrue(run.expect(0).text().matches("0 of [0-9]+\n"), run.text() + run.errors());
        assertEquals(30, numbers().get("spoil 0"));
    }

    @Test
    void shouldSwitchOffAFunctionThatFaults() throws Exception {
        build(
                "my.so",
                """
                #include <madt_probe.h>

                void store(const struct madt_probe *probe)
                {
                    if (++probe->numbers[0] == 10)
                        *(volatile int *)probe->numbers[0] = 1;
                }

                void stop(const struct madt_probe *probe)
                {
                    probe->numbers[0]++;
                    __builtin_trap();
                }
                """,
                "-O2",
                "-shared");
        MadtRun run = run(
                List.of("--at", "step", "call store@my.so", "--at", "add", "call stop@my.so"),
                program("points"),
                "1",
                "100");
        assertEquals("step 100\nsum -107447\n", run.expect(0).text());
        assertTrue(run.errors().contains("2 calls of functions ended with a fault"), run.errors());
        assertEquals(
                Map.of("store 0", 10L, "store faults", 1L, "stop 0", 1L, "stop faults", 1L),
                numbers());
    }

    /** Nothing of what it does is among the program's accesses and allocations. */
    @Test
    void shouldRecordTheProgramAlone() throws Exception {
        build("my.so", COUNTING, "-O2", "-shared");
        String program = program("points");
        List<String> plain = List.of("--record", "accesses", "--start", "main");
        List<String> with = new ArrayList<>(plain);
        with.addAll(List.of("--at", "step", "call each@my.so", "--at", "add", "call text@my.so"));
        run(plain, program, "1", "100").expect(0);
        List<String> expected = accesses();
        run(with, program, "1", "100").expect(0);
        assertEquals(expected, accesses());
    }

    /**
     * Returns them in no order, as threads are as fast as they like, and without a wait for a
     * thread, which may have ended before.
     */
    private List<String> accesses() throws Exception {
        return MadtRun.madt(directory, "print", "--kind", "access,allocation", "t.madt")
                .expect(0)
                .text()
                .lines()
                .filter(line -> !line.contains(",__futex_abstimed_wait_common"))
                .map(line -> line.replaceAll("0x[0-9a-f]+|\\$[0-9]+|\\[.*?\\]", ""))
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    void my(const struct madt_probe *p); int printf(const char *, ...); \
                    void my(const struct madt_probe *p) { printf("%p", p); } | needs printf
                    static __thread int n; \
                    void my(const struct madt_probe *p) { p->numbers[0] = n++; } | thread-local
                    __attribute__((constructor)) void begin(void) {} \
                    void my(const struct madt_probe *p) { p->numbers[0]++; } | constructors
                    void my(const struct madt_probe *p) \
                    { __asm__ volatile("syscall"); p->numbers[0]++; } | makes system calls
                    void myy(const struct madt_probe *p) { p->numbers[0]++; } \
                    | has no function 'my'. Did you mean 'myy'
                    """)
    void shouldRefuseWhatItCannotCall(String source, String expected) throws Exception {
        build("my.so", "#include <madt_probe.h>\n" + source + "\n", "-O2", "-shared");
        MadtRun run = run(List.of("--at", "main", "call my@my.so"), "/bin/echo", "it ran");
        assertTrue(run.errors().contains(expected), run.errors());
        assertEquals("", run.text());
        assertEquals(125, run.status());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    call my@absent.so | no functions of absent.so can be called: .*absent.so
                    call my@/bin/echo | which takes a loader
                    call my@/etc/passwd | not an ELF file
                    call my | call takes a function and its library
                    call @my.so | call takes a function and its library
                    """)
    void shouldRefuseWhatIsNoLibrary(String action, String expected) throws Exception {
        MadtRun run = run(List.of("--at", "main", action), "/bin/echo", "it ran");
        assertTrue(run.errors().matches("(?s).*" + expected + ".*"), run.errors());
        assertEquals("", run.text());
        assertEquals(125, run.status());
    }

    @Test
    void shouldCallInAProcessThatRunsAlready() throws Exception {
        build("my.so", COUNTING, "-O2", "-shared");
        Path program = build(
                "echoes",
                """
                #include <stdio.h>

                __attribute__((noinline)) int step(int number)
                {
                    __asm__ volatile("");
                    return number & 7;
                }

                int main(void)
                {
                    int number;
                    while (scanf("%d", &number) == 1) {
                        printf("%d\\n", step(number));
                        fflush(stdout);
                    }
                    return 0;
                }
                """,
                "-g");
        Process process = new ProcessBuilder(program.toString()).start();
        try (BufferedReader answers = process.inputReader()) {
            ask(process, answers, 5);
            Process madt = new ProcessBuilder(
                            MadtRun.launcher().toString(),
                            "run",
                            "-f",
                            "-o",
                            directory.resolve("t.madt").toString(),
                            "--at",
                            "step",
                            "call each@" + directory.resolve("my.so"),
                            "-p",
                            Long.toString(process.pid()))
                    .start();
            BufferedReader said = madt.errorReader(StandardCharsets.UTF_8);
            String attached = said.readLine();
            assertTrue(attached != null && attached.contains("attached"), attached);
            ask(process, answers, 9);
            ask(process, answers, 1000);
            madt.toHandle().destroy();
            String rest = String.join("\n", said.lines().toList());
            assertEquals(0, madt.waitFor(), rest);
            ask(process, answers, 3);
            process.getOutputStream().close();
            assertEquals(0, process.waitFor());
        } finally {
            process.destroyForcibly();
        }
        assertEquals(
                Map.of("each 4", 1L, "each 10", 1L, "each 60", 1009L, "each 61", 2L), numbers());
    }

    private static void ask(Process process, BufferedReader answers, int number) throws Exception {
        process.getOutputStream().write((number + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        assertEquals(Integer.toString(number & 7), answers.readLine());
    }
}

package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that what MadT does for itself is in no trace: accesses of all functions of all modules,
 * as far as they come with each round of a loop. And what an interposed function keeps out of the
 * trace ends with it, also where an exception or a cancellation ends it.
 */
@ParameterizedClass(name = "engine {0}")
@ValueSource(strings = {"splice", "trap"})
class OwnWorkIT {
    /**
     * {@code for (n = atoi(argv[1]); n > 0; n--) delete new int;} Each round has two calls and so
     * two loads of the PLT.
     */
    private static final String SOURCE =
            """
            .globl main
            .type main, @function
            main:   .cfi_startproc
                    endbr64
                    pushq %rbx
                    .cfi_adjust_cfa_offset 8
                    movq 8(%rsi), %rdi
                    call atoi@PLT
                    movl %eax, %ebx
            again:  decl %ebx
                    js done
                    movl $4, %edi
                    call _Znwm@PLT
                    movq %rax, %rdi
                    movl $4, %esi
                    call _ZdlPvm@PLT
                    jmp again
            done:   xorl %eax, %eax
                    popq %rbx
                    .cfi_adjust_cfa_offset -8
                    ret
                    .cfi_endproc
            .size main, .-main
            .section .note.GNU-stack,"",@progbits
            """;

    private static final String LEFT =
            """
            #include <new>
            #include <pthread.h>
            #include <unistd.h>
            volatile int caught[3];
            static void *wait(void *arg) {
                char c;
                pthread_cleanup_push([](void *) { caught[1] = 11; }, nullptr);
                while (read(*static_cast<int *>(arg), &c, 1) >= 0) {}
                pthread_cleanup_pop(0);
                return nullptr;
            }
            static void tell(void *last) { caught[2] = last != nullptr; }
            int main() {
                pthread_t thread;
                int ends[2];
                try {
                    operator delete(operator new(std::size_t(1) << 60));
                } catch (const std::bad_alloc &) {
                    caught[0] = 10;
                }
                if (pipe(ends) || pthread_create(&thread, nullptr, wait, ends)) return 1;
                usleep(100000);
                pthread_cancel(thread);
                pthread_join(thread, nullptr);
                tell(&thread);
            }
            """;
    private static final String THREADS =
            """
            #include <malloc.h>
            #include <pthread.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            static char *volatile late;
            static void *work(void *arg) {
                void *blocks[40];
                for (int i = 0; i < 40; i++) blocks[i] = malloc(24 + 40 * (i % 5));
                for (int i = 0; i < 40; i++) free(blocks[i]);
                return arg;
            }
            int main(int argc, char **argv) {
                pthread_t thread;
                (void)argv;
                for (int i = 0; i < 3; i++) {
                    if (pthread_create(&thread, NULL, work, NULL)) return 1;
                    pthread_join(thread, NULL);
                }
                malloc_trim(0);
                late = malloc(100);
                strcpy(late, "text");
                if (malloc_usable_size(late) < 100 || mallinfo2().uordblks == 0) return 2;
                malloc_info(0, stdout);
                free(late);
                if (argc > 1) { int length = (int)strlen(late); late[8] = 1; memcpy(late + 32, \
            "abc", 4); return length < 0; }
                return 0;
            }
            """;
    private static final int ROUNDS = 1_000;
    private static final Pattern ACCESS = Pattern.compile("([LSYWG])\\$.*,([^,+]+)\\+\\d+");

    @Parameter
    String engine;

    @TempDir
    Path directory;

    @Test
    void shouldGoOnWhereAnExceptionLeavesAnInterposedFunction() throws Exception {
        Files.writeString(directory.resolve("left.cpp"), LEFT);
        MadtRun.command(directory, List.of("g++", "-O1", "-pthread", "-o", "left", "left.cpp"))
                .expect(0);
        MadtRun.madt(directory, "run", "-q", "-o", "t.madt", "--engine", engine, "--", "./left")
                .expect(0);
        List<String> lines = MadtRun.madt(directory, "print", "t.madt")
                .expect(0)
                .text()
                .lines()
                .toList();
        List<String> stores = lines.stream()
                .map(line -> line.replaceAll("^(S)\\$\\d+:([^,]*),.*", "$1 $2"))
                .filter(line -> line.startsWith("S caught"))
                .sorted()
                .toList();
        assertEquals(List.of("S caught+0", "S caught+4", "S caught+8"), stores);
        assertEquals(
                1,
                lines.stream()
                        .filter(line -> line.matches("M.*,1152921504606846976"))
                        .count(),
                () -> String.join("\n", lines));
    }

    /**
     * Checks that what the allocator does to its own blocks is no use after free: at the end of a
     * thread, in malloc_trim; what others do to them is.
     */
    @Test
    void shouldTakeTheAllocatorsOwnWorkForNoDefect() throws Exception {
        Files.writeString(directory.resolve("threads.c"), THREADS);
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-O1",
                                "-fno-builtin",
                                "-w",
                                "-pthread",
                                "-o",
                                "threads",
                                "threads.c"))
                .expect(0);
        assertEquals("", defects());
        String found = defects("bad");
        assertTrue(
                found.contains("Defects: 2 accesses to blocks after their end")
                        && found.contains("strlen"),
                found);
        assertEquals(
                2,
                found.lines()
                        .filter(line -> line.matches(
                                " *1 +store .* main\\+\\d+ +main\\+\\d+ +main\\+\\d+ *"))
                        .count(),
                found);
    }

    private String defects(String... arguments) throws Exception {
        MadtRun.command(
                        directory,
                        concat(
                                List.of(
                                        MadtRun.launcher().toString(),
                                        "run",
                                        "-q",
                                        "-f",
                                        "-o",
                                        "t.madt",
                                        "--engine",
                                        engine,
                                        "--",
                                        "./threads"),
                                List.of(arguments)))
                .expect(0);
        String report = MadtRun.madt(directory, "report", "t.madt").expect(0).text();
        return report.contains("Defects") ? report.substring(report.indexOf("Defects")) : "";
    }

    /** The orders are those of lib/operators.c. */
    @ParameterizedTest
    @ValueSource(strings = {"cs", "sC", "cS", "Ds"})
    void shouldCallTheOperatorsThatAreCalledWithoutIt(String order) throws Exception {
        assumeTrue(
                engine.equals("splice") || Tier.SOAK || order.equals("Ds"),
                "engine trap takes minutes for all");
        List<String> command = List.of(
                MadtRun.program("operators").toString(), MadtRun.program("").toString(), order);
        MadtRun alone = MadtRun.command(directory, command);
        MadtRun traced = MadtRun.command(
                directory,
                concat(
                        List.of(
                                MadtRun.launcher().toString(),
                                "run",
                                "-q",
                                "-o",
                                "%p.madt",
                                "--data",
                                "--engine",
                                engine,
                                "--"),
                        command));
        assertEquals(alone.text(), traced.text());
        assertEquals(alone.status(), traced.status());
    }

    @BeforeEach
    void build() throws Exception {
        Files.writeString(directory.resolve("loop.s"), SOURCE);
        MadtRun.command(directory, List.of("g++", "-Wl,-z,now", "-o", "loop", "loop.s"))
                .expect(0);
    }

    @Test
    void shouldRecordNothingOfItsOwnInNewAndDelete() throws Exception {
        Map<String, Integer> seen = accesses(ROUNDS);
        accesses(0).forEach((name, count) -> seen.merge(name, -count, Integer::sum));
        seen.values().removeIf(count -> count == 0);
        Map<String, Integer> expected =
                new TreeMap<>(Map.of("L _ZdlPvm@plt", ROUNDS, "L _Znwm@plt", ROUNDS));
        if (engine.equals("splice")) {
            expected.put("S main", 2 * ROUNDS);
        }
        expected.put("M", ROUNDS);
        expected.put("F", ROUNDS);
        assertEquals(expected, seen);
    }

    /** Events by their letter and function; allocations by their letter. */
    private Map<String, Integer> accesses(int rounds) throws Exception {
        Map<String, Integer> counts = new TreeMap<>();
        List<String> stack =
                engine.equals("splice") ? List.of("--stack") : List.of("--data", "--lib", "--heap");
        MadtRun.command(
                        directory,
                        concat(
                                List.of(
                                        MadtRun.launcher().toString(),
                                        "run",
                                        "-q",
                                        "-f",
                                        "-o",
                                        "t.madt",
                                        "--engine",
                                        engine),
                                stack,
                                List.of("--", "./loop", String.format("%04d", rounds))))
                .expect(0);
        MadtRun.madt(directory, "print", "t.madt").expect(0).text().lines().forEach(line -> {
            Matcher matcher = ACCESS.matcher(line);
            String key = matcher.matches()
                    ? matcher.group(1) + " " + matcher.group(2)
                    : line.substring(0, 1);
            counts.merge(key, 1, Integer::sum);
        });
        return counts;
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static List<String> concat(List<String>... parts) {
        return java.util.Arrays.stream(parts).flatMap(List::stream).toList();
    }
}

package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The action {@code stack} of instruments: gdb judges it at random instructions. */
class InstrumentStacksIT {
    private static final int LEAST = 200;
    /** Handlers that interrupt functions at their first and last instructions, and leaves. */
    private static final String FAULTS =
            """
            #define _GNU_SOURCE
            #include <signal.h>
            #include <stdio.h>
            #include <ucontext.h>

            static volatile int depth, sum;

            __attribute__((noinline)) static int count(int n)
            {
                return n < 2 ? n : count(n - 1) + n;
            }

            static void handler(int number, siginfo_t *info, void *raw)
            {
                ucontext_t *context = raw;

                (void)info;
                sum += count(number);
                context->uc_mcontext.gregs[REG_RIP] += 2;
            }

            __attribute__((noinline)) static int leaf(int n)
            {
                __asm__ volatile("ud2");
                return n * 3;
            }

            __attribute__((naked, noinline)) static int pushes(int n)
            {
                __asm__("ud2\\n\\t"
                        "push %rbx\\n\\t.cfi_adjust_cfa_offset 8\\n\\t.cfi_rel_offset rbx, 0\\n\\t"
                        "ud2\\n\\tmov %edi, %ebx\\n\\tcall *count_at(%rip)\\n\\t"
                        "lea (%rax, %rbx), %eax\\n\\tud2\\n\\t"
                        "pop %rbx\\n\\t.cfi_adjust_cfa_offset -8\\n\\t.cfi_restore rbx\\n\\t"
                        "ud2\\n\\tret");
            }
            int (*count_at)(int) = count;

            __attribute__((noinline)) static int nested(int n)
            {
                char sized[n * 16 + 1];

                sized[n] = (char)leaf(n);
                return n ? nested(n - 1) + pushes(n) + sized[n] : leaf(n);
            }

            int main(void)
            {
                struct sigaction own = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };

                sigaction(SIGILL, &own, NULL);
                for (int i = 0; i < 8; i++)
                    sum += nested(i);
                printf("%d\\n", sum);
                return 0;
            }
            """;

    private static final String WAYS =
            """
            #include <pthread.h>
            #include <sys/wait.h>
            #include <unistd.h>

            #define KEEP __attribute__((noipa))

            KEEP void end(long n) { __asm__ volatile("" : : "r"(n)); }
            KEEP void right(void) { end(3); __asm__ volatile(""); }
            KEEP void left(int to) { if (to) right(); else end(2); __asm__ volatile(""); }

            KEEP void *thread(void *argument)
            {
                for (int i = 0; i < 1000; i++)
                    left(0);
                for (int i = 0; i < 750; i++)
                    left(1);
                return argument;
            }

            int main(void)
            {
                pthread_t threads[4];

                for (int i = 0; i < 4; i++)
                    pthread_create(&threads[i], NULL, thread, NULL);
                for (int i = 0; i < 4; i++)
                    pthread_join(threads[i], NULL);
                if (!fork()) {
                    for (int i = 0; i < 7; i++)
                        left(1);
                    _exit(0);
                }
                wait(NULL);
                for (int i = 0; i < 5; i++)
                    left(0);
                return 0;
            }
            """;

    @TempDir
    Path directory;

    /** Handlers, contexts, callbacks of the C library, and threads; no frame pointers. */
    @Test
    void shouldEqualGdbInC() throws Exception {
        compare(Path.of(ChainedPrograms.c(directory, "gcc", "-O2", "-fomit-frame-pointer")));
    }

    /** Interrupted functions, anywhere in what begins and ends their frames. */
    @Test
    void shouldEqualGdbInHandlers() throws Exception {
        compare(Path.of(ChainedPrograms.built(
                directory, "faults.c", FAULTS, "-fomit-frame-pointer", "gcc", "-O2")));
    }

    /** Exceptions that pass frames, realigned stacks, and stacks of changing size. */
    @Test
    void shouldEqualGdbInCxx() throws Exception {
        compare(Path.of(ChainedPrograms.cxx(directory, "g++", "-O2", "-mavx2")));
    }

    @Test
    void shouldEqualGdbInSqlite() throws Exception {
        compare(ChainedPrograms.SQLITE, library("libsqlite3.so.0"));
    }

    @Soak
    @Test
    void shouldEqualGdbInPython() throws Exception {
        Path python = Path.of("/usr/bin/python3");
        Assumptions.assumeTrue(Files.isExecutable(python), "no " + python);
        compare(
                List.of(python.toString(), "-S", "-c", "print(sorted([3, 1, 2]))"),
                python.toRealPath());
    }

    @Soak
    @Test
    void shouldEqualGdbInPerl() throws Exception {
        Path perl = Path.of("/usr/bin/perl");
        Assumptions.assumeTrue(Files.isExecutable(perl), "no " + perl);
        compare(List.of(perl.toString(), "-e", "print join ',', map { $_ x 3 } 1 .. 100"), perl);
    }

    @Soak
    @Test
    void shouldEqualGdbInRust() throws Exception {
        Assumptions.assumeTrue(
                Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "rustc"))),
                "no rustc");
        // whose order does not change from run to run
        String source = ChainedPrograms.RUST.replace("HashMap", "BTreeMap");
        compare(Path.of(ChainedPrograms.built(directory, "chained.rs", source, "-O", "rustc")));
    }

    /** The program says how often it came from where: threads, and a child of fork. */
    @Test
    void shouldCountByStacks() throws Exception {
        Files.writeString(directory.resolve("ways.c"), WAYS);
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-O2",
                                "-fomit-frame-pointer",
                                "-pthread",
                                "-o",
                                "ways",
                                "ways.c"))
                .expect(0);
        MadtRun.told(
                        directory,
                        "run",
                        "-f",
                        "-o",
                        "w.madt",
                        "--chain",
                        "1",
                        "--at",
                        "end",
                        "stack 2; sum arg0 by stack; log; count",
                        "--at",
                        "end",
                        "stack 1",
                        "--",
                        directory.resolve("ways").toString())
                .expect(0);

        List<String> parent = stacks("w.madt");
        assertEquals(
                List.of(
                        "4000,stack 2,,end left thread",
                        "3000,stack 2,,end right left",
                        "5,stack 2,,end left main",
                        "3000,sum arg0 by stack,9000,end right left",
                        "4000,sum arg0 by stack,8000,end left thread",
                        "5,sum arg0 by stack,10,end left main",
                        "4005,stack 1,,end left",
                        "3000,stack 1,,end right"),
                parent.stream().map(InstrumentStacksIT::plain).toList());
        Path child = Files.list(directory)
                .filter(file -> file.getFileName().toString().matches("w\\.madt\\.[0-9]+"))
                .findFirst()
                .orElseThrow();
        assertEquals(
                List.of(
                        "7,stack 2,,end right left",
                        "7,sum arg0 by stack,21,end right left",
                        "7,stack 1,,end right"),
                stacks(child.getFileName().toString()).stream()
                        .map(InstrumentStacksIT::plain)
                        .toList());
        MadtRun flame =
                MadtRun.madt(directory, "flame", "--by", "end", "w.madt").expect(0);
        assertEquals(
                List.of("…;left;right;end 3000", "…;main;left;end 5", "…;thread;left;end 4000"),
                flame.text().lines().sorted().toList());
        long lines = MadtRun.madt(directory, "print", "--kind", "T", "w.madt")
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.matches(".*,end\\+\\d+ ← (left|right)\\+\\d+ ← .*"))
                .count();
        assertEquals(7005, lines);
    }

    /** Returns the rows of stacks. */
    private List<String> stacks(String trace) throws Exception {
        return MadtRun.madt(directory, "points", "--format", "csv", trace)
                .expect(0)
                .text()
                .lines()
                .dropWhile(line -> !line.endsWith("calls"))
                .skip(1)
                .toList();
    }

    /** Returns hits, action, value and the functions of a row. */
    private static String plain(String row) {
        List<String> cells = CsvLine.cells(row);
        String calls = cells.get(4).replaceAll("\\+\\d+( ←)?|…", "").strip();
        return String.join(",", cells.get(0), cells.get(2), cells.get(3), calls);
    }

    private Path library(String name) throws Exception {
        String line = MadtRun.command(directory, List.of("ldd", ChainedPrograms.SQLITE.get(0)))
                .expect(0)
                .text()
                .lines()
                .filter(one -> one.strip().startsWith(name))
                .findFirst()
                .orElseThrow();
        return Path.of(line.replaceFirst(".*=> (\\S+).*", "$1")).toRealPath();
    }

    private void compare(Path program) throws Exception {
        compare(List.of(program.toString()), program);
    }

    private void compare(List<String> command, Path module) throws Exception {
        int compared = new StackOracle(directory).compare(command, module);

        assertTrue(compared >= LEAST, compared + " stacks");
    }
}

package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chain of calls of each allocation: gdb judges it. */
class ChainsIT {
    private static final int MOST = 2000;

    @TempDir
    Path directory;

    /**
     * Handlers, on the stack and on one of their own, contexts, callbacks of the C library, and
     * more callers than are told.
     */
    @Test
    void shouldEqualGdbInHandlersContextsAndThreads() throws Exception {
        String program = ChainedPrograms.c(directory, "gcc", "-O2");

        int compared = new ChainOracle(directory).compare(List.of(program), MOST);

        assertTrue(compared >= 1500, compared + " calls");
    }

    /** Exceptions that pass frames, realigned stacks, and stacks of changing size. */
    @Test
    void shouldEqualGdbInCxx() throws Exception {
        String program = ChainedPrograms.cxx(directory, "g++", "-O2", "-mavx2");

        int compared = new ChainOracle(directory).compare(List.of(program), MOST);

        assertTrue(compared >= 1000, compared + " calls");
    }

    @Test
    void shouldEqualGdbInSqlite() throws Exception {
        ChainOracle oracle = new ChainOracle(directory);

        int compared = oracle.compare(ChainedPrograms.SQLITE, MOST);

        assertTrue(compared >= 1000, compared + " calls");
        assertEquals(0, oracle.cut());
    }

    @Test
    void shouldBeTheSameWithBothEngines() throws Exception {
        String program = ChainedPrograms.c(directory, "gcc", "-O2");
        ChainOracle oracle = new ChainOracle(directory);

        List<TraceChains.Call> splice = oracle.recorded(List.of(program, "few"), "splice");

        assertTrue(splice.size() > 100, splice.size() + " calls");
        assertEquals(splice, oracle.recorded(List.of(program, "few"), "trap"));
    }

    /** A library is unloaded, and another one loaded where it was. */
    @Test
    void shouldForgetTheRulesOfALibraryThatIsGone() throws Exception {
        Files.writeString(
                directory.resolve("one.c"),
                "#include <stdlib.h>\nvoid *make(int n) { volatile char a[8] = {0};"
                        + " void *p = malloc(n + a[0]); a[1] = 1; return p; }\n");
        Files.writeString(
                directory.resolve("main.c"),
                """
                #include <dlfcn.h>
                #include <stdlib.h>
                int main(void)
                {
                    for (int i = 0; i < 20; i++) {
                        void *library = dlopen(i & 1 ? "./a.so" : "./b.so", RTLD_NOW);
                        void *(*make)(int) = (void *(*)(int))dlsym(library, "make");
                        free(make(i));
                        dlclose(library);
                    }
                    return 0;
                }
                """);
        compile("gcc", "-O2", "-shared", "-fPIC", "-o", "a.so", "one.c");
        compile("gcc", "-O0", "-shared", "-fPIC", "-fomit-frame-pointer", "-o", "b.so", "one.c");
        compile("gcc", "-O1", "-o", "main", "main.c");

        int compared = new ChainOracle(directory)
                .compare(List.of(directory.resolve("main").toString()), MOST);

        assertTrue(compared >= 40, compared + " calls");
    }

    /** Functions of C that Go calls, on another stack: the program determines the chains. */
    @Test
    void shouldGoOnFromCIntoGo() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/go")), "no go");
        String program = ChainedPrograms.go(directory);
        TreeMap<Long, String> functions = functions(program);
        Map<String, Integer> wanted = new TreeMap<>();
        for (int n = 1; n < 12; n++) {
            for (int k = n; k > 0; k--) {
                for (int left = k; left > 0; left--) {
                    String chain = "build ".repeat(k - left + 1)
                            + "_Cfunc_build asmcgocall cgocall _Cfunc_build "
                            + "fill ".repeat(n - k + 1)
                            + "main main";
                    wanted.merge(chain, 1, Integer::sum);
                }
            }
        }

        Map<String, Integer> told = new TreeMap<>();
        for (TraceChains.Call call :
                new ChainOracle(directory, 64).recorded(List.of(program), "splice")) {
            String chain = call.frames().stream()
                    .map(frame -> functions.floorEntry(frame.place().offset()).getValue())
                    .collect(Collectors.joining(" "));
            if (call.kind() == 'M' && chain.startsWith("build ")) {
                told.merge(chain, 1, Integer::sum);
            }
        }

        assertEquals(wanted, told);
        assertEquals(0, new ChainOracle(directory).cut());
    }

    /** Nobody knows who called a function without a table that uses rbp for something else. */
    @Test
    void shouldCountChainsThatEndWithoutATable() throws Exception {
        Files.writeString(
                directory.resolve("make.s"),
                """
                .globl make
                .type make, @function
                make:
                    push %rbp
                    mov $1, %ebp
                    mov $24, %edi
                    call malloc
                    pop %rbp
                    ret
                .size make, .-make
                .section .note.GNU-stack
                """);
        Files.writeString(
                directory.resolve("main.c"),
                "void *make(void); int main(void) { for (int i = 0; i < 7; i++) make(); }");
        compile("gcc", "-O2", "-o", "main", "main.c", "make.s");

        ChainOracle oracle = new ChainOracle(directory);
        oracle.recorded(List.of(directory.resolve("main").toString()), "splice");

        assertEquals(7, oracle.cut());
    }

    /** The last parts of the names of a program's functions, by what the file has them at. */
    private TreeMap<Long, String> functions(String program) throws Exception {
        TreeMap<Long, String> functions = new TreeMap<>();
        long first = Long.MAX_VALUE;
        for (String line : MadtRun.command(directory, List.of("readelf", "-lsW", program))
                .expect(0)
                .text()
                .lines()
                .toList()) {
            String[] words = line.strip().split("\\s+");
            if (words[0].equals("LOAD")) {
                first = Math.min(first, Long.decode(words[2]));
            } else if (words.length > 7 && words[3].equals("FUNC")) {
                functions.put(
                        Long.parseLong(words[1], 16) - first,
                        words[7].replaceAll("\\.abi0$|^_cgo_[0-9a-f]+|^_cgo.*_(?=Cfunc)", "")
                                .replaceAll("^.*\\.", ""));
            }
        }
        return functions;
    }

    private void compile(String... command) throws Exception {
        MadtRun.command(directory, List.of(command)).expect(0);
    }
}

package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        int compared = new ChainOracle(directory).compare(ChainedPrograms.SQLITE, MOST);

        assertTrue(compared >= 1000, compared + " calls");
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

    private void compile(String... command) throws Exception {
        MadtRun.command(directory, List.of(command)).expect(0);
    }
}

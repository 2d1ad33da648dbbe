package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thread-local variables in expressions: the program says what they are. */
class ThreadVariablesIT {
    @TempDir
    Path directory;

    private void build(String... command) throws Exception {
        List<String> words = new ArrayList<>(List.of(command));
        words.add("" + MadtRun.root().resolve("testprogs/instruments/threads.c"));
        MadtRun.command(directory, words).expect(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gcc -g -O1",
                "gcc -g -O0 -no-pie",
                "gcc -g -O2 -static",
                "clang -g -gdwarf-4 -O1"
            })
    void shouldTellThoseOfEachThread(String compiler) throws Exception {
        build((compiler + " -pthread -o threads").split(" "));
        List<String> printed = InstrumentsIT.run(
                        directory,
                        List.of(
                                "--at",
                                "count",
                                "log \"%d %d %s %d %d %d %d %s\" mine, word[0], str(word), node.id,"
                                        + " rows[1], calls, few, str(node.name)",
                                "--at",
                                "count",
                                "count",
                                "--if",
                                "mine > 10 && rows[1] < 40"),
                        "./threads")
                .expect(0)
                .text()
                .lines()
                .toList();
        // threads write their parts of a trace when they come to it
        assertEquals(
                printed.subList(0, printed.size() - 1).stream().sorted().toList(),
                InstrumentsIT.hits(directory, line -> true).stream().sorted().toList());
        String points = MadtRun.madt(directory, "points", "--format", "csv", "t.madt")
                .expect(0)
                .text();
        String hits = printed.get(printed.size() - 1);
        assertTrue(points.contains("\n" + hits + ",count,count,"), hits + " " + points);
    }

    /** Only the loader knows where those of libraries are. */
    @Test
    void shouldNotTellThoseOfLibraries() throws Exception {
        build("gcc", "-g", "-O1", "-DLIBRARY", "-shared", "-fPIC", "-o", "libthreads.so");
        Path main = Files.writeString(
                directory.resolve("main.c"),
                "void begin(void);\nint main(void) { begin(); return 0; }\n");
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-o",
                                "main",
                                "" + main,
                                "-L.",
                                "-lthreads",
                                "-Wl,-rpath," + directory))
                .expect(0);
        InstrumentsIT.run(
                        directory,
                        List.of("--at", "libthreads.so:count", "log mine large"),
                        "./main")
                .expect(0);
        assertEquals(
                "mine=? large=0", InstrumentsIT.hits(directory, line -> true).get(0));
    }
}

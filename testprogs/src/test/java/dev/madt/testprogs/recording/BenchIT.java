package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The benchmarks come to an end and print figures; which ones, nobody minds here. */
class BenchIT {
    @TempDir
    Path directory;

    /** The words behind {@code madt bench}, the name of the benchmark last. */
    @ParameterizedTest
    @ValueSource(
            strings = {"--rounds 1 --accesses 2000 trap", "--rounds 1 --accesses 2000 syscalls"})
    @SoakCases({
        "--rounds 1 --accesses 2000 points",
        "--rounds 1 --accesses 2000 pipeline",
        "traps",
        "--rounds 1 --accesses 2000 engines",
        "--rounds 1 paper",
        "--rounds 1 --accesses 2000 views",
        "--rounds 1 --accesses 2000 reading",
        "--rounds 1 --accesses 30000 sql",
        "--accesses 2000000 memory",
        "--rounds 1 --accesses 2000 scale",
        "--rounds 1 start",
        "--rounds 1 --accesses 3 build",
        "--rounds 1 --accesses 2000 calls",
        "--rounds 1 --accesses 2000 chains",
        "--rounds 1 --accesses 2000 locks",
        "--rounds 1 attach"
    })
    void shouldPrintFigures(String arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("bench"));
        words.addAll(List.of(arguments.split(" ")));
        MadtRun run = MadtRun.process(directory, words.toArray(String[]::new)).expect(0);
        assertEquals("", run.errors());
        long rows = run.text()
                .lines()
                .filter(line -> line.matches(".*[a-z].* [0-9][0-9,.]* .*[0-9].*"))
                .count();
        assertTrue(rows > 0, run.text());
    }

    @Test
    void shouldBeAllThatTheHelpNames() throws Exception {
        Method test = BenchIT.class.getDeclaredMethod("shouldPrintFigures", String.class);
        Set<String> tried = Stream.of(
                        test.getAnnotation(ValueSource.class).strings(),
                        test.getAnnotation(SoakCases.class).value())
                .flatMap(Stream::of)
                .map(arguments -> arguments.substring(arguments.lastIndexOf(' ') + 1))
                .collect(Collectors.toSet());
        String help = MadtRun.madt(directory, "bench", "--help").expect(0).text();
        Set<String> named = help.lines()
                .takeWhile(line -> !line.startsWith("Options:"))
                .filter(line -> line.matches("  [a-z]+ +[a-z].*"))
                .map(line -> line.strip().split(" ")[0])
                .collect(Collectors.toSet());
        assertEquals(named, tried);
    }
}

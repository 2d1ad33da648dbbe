package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.LineOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** With a scope the trace holds the accesses of the whole one that lie in it, in their order, and nothing else. */
@ParameterizedClass(name = "engine {0}")
@ValueSource(strings = {"splice", "trap"})
class ScopeIT {
    @Parameter
    String engine;

    private static final Pattern NUMBER = Pattern.compile("(?<=^[LSYWG]\\$)\\d+");

    @TempDir
    Path directory;

    /** Access lines without their numbers. */
    private static List<String> accesses(Path trace) throws IOException {
        return Recording.lines(trace, LineOptions.SYMBOLIC).stream()
                .filter(line -> "LS".indexOf(line.charAt(0)) >= 0)
                .map(line -> NUMBER.matcher(line).replaceFirst("0"))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            --heap                  ; \\[(heap|anon)\\]
            --data                  ; \\[\\.[a-z_]+\\]
            --lib                   ; \\[lib[^:]*:[^\\]]*\\]
            --only=libc.so.6        ; \\[libc\\.so\\.6:[^\\]]*\\]
            --only=*.bss            ; \\[([^:]*:)?\\.bss\\]
            --exclude=[heap]        ; (?!\\[heap\\])\\[.*\\]
            """)
    void shouldRecordWhatLiesInScopeAndNothingElse(String option, String regions) throws Exception {
        String program = MadtRun.program("libcheavy.O0").toString();
        Path trace = directory.resolve("part.madt");
        MadtRun.madt(directory, "run", "-q", "--engine", engine, "-o", trace.toString(), option, "--", program).expect(0);
        TraceFile.check(trace);
        Pattern wanted = Pattern.compile("[^,]*," + regions + ",.*");
        List<String> expected = accesses(Recording.of(Path.of(program), engine)).stream().filter(line -> wanted.matcher(line).matches()).toList();
        assertTrue(!expected.isEmpty(), "the program touches nothing there");
        assertEquals(expected, accesses(trace));
    }

    @Test
    void shouldEndTheRecordingAndNotTheProgramAtTheSizeGiven() throws Exception {
        Path trace = directory.resolve("t.madt");
        MadtRun run = MadtRun.madt(directory, "run", "--engine", engine, "--max-size", "240K", "-o", trace.toString(), "--", "perl",
                "-e", "my $n = 0; $n += $_ for 1..200000; print $n").expect(0);
        assertEquals("20000100000", run.text());
        assertTrue(run.errors().contains("ended at the limit of --max-size"), run.errors());
        long size = Files.size(trace);
        assertTrue(size >= 240 << 10 && size < 4 << 20, size + " bytes");
        TraceFile.check(trace);
    }
}

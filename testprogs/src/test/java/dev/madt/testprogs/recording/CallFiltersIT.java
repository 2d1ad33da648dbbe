package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks which calls are recorded: functions by name, what runs below one, and how deep. */
class CallFiltersIT {
    private static final Pattern CALL = Pattern.compile("([BX])\\$\\d+:([^,?]+).*");
    private static final int ROUNDS = 3;

    @TempDir
    Path directory;

    private Path program;
    private Path trace;
    private MadtRun run;

    @BeforeEach
    void compile() throws Exception {
        program = CallProgram.build(directory, "windows.c", "-g");
        trace = directory.resolve("t.madt");
    }

    /** Enters and leaves of a recording with these options. */
    private List<String> calls(String options) throws Exception {
        List<String> command = new ArrayList<>(List.of("trace", "-f", "-o", trace.toString()));
        command.addAll(Arrays.asList(options.split(" ")));
        command.addAll(List.of("--", program.toString(), "rounds", Integer.toString(ROUNDS)));
        run = MadtRun.madt(directory, command.toArray(String[]::new)).expect(0);
        MadtRun.madt(directory, "check", trace.toString()).expect(0);
        List<String> calls = new ArrayList<>();
        for (String line : lines("print", trace.toString())) {
            Matcher call = CALL.matcher(line);
            if (call.matches()) {
                calls.add(call.group(1) + " " + call.group(2));
            }
        }
        return calls;
    }

    private List<String> lines(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text().lines().toList();
    }

    private static List<String> rounds(String... calls) {
        return Collections.nCopies(ROUNDS, List.of(calls)).stream()
                .flatMap(List::stream)
                .toList();
    }

    @Test
    void shouldRecordTheFunctionsThatAreNamed() throws Exception {
        assertEquals(
                rounds("B before", "X before", "B frame", "X frame"),
                calls("--calls before --calls windows:fram?"));
        assertTrue(!run.errors().contains("could not be patched"), run.errors());
        assertEquals(List.of(), calls("--calls libc.so*:frame"));
        assertTrue(
                run.errors().contains("--calls 'libc.so*:frame' names no function"), run.errors());
        List<String> others = calls("--calls windows:* --no-calls step --no-calls _*");
        assertEquals("B main", others.get(0));
        assertEquals(
                rounds("B before", "X before", "B frame", "X frame", "B after", "X after"),
                others.stream()
                        .filter(line -> line.matches(". (before|frame|after|step)"))
                        .toList());
        assertTrue(
                lines("info", trace.toString()).stream()
                        .anyMatch(line -> line.startsWith(
                                "calls of        --calls 'windows:*' --no-calls 'step'")),
                "info says what was left out");
    }

    @Test
    void shouldRecordWhatRunsBelowAFunction() throws Exception {
        assertEquals(
                rounds("B frame", "B step", "X step", "B step", "X step", "X frame"),
                calls("--below frame"));
        assertEquals(rounds("B frame", "X frame"), calls("--below frame --depth 1"));
        List<String> shallow = calls("--depth 1 --calls windows:*");
        assertTrue(shallow.contains("B main"), shallow.toString());
        assertTrue(
                shallow.stream().noneMatch(line -> line.matches(". (frame|step)")),
                shallow.toString());
    }

    /** Also of functions that are not recorded themselves. */
    @Test
    void shouldRecordTheAccessesBelowAFunction() throws Exception {
        assertEquals(
                rounds("B frame", "X frame"),
                calls("--record accesses,calls --below frame --depth 1"));
        assertEquals(
                4 * ROUNDS,
                lines("print", "--symbol", "steps", trace.toString()).stream()
                        .filter(line -> line.contains("steps"))
                        .count());
    }
}

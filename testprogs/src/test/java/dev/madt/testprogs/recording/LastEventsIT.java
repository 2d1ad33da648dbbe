package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import dev.madt.testprogs.TraceInvariants;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks what {@code --last} keeps of a program that logs which of its functions it enters and
 * leaves.
 */
class LastEventsIT {
    private static final int LOGGED = 700_000;
    private static final Pattern LINE = Pattern.compile("([BX])\\$[0-9]+:step_([0-3])([,?].*)?");

    @TempDir
    Path directory;

    private Path program;
    private Path log;
    private Path trace;

    @BeforeEach
    void compile() throws Exception {
        program = CallProgram.build(directory, "last.c");
        log = directory.resolve("log");
        trace = directory.resolve("last.madt");
    }

    @ParameterizedTest
    @CsvSource({"exit, 0", "segv, 139", "kill, 137", "abort, 134"})
    void shouldHoldTheLastCallsHoweverTheProgramEnds(String ending, int status) throws Exception {
        record(ending, status, "--record", "calls", "--last", "1M");
        TraceInvariants checked = TraceFile.check(trace);
        long forgotten = Long.parseLong(checked.meta("forgotten"));
        long kept = Long.parseLong(checked.meta("enters")) + Long.parseLong(checked.meta("leaves"));
        assertTrue(forgotten > kept, forgotten + " forgotten, " + kept + " kept");
        assertTrue(
                checked.meta("completeness")
                        .startsWith(String.format(
                                "the last %,d of %,d events, complete", kept, kept + forgotten)),
                checked.meta("completeness"));
        String calls = calls();
        String logged = Files.readString(log);
        assertEquals(LOGGED, logged.length());
        assertTrue(calls.length() > 10_000, "only " + calls.length() + " calls");
        assertEquals(
                logged.substring(logged.length() - calls.length()),
                calls,
                "the end of the log and that of the trace");
    }

    /** The calls of the program's steps as its log has them; the last one is not in the log. */
    private String calls() throws Exception {
        List<String> lines = madt("print", "--function", "step_*", trace.toString());
        String letters = lines.stream()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .map(line -> String.valueOf(
                        (char) ((line.group(1).equals("B") ? 'A' : 'a') + number(line.group(2)))))
                .collect(Collectors.joining());
        assertEquals(lines.size(), letters.length());
        boolean entered = Character.isUpperCase(letters.charAt(letters.length() - 1));
        return entered && lines.size() > 1 ? withoutLast(letters) : letters;
    }

    private static int number(String digit) {
        return digit.charAt(0) - '0';
    }

    /** The last function may have been entered when the log was full. */
    private String withoutLast(String letters) throws Exception {
        String logged = Files.readString(log);
        return logged.endsWith(letters) ? letters : letters.substring(0, letters.length() - 1);
    }

    @Test
    void shouldKnowTheBlocksThatWereMadeBefore() throws Exception {
        record("kill", 137, "--record", "accesses,calls", "--last", "1M");
        TraceInvariants checked = TraceFile.check(trace);
        assertTrue(Long.parseLong(checked.meta("forgotten")) > 0);
        List<String> stores =
                madt("print", "--kind", "S", "--function", "step_*", trace.toString());
        assertTrue(
                stores.stream().anyMatch(line -> line.matches("S.[0-9]+:<calloc0*[0-9]+@main.*")),
                stores.toString());
    }

    @Test
    void shouldHoldEverythingThatIsYoungEnough() throws Exception {
        record("abort", 134, "--record", "calls", "--last", "10min");
        TraceInvariants checked = TraceFile.check(trace);
        assertEquals("0", checked.meta("forgotten"));
        assertEquals("complete up to the crash", checked.meta("completeness"));
        record("abort", 134, "--record", "calls", "--last", "1ms");
        assertTrue(Long.parseLong(TraceFile.check(trace).meta("forgotten")) > 0);
    }

    private void record(String ending, int status, String... options) throws Exception {
        Files.deleteIfExists(log);
        List<String> command = new ArrayList<>(
                List.of(MadtRun.launcher().toString(), "run", "-qf", "-o", trace.toString()));
        command.addAll(List.of(options));
        command.addAll(List.of(
                "--", program.toString(), log.toString(), Integer.toString(LOGGED), ending));
        MadtRun.command(directory, command).expect(status);
    }

    private List<String> madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text().lines().toList();
    }
}

package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.bench.SyntheticTrace;
import dev.madt.collector.Recording;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.OutputName;
import dev.madt.console.Suggestion;
import dev.madt.options.RunOptions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
    @TempDir
    Path directory;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    private int madt(String... arguments) {
        PrintStream errors = new PrintStream(said, true, StandardCharsets.UTF_8);
        return Main.run(arguments, new Messages(errors), errors);
    }

    private void assertSaid(String text) {
        assertEquals(text + "\n", said.toString(StandardCharsets.UTF_8));
    }

    @Test
    void shouldSuggestTheNearestCommand() {
        assertEquals(2, madt("runn"));
        assertSaid("madt: 'runn' is not a madt command. Did you mean 'run'? See 'madt --help'.");
    }

    @Test
    void shouldSuggestNothingForAStrangeWord() {
        assertEquals(2, madt("frobnicate"));
        assertSaid("madt: 'frobnicate' is not a madt command. See 'madt --help'.");
    }

    @Test
    void shouldSuggestTheNearestCommandForHelpToo() {
        assertEquals(2, madt("help", "runn"));
        assertSaid("madt: 'runn' is not a madt command. Did you mean 'run'? See 'madt --help'.");
    }

    @Test
    void shouldSuggestTheNearestOption() {
        assertEquals(2, madt("print", "--symbolc", "x.madt"));
        assertSaid(
                "madt: unknown option '--symbolc' for 'madt print'. Did you mean '--symbolic'? See"
                        + " 'madt print --help'.");
    }

    @Test
    void shouldReturn125ForAnUnknownOptionOfRun() {
        assertEquals(125, madt("run", "--max-event", "3", "ls"));
        assertSaid("madt: unknown option '--max-event' for 'madt run'. Did you mean '--max-events'?"
                + " See 'madt run --help'.");
    }

    @Test
    void shouldSayThatAnOptionTakesNoValue() {
        assertEquals(2, madt("report", "--help=columns"));
        assertSaid("madt: option '--help' takes no value, as in '--help=columns'. See 'madt report"
                + " --help'.");
    }

    @Test
    void shouldSayHowAProcessIsAttachedTo() {
        for (String command : List.of("run", "trace")) {
            said.reset();
            assertEquals(125, madt(command, "--attach", "1"));
            assertTrue(said.toString().contains("' has no option '-"), said.toString());
            assertTrue(said.toString().contains("madt run -p PID"), said.toString());
        }
    }

    @Test
    void shouldSayThatAReportDoesNotCountAllocations() throws Exception {
        Path trace = directory.resolve("t.madt");
        SyntheticTrace.write(trace, 17);
        assertEquals(
                2, madt("report", "--by", "function", "--kind", "allocation", trace.toString()));
        assertTrue(
                said.toString().contains("madt report --by site counts allocations"),
                said.toString());
        assertEquals(
                0,
                madt(
                        "report",
                        "-o",
                        directory.resolve("o").toString(),
                        "--by",
                        "site",
                        "--kind",
                        "allocation",
                        trace.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--alloc-ops=expand", "--block-ops=expand"})
    void shouldRejectOptionsThatDoNotExistYet(String option) {
        assertEquals(125, madt("run", option, "ls"));
        assertTrue(
                said.toString(StandardCharsets.UTF_8).startsWith("madt: unknown option '--"),
                said.toString());
    }

    @Test
    void shouldNameTheOptionThatLacksItsValue() {
        assertEquals(125, madt("run", "--log"));
        assertSaid("madt: option '--log' needs a value. See 'madt run --help'.");
    }

    @Test
    void shouldAskForAProgram() {
        assertEquals(125, madt("run", "-q"));
        assertSaid(
                "madt: no program given. Usage: madt run [options] [--] PROG ARGS…, or madt run -p"
                        + " PID");
    }

    @Test
    void shouldRejectAnUnknownEngine() {
        assertEquals(125, madt("run", "--engine", "slice", "ls"));
        assertSaid("madt: --engine is trap or splice, not 'slice'. Did you mean 'splice'?");
    }

    @Test
    void shouldRejectAnUnknownStart() {
        assertEquals(125, madt("run", "--start", "mian", "ls"));
        assertSaid("madt: --start is main, load, marker, func:GLOB, return:GLOB, after:TIME,"
                + " signal:NAME, read:BYTES or ctl, not 'mian'. Did you mean 'main'?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--start | func: | --start 'func:' is to be func:GLOB.",
                "--start | main:x | --start 'main:x' is to be main.",
                "--start | after:10x | --start has a time such as 10s, 200ms or 5m, not '10x'.",
                "--start | signal:USR3 | --start has a signal such as USR1, not 'USR3'. Did you"
                        + " mean 'USR1'?",
                "--start | signal:SEGV | --start: SIGSEGV cannot be taken for that. Choose another"
                        + " signal, such as USR1.",
                "--start | read:\\q | --start: '\\q' has a \\ that is none of \\xHH \\e"
                        + " \\n \\r \\t \\0 \\\\.",
                "--stop | main | --stop is marker, func:GLOB, return:GLOB, after:TIME, signal:NAME,"
                        + " read:BYTES or ctl, not 'main'.",
                "--windows | 3 | --windows needs a --start that can come again, such as func:GLOB;"
                        + " main comes once.",
                "--for | soon | --for has a time such as 10s, 200ms or 5m, not 'soon'.",
                "--for | 0s | --for has a time of 1ns or more, such as 10s, 200ms or 5m, not '0s'."
            })
    void shouldSayWhatIsWrongWithAWindow(String option, String value, String message) {
        assertEquals(125, madt("run", option, value, "ls"));
        assertSaid("madt: " + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "42 at x | ctl at takes a place and an action, or nothing, not 'x'. Say: madt ctl"
                        + " at 'x' count.",
                "42 at --if i | --if is about an instrument: madt ctl at PLACE ACTION --if …",
                "42 stop it now | ctl stop takes nothing more, not 'it now'.",
                "enable 1 2 | ctl enable takes one number or place, not '1 2'.",
                "42 stpo | ctl takes a process and one of status, start, stop, dump, at, enable,"
                        + " disable, detach, not '42 stpo'. Did you mean 'stop'?"
            })
    void shouldSayWhatARecordingCannotBeAsked(String words, String message) {
        assertEquals(2, madt(("ctl " + words).split(" ")));
        assertSaid("madt: " + message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-3", "many", "99999999999999999999"})
    void shouldRejectALimitThatIsNoCount(String count) {
        assertEquals(125, madt("run", "--max-events", count, "ls"));
        assertSaid("madt: --max-events is a number from 1, not '" + count + "'.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "reuse --line-size 48 | --line-size is a power of two from 8 to 65536, not '48'.",
                "reuse --curve --histogram | --histogram, --curve and --working-set are a table"
                        + " each: one of them.",
                "reuse --working-set 3x | --working-set is a number of accesses, for instance 100K"
                        + " or 1M, not '3x'.",
                "reuse --sizes 32K,100 | --sizes are sizes of caches, for instance 32K,1M, each a"
                        + " multiple of a line, not '100'.",
                "reuse --by function --curve | --by goes with neither --curve nor --working-set:"
                        + " --symbol, --function and the like select what they are of.",
                "cache --l2 1M,16,64 | --l2 needs the caches in front of it, from --l1 on.",
                "cache --l1 32K,8 | --l1 is SIZE,WAYS,LINE, for instance 32K,8,64, not '32K,8':"
                        + " three numbers are needed: size,ways,line.",
                "cache --like dinero | --like is madt, cachegrind or drcachesim, not 'dinero'."
            })
    void shouldRejectCachesThatThereAreNot(String arguments, String message) {
        assertEquals(2, madt(arguments.split(" ")));
        assertSaid("madt: " + message);
    }

    @Test
    void shouldLeaveOptionsBehindTheProgramToIt() throws Failure {
        Recording options = RunOptions.of(
                Main.parse(new RunCommand(), new String[] {"-q", "ls", "-l", "--help", "-o"}));
        assertEquals(List.of("ls", "-l", "--help", "-o"), options.program());
        assertEquals(OutputName.DEFAULT, options.output());
    }

    /** It has no long name. */
    @Test
    void shouldTakeTwoOfVerbose() throws Failure {
        Recording options =
                RunOptions.of(Main.parse(new RunCommand(), new String[] {"-vv", "--", "ls"}));
        assertEquals(List.of("ls"), options.program());
    }

    @Test
    void shouldTakeAProgramThatBeginsWithADashBehindTwoDashes() throws Failure {
        Recording options = RunOptions.of(
                Main.parse(new RunCommand(), new String[] {"-q", "--", "-strange", "--"}));
        assertEquals(List.of("-strange", "--"), options.program());
    }

    @Test
    void shouldWriteNoTraceBesideTextUnlessAsked() throws Failure {
        Recording text =
                RunOptions.of(Main.parse(new RunCommand(), new String[] {"--text", "-", "ls"}));
        assertEquals(null, text.output());
        Recording both = RunOptions.of(
                Main.parse(new RunCommand(), new String[] {"--text", "-", "-o", "t", "ls"}));
        assertEquals("t", both.output());
    }

    @Test
    void shouldWantOneTrace() {
        assertEquals(2, madt("info", "a", "b"));
        assertSaid("madt: one trace at a time, not 2. Usage: madt info [options] [TRACE]");
    }

    @Test
    void shouldCountTransposedLettersAsOneMistake() {
        assertEquals(1, Suggestion.distance("pirnt", "print"));
        assertEquals(3, Suggestion.distance("kitten", "sitting"));
        assertEquals(4, Suggestion.distance("", "info"));
    }
}

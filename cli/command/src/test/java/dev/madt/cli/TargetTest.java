package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.console.OutputName;
import dev.madt.session.CommandText;
import dev.madt.session.Environment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetTest {
    @TempDir
    Path folder;

    private ProcessBuilder madt(String... program) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                MadtProcess.command("run", "-q", "-f", "-o", folder.resolve("t").toString(), "--"));
        builder.command().addAll(List.of(program));
        return builder;
    }

    @ParameterizedTest
    @CsvSource({
        "exit 0,0",
        "exit 7,7",
        "exit 255,255",
        "kill -SEGV $$,139",
        "kill -KILL $$,137",
        "kill -TERM $$,143"
    })
    void shouldReturnTheStatusOfTheTarget(String script, int status) throws Exception {
        assertEquals(status, MadtProcess.finish(madt("sh", "-c", script)).status());
    }

    @Test
    void shouldStartTheTargetAsItsCallerWould() throws Exception {
        String program = NativeProgram.program("own_status").toString();
        String[] arguments = {program, "", "a b", "-x", "\n"};
        ProcessBuilder plain = new ProcessBuilder(arguments);
        ProcessBuilder traced = madt(arguments);
        for (ProcessBuilder builder : List.of(plain, traced)) {
            builder.environment().clear();
            builder.environment().putAll(Map.of("B", "2", "A", "1=1", "C", "", "D", "two\nlines"));
        }
        assertEquals(MadtProcess.finish(plain).out(), MadtProcess.finish(traced).out());
    }

    @Test
    void shouldKeepIgnoredSignalsIgnored() throws Exception {
        String program = NativeProgram.program("own_status").toString();
        String prepare = "trap '' PIPE USR2 HUP; exec \"$@\"";
        ProcessBuilder plain = new ProcessBuilder("sh", "-c", prepare, "sh", program);
        String expected = line(MadtProcess.finish(plain).out(), "SigIgn");
        // SIGHUP 1, SIGUSR2 12, SIGPIPE 13, and whatever was ignored where this test was started
        long mask = Long.parseUnsignedLong(expected.substring(expected.lastIndexOf(' ') + 1), 16);
        assertEquals(0x1801, mask & 0x1801, expected);
        ProcessBuilder traced = madt(program);
        // what the launcher script notes before the JVM starts
        traced.command().add(1, "-Dmadt.ignored=" + Long.toHexString(mask));
        traced.command().addAll(0, List.of("sh", "-c", prepare, "sh"));
        assertEquals(expected, line(MadtProcess.finish(traced).out(), "SigIgn"));
    }

    private static String line(String text, String start) {
        return text.lines().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
    }

    @Test
    void shouldHandOnSigterm() throws Exception {
        ProcessBuilder builder =
                madt("sh", "-c", "trap 'exit 42' TERM; echo ready; while :; do sleep 0.05; done");
        Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        assertEquals('r', process.getInputStream().read());
        process.destroy();
        assertTrue(process.waitFor(10, TimeUnit.MINUTES));
        assertEquals(42, process.exitValue());
    }

    @Test
    void shouldPutTheShimInFrontOfOtherPreloadedLibraries() {
        List<byte[]> entries = Environment.forTarget(
                List.of("A=1".getBytes(), "LD_PRELOAD=/x.so".getBytes(), "B=2".getBytes()),
                Path.of("/s"),
                null);
        assertEquals(
                List.of("A=1", "LD_PRELOAD=/s/libmadt.so:/x.so", "B=2", "MADT_SESSION=/s"),
                entries.stream().map(String::new).toList());
    }

    @Test
    void shouldAppendWhatIsNotThere() {
        List<byte[]> entries =
                Environment.forTarget(List.of("A=1".getBytes()), Path.of("/s"), "8.16");
        assertEquals(
                List.of("A=1", "MADT_SESSION=/s", "MADT_SIGNALS=8.16", "LD_PRELOAD=/s/libmadt.so"),
                entries.stream().map(String::new).toList());
    }

    @Test
    void shouldNameFilesByPattern() {
        assertEquals(Path.of("ls.7.madt"), new OutputName(OutputName.DEFAULT).of(7, "ls", true));
        assertEquals(Path.of("t.madt"), new OutputName("t.madt").of(7, "ls", true));
        assertEquals(Path.of("t.madt.8"), new OutputName("t.madt").of(8, "ls", false));
        assertEquals(Path.of("%p8"), new OutputName("%%p%p").of(8, "ls", false));
    }

    @Test
    void shouldQuoteCommandsForAShell() {
        assertEquals(
                "ls -l 'a b' 'it'\\''s' ''",
                CommandText.of(List.of("ls", "-l", "a b", "it's", "")));
        assertEquals("'./-x y'", CommandText.file(Path.of("-x y")));
        assertEquals("x/-y", CommandText.file(Path.of("x/-y")));
    }

    @Test
    void shouldLeaveOutWhatATitleHasLeftOfACommandLine() throws Exception {
        assertEquals("'worker: idle' -", commandOf("worker: idle"));
        assertEquals("worker - '' ''", commandOf("worker"));
    }

    /** Returns the command of a process that waits, with two empty arguments behind. */
    private static String commandOf(String name) throws Exception {
        Process process =
                new ProcessBuilder("bash", "-c", "exec -a '" + name + "' cat - '' ''").start();
        try {
            String command = "";
            for (int i = 0; i < 1000 && !command.contains(" -"); i++) {
                Thread.sleep(10);
                command = CommandText.of((int) process.pid(), List.of());
                command = command.startsWith("bash") ? "" : command;
            }
            return command;
        } finally {
            process.destroy();
        }
    }
}

package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.bench.SyntheticTrace;
import dev.madt.console.Messages;
import dev.madt.trace.layout.TraceLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each command says what it cannot read of a trace, and ends with a status that says so. */
class DamagedTraceTest {
    private static final int RECORDS = 1_013;
    private static final int FRAMES = 5;

    @TempDir
    Path directory;

    private Path trace;
    private byte[] bytes;
    private final List<Integer> frames = new ArrayList<>();
    private final List<Integer> events = new ArrayList<>();

    @BeforeEach
    void makeTrace() throws IOException {
        trace = directory.resolve("t.madt");
        SyntheticTrace.write(trace, RECORDS, RECORDS / FRAMES);
        bytes = Files.readAllBytes(trace);
        ByteBuffer fields = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = TraceLayout.HEADER_BYTES;
                at < bytes.length;
                at += TraceLayout.HEAD_BYTES + fields.getInt(at + TraceLayout.STORED_AT)) {
            frames.add(at);
            if (new String(bytes, at, 4, StandardCharsets.US_ASCII).equals("EVTS")) {
                events.add(at);
            }
        }
        assertTrue(events.size() >= FRAMES, events.toString());
    }

    private void flip(int frame) throws IOException {
        bytes[frame + TraceLayout.HEAD_BYTES + 1] ^= 0x55;
        Files.write(trace, bytes);
    }

    /** Each command with the trace; of those whose result goes to a file. */
    private static Stream<String> commands() {
        return Stream.of(
                "report",
                "report --by site",
                "report --by page --format csv",
                "print",
                "print --function nothing",
                "dump",
                "heatmap",
                "heatmap --view time",
                "view",
                "defects",
                "convert --to csv",
                "convert --to dhat",
                "convert --to callgrind",
                "diff");
    }

    private String run(String command, int status) throws IOException {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        String out = command.matches("(report|defects|diff).*") ? "out" : "out.html";
        words.addAll(List.of("-f", "-o", directory.resolve(out).toString(), trace.toString()));
        if (command.startsWith("diff")) {
            words.add(trace.toString());
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream errors = new PrintStream(said, true, StandardCharsets.UTF_8);
        int got = Main.run(words.toArray(String[]::new), new Messages(errors), errors);
        String text = said.toString(StandardCharsets.UTF_8);
        assertEquals(status, got, () -> command + ": " + text);
        return text;
    }

    private void assertAllSay(int at, String missing) throws IOException {
        String begin = "madt: the trace is incomplete: " + trace + ", byte " + at + ": ";
        for (String command : commands().toList()) {
            String said = run(command, 1);
            assertTrue(said.startsWith(begin), () -> command + ": " + said);
            assertTrue(said.matches("(?s).*" + missing + ".*"), () -> command + ": " + said);
        }
        assertTrue(run("report --strict", 3).startsWith(begin));
    }

    private void assertCheckRefuses() throws Exception {
        MadtProcess.Outcome check = MadtProcess.run("check", trace.toString());
        assertEquals(1, check.status());
        assertFalse(check.out().contains("sound, "), check.out());
        MadtProcess.Outcome info = MadtProcess.run("info", "--verify", trace.toString());
        assertEquals(1, info.status());
        assertTrue(info.err().startsWith("madt: the trace is incomplete: "), info.err());
    }

    @Test
    void shouldSayThatAllAccessesAreMissing() throws Exception {
        flip(events.get(0));
        assertAllSay(events.get(0), "read: ([0-9,]+) of \\1 events are missing");
        assertCheckRefuses();
    }

    @Test
    void shouldSayHowManyAccessesAreMissing() throws Exception {
        int frame = events.get(events.size() / 2);
        flip(frame);
        assertAllSay(frame, "read: [0-9,]+ of [0-9,]+ events are missing");
    }

    @Test
    void shouldSayThatTheEndIsDamaged() throws Exception {
        int index = frames.get(frames.size() - 1);
        flip(index);
        assertAllSay(index, "Nothing behind that is read\\.");
        assertCheckRefuses();
    }

    @ParameterizedTest
    @ValueSource(strings = {"zeros", "more", "lack"})
    void shouldSayThatBytesAreOfAnotherFile(String how) throws Exception {
        int middle = events.get(events.size() / 2);
        if (how.equals("zeros")) {
            Arrays.fill(bytes, middle, bytes.length, (byte) 0);
        }
        int end = bytes.length + (how.equals("more") ? 1 : 0);
        byte[] changed = Arrays.copyOf(bytes, end);
        if (how.equals("lack")) { // a whole frame
            int next = events.get(events.size() / 2 + 1);
            System.arraycopy(bytes, next, changed, middle, bytes.length - next);
            changed = Arrays.copyOf(changed, end - (next - middle));
        }
        Files.write(trace, changed);
        assertTrue(run("report", 1).startsWith("madt: the trace is incomplete: "));
        assertTrue(run("view", 1).startsWith("madt: the trace is incomplete: "));
        assertTrue(run("convert --to csv", 1).startsWith("madt: the trace is incomplete: "));
    }

    @Test
    void shouldReadTheBeginningOfATraceThatIsCutOff() throws Exception {
        Files.write(trace, Arrays.copyOf(bytes, events.get(2) + 100));
        for (String command : commands().toList()) {
            String said = run(command, 0);
            assertTrue(said.startsWith("madt: the trace is incomplete: "), command + said);
        }
        MadtProcess.Outcome check = MadtProcess.run("check", trace.toString());
        assertEquals(0, check.status());
        assertTrue(check.out().contains(": sound where it is read, "), check.out());
    }
}

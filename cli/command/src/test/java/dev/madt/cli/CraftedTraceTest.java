package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.console.Messages;
import dev.madt.testing.Tier;
import dev.madt.trace.codec.SourcesFrame;
import dev.madt.trace.codec.TypesFrame;
import dev.madt.trace.event.SourceLevel;
import dev.madt.trace.event.TypeEntry;
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
import java.util.Random;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Traces whose checksums are right and whose frames say what no recording says: each command tells
 * that in a sentence of its own, as of other damage.
 */
class CraftedTraceTest {
    private static final int CASES = Tier.of(30_000, 1_200);
    private static final int PID = 4242;
    private static final long[] ODD = {
        0,
        1,
        -1,
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 47,
        (1L << 40) - 1,
        4096
    };
    private static final String[] COMMANDS = {
        "print --both --fields --source",
        "report --by symbol --fields",
        "report --by site",
        "report --by block --fields",
        "report --by page --patterns",
        "report --by line,type",
        "heatmap",
        "heatmap --view time",
        "view",
        "defects",
        "info --verify",
        "dump",
        "check",
        "convert --to csv",
        "convert --to jsonl",
        "convert --to dhat",
        "convert --to callgrind",
        "convert --to massif"
    };

    @TempDir
    Path directory;

    private byte[] seed;
    private final List<Integer> frames = new ArrayList<>();

    @BeforeEach
    void makeSeed() throws IOException {
        byte[] example = Files.readAllBytes(Path.of("../../docs/example.madt"));
        int place = framesOf(example).get(4);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(example, 0, place);
        bytes.write(typesAndSources());
        bytes.write(example, place, example.length - place);
        seed = bytes.toByteArray();
        frames.addAll(framesOf(seed));
        int index = frames.get(frames.size() - 1) + TraceLayout.HEAD_BYTES;
        ByteBuffer fields = ByteBuffer.wrap(seed).order(ByteOrder.LITTLE_ENDIAN);
        fields.putLong(index + 24, fields.getLong(index + 24) + 2);
        fields.putLong(index + 32, fields.getLong(index + 32) + seed.length - example.length);
        for (int frame : frames) {
            seal(seed, frame);
        }
    }

    private static List<Integer> framesOf(byte[] trace) {
        List<Integer> found = new ArrayList<>();
        ByteBuffer fields = ByteBuffer.wrap(trace).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = TraceLayout.HEADER_BYTES;
                at < trace.length;
                at += TraceLayout.HEAD_BYTES + fields.getInt(at + TraceLayout.STORED_AT)) {
            found.add(at);
        }
        return found;
    }

    /** Types and lines for the addresses of the example. */
    private static byte[] typesAndSources() throws IOException {
        TypesFrame types = new TypesFrame()
                .type(new TypeEntry(TypeEntry.Form.SCALAR, "int", 4, 0, 0, List.of()))
                .type(new TypeEntry(TypeEntry.Form.ARRAY, "", 12, 0, 3, List.of(), true, -1))
                .type(new TypeEntry(
                        TypeEntry.Form.STRUCT,
                        "struct r",
                        16,
                        0,
                        0,
                        List.of(
                                new TypeEntry.Member("a", 0, 0, 3, 17, false),
                                new TypeEntry.Member("b", 1, 4, 0, 0, false))));
        SourcesFrame sources = new SourcesFrame();
        for (long address : new long[] {0x401000, 0x401003, 0x401009, 0x401010, 0x401020}) {
            sources.add(address, List.of(new SourceLevel("f", "/src/f.c", 41, 7)));
            types.blocks(address, 2);
        }
        for (long address = 0x404000; address < 0x404100; address += 8) {
            types.variable(address, 2);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(frame("TYPS", types.build(PID, 0).payload()));
        bytes.write(frame("SRCS", sources.build(PID, 0).payload()));
        return bytes.toByteArray();
    }

    private static byte[] frame(String type, ByteBuffer payload) {
        int length = payload.remaining();
        return ByteBuffer.allocate(TraceLayout.HEAD_BYTES + length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(type.getBytes(StandardCharsets.US_ASCII))
                .putInt(PID)
                .putInt(0)
                .putInt(length)
                .putInt(length)
                .putInt(0)
                .putInt(0)
                .put(payload.duplicate())
                .array();
    }

    /** Makes the checksum of a frame right. */
    private static void seal(byte[] trace, int frame) {
        ByteBuffer fields = ByteBuffer.wrap(trace).order(ByteOrder.LITTLE_ENDIAN);
        CRC32C sum = new CRC32C();
        sum.update(trace, frame, TraceLayout.CHECKSUM_AT);
        sum.update(
                trace,
                frame + TraceLayout.HEAD_BYTES,
                fields.getInt(frame + TraceLayout.STORED_AT));
        fields.putInt(frame + TraceLayout.CHECKSUM_AT, (int) sum.getValue());
    }

    private String run(byte[] trace, String command) throws IOException {
        Path file = Files.write(directory.resolve("t.madt"), trace);
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        if (!command.startsWith("info") && !command.equals("check")) {
            String out = command.matches("(report|defects|diff).*") ? "out" : "out.html";
            words.addAll(List.of("-f", "-o", directory.resolve(out).toString()));
        }
        words.add(file.toString());
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream errors = new PrintStream(said, true, StandardCharsets.UTF_8);
        PrintStream out = System.out;
        System.setOut(new PrintStream(new ByteArrayOutputStream()));
        try {
            Main.run(words.toArray(String[]::new), new Messages(errors), errors);
        } finally {
            System.setOut(out);
        }
        return said.toString(StandardCharsets.UTF_8);
    }

    private static boolean isSentence(String said) {
        return !said.contains("internal error")
                && !said.contains("Exception")
                && !said.contains("\tat ");
    }

    @Test
    void shouldReadWhatIsNotChanged() throws Exception {
        for (String command : COMMANDS) {
            String said = run(seed, command);
            assertTrue(!said.contains("incomplete"), () -> command + ": " + said);
        }
    }

    @Test
    void shouldSayThatARangeEndsBeforeItBegins() throws Exception {
        int maps = frames.get(1);
        assertEquals("MAPS", new String(seed, maps, 4, StandardCharsets.US_ASCII));
        byte[] crafted = seed.clone();
        ByteBuffer fields = ByteBuffer.wrap(crafted).order(ByteOrder.LITTLE_ENDIAN);
        int start = maps + TraceLayout.HEAD_BYTES + 4;
        fields.putLong(start, fields.getLong(start + 8) + 1);
        seal(crafted, maps);
        for (String command : COMMANDS) {
            String said = run(crafted, command);
            assertTrue(
                    isSentence(said)
                            && said.contains("byte " + maps
                                    + ": MAPS frame, byte 38 of its payload: range from"),
                    () -> command + ": " + said);
        }
    }

    /** Most are read as far as they go; none is a fault of the reader. */
    @Test
    void shouldTellWhateverFramesSayInASentence() throws Exception {
        Random random = new Random(29);
        TreeSet<String> faults = new TreeSet<>();
        for (int i = 0; i < CASES; i++) {
            byte[] crafted = seed.clone();
            int frame = frames.get(random.nextInt(frames.size()));
            for (int times = 1 + random.nextInt(3); times > 0; times--) {
                change(crafted, frame, random);
            }
            seal(crafted, frame);
            String command = COMMANDS[i % COMMANDS.length];
            String said = run(crafted, command);
            if (!isSentence(said)) {
                String type = new String(seed, frame, 4, StandardCharsets.US_ASCII);
                faults.add(
                        command + " " + type + ": " + said.lines().findFirst().orElse(""));
            }
        }
        assertEquals("", String.join("\n", faults));
    }

    private static void change(byte[] trace, int frame, Random random) {
        ByteBuffer fields = ByteBuffer.wrap(trace).order(ByteOrder.LITTLE_ENDIAN);
        int from = frame + TraceLayout.HEAD_BYTES;
        int length = fields.getInt(frame + TraceLayout.STORED_AT);
        int at = from + random.nextInt(length);
        int size = Math.min(1 << random.nextInt(4), from + length - at);
        long value = random.nextBoolean()
                ? ODD[random.nextInt(ODD.length)]
                : trace[from + random.nextInt(length)] + random.nextInt(3) - 1;
        byte[] word = ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
        System.arraycopy(Arrays.copyOf(word, size), 0, trace, at, size);
    }
}

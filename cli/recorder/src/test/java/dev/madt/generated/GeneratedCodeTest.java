package dev.madt.generated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratedCodeTest {
    /** No process has this number. */
    private static final int PID = 999_999_999;

    @TempDir
    Path directory;

    private static String name(GeneratedFunction function) {
        return function == null ? null : function.name();
    }

    @Test
    void shouldFollowAPerfMap() throws IOException {
        Path map = directory.resolve("perf-" + PID + ".map");
        Files.writeString(
                map, "7f0000001000 20 one\n0x7f0000002000 0x31 Lazy:~ two /a b.js:1\n7f00");
        GeneratedCode code = new GeneratedCode(PID, directory);
        assertEquals("one", name(code.at(0x7f000000101fL)));
        assertNull(code.at(0x7f0000001020L));
        assertEquals("Lazy:~ two /a b.js:1", name(code.newAt(0x7f0000002030L)));
        assertNull(code.newAt(0x7f0000002001L), "it has been told");
        Files.writeString(
                map, "00003000 10 three\n7f0000002010 8 new\nno line\n", StandardOpenOption.APPEND);
        assertEquals("three", name(code.at(0x7f0000003000L)));
        assertEquals("new", name(code.newAt(0x7f0000002010L)));
        assertNull(code.at(0x7f0000002000L), "where another one has come, nothing is left");
    }

    @Test
    void shouldReadAPerfMapOfManyParts() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 9973; i++) {
            lines.append(String.format("%x 10 f%d%n", 0x1000 + 0x20L * i, i));
        }
        Files.writeString(directory.resolve("perf-" + PID + ".map"), lines);
        GeneratedCode code = new GeneratedCode(PID, directory);
        for (int i = 0; i < 9973; i++) {
            assertEquals("f" + i, name(code.at(0x1008 + 0x20L * i)));
        }
    }

    private static byte[] record(int kind, long first, long second, String name, int code) {
        byte[] text = (name + "\0").getBytes(StandardCharsets.UTF_8);
        int size = kind == 0 ? 56 + text.length + code : 64;
        ByteBuffer record = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        record.putInt(0, kind).putInt(4, size).putLong(32, first).putLong(40, second);
        if (kind == 0) {
            record.put(56, text);
        }
        return record.array();
    }

    private static byte[] header() {
        return ByteBuffer.allocate(40)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, 0x4a695444)
                .putInt(4, 1)
                .putInt(8, 40)
                .array();
    }

    @Test
    void shouldTakeAJitdumpThatIsMapped() throws IOException {
        Path file = directory.resolve("jit-7.dump");
        Files.write(file, header());
        Files.write(file, record(0, 0x5000, 0x40, "f", 1), StandardOpenOption.APPEND);
        GeneratedCode code = new GeneratedCode(PID, directory);
        code.mapped(directory.resolve("other.dump").toString());
        code.mapped(file.toString());
        assertEquals("f", name(code.at(0x5001)));
    }

    @Test
    void shouldFollowAJitdump() throws IOException {
        Path file = directory.resolve("jit-1.dump");
        Files.write(file, header());
        FunctionsByAddress functions = new FunctionsByAddress();
        JitDump dump = new JitDump(file, functions);
        dump.follow();
        Files.write(
                file,
                record(0, 0x5000, 0x40, "LazyCompile:fib", 70_000),
                StandardOpenOption.APPEND);
        byte[] debug = record(1, 0x5000, 0x6000, "", 0);
        dump.follow();
        assertEquals("LazyCompile:fib", name(functions.at(0x503f)));
        Files.write(file, Arrays.copyOf(debug, 20), StandardOpenOption.APPEND);
        dump.follow();
        assertEquals("LazyCompile:fib", name(functions.at(0x5000)), "half a record");
        Files.write(file, Arrays.copyOfRange(debug, 20, 64), StandardOpenOption.APPEND);
        dump.follow();
        assertNull(functions.at(0x5000));
        assertEquals("LazyCompile:fib", name(functions.at(0x603f)));
    }
}

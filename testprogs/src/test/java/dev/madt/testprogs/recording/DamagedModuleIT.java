package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A damaged section header is no matter to the loader: the program runs, and either its code is
 * recorded or the trace says that it is not.
 */
class DamagedModuleIT {
    private static final int HEADER = 64;

    @TempDir
    Path directory;

    @BeforeEach
    void compile() throws Exception {
        Files.writeString(
                directory.resolve("program.c"),
                """
                #include <stdio.h>
                int table[100];
                int main(void)
                {
                    int sum = 0;
                    for (int i = 0; i < 100; i++)
                        table[i] = i;
                    for (int i = 0; i < 100; i++)
                        sum += table[i];
                    printf("%d\\n", sum);
                    return 0;
                }
                """);
        MadtRun.command(
                        directory,
                        List.of("gcc", "-g", "-O0", "-fno-inline", "-o", "program", "program.c"))
                .expect(0);
    }

    /** Writes a number into the header of a section. */
    private void damage(String section, int field, long value) throws IOException {
        Path program = directory.resolve("program");
        ByteBuffer bytes =
                ByteBuffer.wrap(Files.readAllBytes(program)).order(ByteOrder.LITTLE_ENDIAN);
        int headers = (int) bytes.getLong(40);
        int names = (int) bytes.getLong(headers + HEADER * bytes.getShort(62) + 24);
        for (int i = 0; i < bytes.getShort(60); i++) {
            int at = headers + HEADER * i;
            byte[] name = new byte[section.length() + 1];
            bytes.get(names + bytes.getInt(at), name);
            if (new String(name, StandardCharsets.UTF_8).equals(section + "\0")) {
                bytes.putInt(at + field, (int) value);
                bytes.putInt(at + field + 4, field == 40 ? 0 : (int) (value >> 32));
            }
        }
        Files.write(program, bytes.array());
    }

    private MadtRun madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments);
    }

    @ParameterizedTest
    @CsvSource({
        "splice, .debug_info, 24, 1099511627776",
        "splice, .debug_info, 32, 1099511627776",
        "splice, .debug_line, 40, 999",
        "trap, .debug_info, 32, -1",
    })
    void shouldRecordCodeWhateverItsDebugSectionsAre(
            String engine, String section, int field, long value) throws Exception {
        damage(section, field, value);
        MadtRun run = madt("run", "-f", "--engine", engine, "-o", "t.madt", "--", "./program")
                .expect(0);
        assertEquals("4950\n", run.text());
        TraceFile.check(directory.resolve("t.madt"));
        assertTrue(run.errors().contains(", complete\n"), run.errors());
        assertTrue(run.errors().contains("malformed ELF file: section " + section), run.errors());
        String lines = madt("print", "t.madt").expect(0).text();
        assertEquals(200, lines.lines().filter(line -> line.contains(":table+")).count());
    }

    @Test
    void shouldNameAModuleThatIsNotRecorded() throws Exception {
        damage(".symtab", 32, 1L << 40);
        MadtRun run = madt("run", "-q", "-f", "-o", "t.madt", "--", "./program").expect(0);
        assertTrue(
                run.errors().contains("/program is not recorded: malformed ELF file"),
                run.errors());
        TraceFile.check(directory.resolve("t.madt"));
        MadtRun info = madt("info", "--strict", "t.madt").expect(3);
        assertTrue(info.text().contains("complete but for unpatched code\n"), info.text());
        assertTrue(info.text().contains("program: could not be patched\n"), info.text());
    }
}

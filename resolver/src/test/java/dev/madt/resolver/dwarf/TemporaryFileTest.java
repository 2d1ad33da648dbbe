package dev.madt.resolver.dwarf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.resolver.CommandOutput;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packed sections that are too large for the heap. */
class TemporaryFileTest {
    private static final String PLACE = "java.io.tmpdir";
    /** As many structures as make more than a megabyte of debug information. */
    private static final int STRUCTURES = 12_007;

    @TempDir
    Path folder;

    @Test
    void shouldSayWhereAFileCannotBeAndWhatHelps() throws Exception {
        StringBuilder source = new StringBuilder("int main(void) { return 0; }\n");
        for (int i = 0; i < STRUCTURES; i++) {
            source.append("struct s%d { int a%d[%d]; struct s%d *b%d; char c; double d; short e; };"
                    .formatted(i, i, i % 97 + 1, i, i));
            source.append("struct s%d v%d;\n".formatted(i, i));
        }
        Path program =
                CommandOutput.compile(folder, "program", source.toString(), "-gz=zlib", "-no-pie");
        long main = CommandOutput.lines("nm", program.toString()).stream()
                .filter(line -> line.endsWith(" T main"))
                .mapToLong(line -> Long.parseLong(line.split(" ")[0], 16))
                .findFirst()
                .orElseThrow();
        List<String> warnings = new ArrayList<>();
        String before = System.setProperty(PLACE, "/nonexistent");
        try {
            assertEquals(List.of(), DebugInfo.open(program, warnings::add).frames(main));
        } finally {
            System.setProperty(PLACE, before);
        }
        assertEquals(
                List.of(program + ": debug information: no line for address 0x"
                        + Long.toHexString(main)
                        + ": cannot write a temporary file in /nonexistent; TMPDIR=FOLDER names"
                        + " another place for it"),
                warnings);
    }
}

package dev.madt.testprogs.oracle;

import dev.madt.testprogs.Access;
import dev.madt.testprogs.ProgramFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The accesses by the program's own code in what {@code madt convert --to lackey} wrote, in the
 * form of the oracle.
 */
final class ConvertedLackey {
    private ConvertedLackey() {}

    static List<Access> read(Path log, ProgramFile program, long bias) throws IOException {
        List<Access> accesses = new ArrayList<>();
        long instruction = -1;
        for (String line : Files.readAllLines(log)) {
            if (!line.matches("(I | [LSM]) [ ]?[0-9a-f]{8,},[0-9]+")) {
                throw new AssertionError("no line of Lackey: '" + line + "'");
            }
            int comma = line.indexOf(',');
            long address = Long.parseLong(line.substring(3, comma), 16);
            if (line.charAt(0) == 'I') {
                instruction = address - bias;
            } else if (program.isCode(instruction)) {
                add(
                        accesses,
                        line.charAt(1),
                        instruction,
                        address - bias,
                        Integer.parseInt(line.substring(comma + 1)),
                        program);
            }
        }
        return accesses;
    }

    private static void add(
            List<Access> accesses,
            char kind,
            long instruction,
            long address,
            int size,
            ProgramFile program) {
        long data = program.isData(address) ? address : Access.ELSEWHERE;
        if (kind != 'S') {
            accesses.add(new Access(instruction, false, size, data));
        }
        if (kind != 'L') {
            accesses.add(new Access(instruction, true, size, data));
        }
    }
}

package dev.madt.testprogs.oracle;

import dev.madt.testprogs.Access;
import dev.madt.testprogs.AddressRanges;
import dev.madt.testprogs.ProgramFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the log of {@code valgrind --tool=lackey --trace-mem=yes --trace-symtab=yes
 * --trace-syscalls=yes}. One run tells everything that is needed to place its addresses, so that no
 * second run has to have the same layout:
 *
 * <ul>
 *   <li>load bias and segments of every module: the lines of {@code --trace-symtab};
 *   <li>thread-local storage: the mapping (result of an mmap) that holds the address given to
 *       {@code arch_prctl(ARCH_SET_FS)}, both from {@code --trace-syscalls};
 *   <li>the main stack: the first data access of the process is the loader's first call, which
 *       pushes just below the arguments. Valgrind gives the stack the 8 MiB below, and nothing else
 *       is mapped in the 8 MiB above.
 * </ul>
 *
 * A data line belongs to the instruction line before it; a modification counts as a load, then a
 * store. What comes before the first instruction of main is not kept.
 */
final class LackeyLog {
    private static final Pattern RANGE = Pattern.compile(
            "\\s+\\[\\d+]\\s+avma 0x([0-9a-f]+)\\s+size (\\d+)\\s+foff \\d+\\s+(\\S+) .*");
    private static final Pattern BIAS =
            Pattern.compile("PT_LOAD\\[\\d+]:\\s+acquired as .*, bias 0x([0-9a-f]+)");
    private static final Pattern MMAP = Pattern.compile(
            "SYSCALL\\[.*sys_mmap \\( 0x[0-9a-f]+, (\\d+),.*Success\\(0x([0-9a-f]+)\\).*");
    private static final Pattern SET_FS =
            Pattern.compile("SYSCALL\\[.*arch_prctl \\( 4098, ([0-9a-f]+) \\).*");
    private static final long STACK_SIZE = 8L << 20;

    private record Mapping(long start, long end) {}

    private final ProgramFile program;
    private final long main;
    private final boolean withStack;
    private final AddressRanges excluded = new AddressRanges();
    private final List<Mapping> mappings = new ArrayList<>();
    private final List<Access> accesses = new ArrayList<>();
    private String module = "";
    private long bias = -1;
    private boolean stackKnown;
    private boolean storageKnown;
    private boolean inMain;
    private long instruction;

    private LackeyLog(ProgramFile program, long main, boolean withStack) {
        this.program = program;
        this.main = main;
        this.withStack = withStack;
    }

    /**
     * The accesses of the program's own code to what is neither stack, thread-local storage, loader
     * nor executable.
     *
     * @param main address of main in the program file
     * @param withStack the accesses to the stack too
     * @throws IOException if the log lacks something: the message says what
     */
    static List<Access> read(Path log, ProgramFile program, long main, boolean withStack)
            throws IOException {
        LackeyLog reader = new LackeyLog(program, main, withStack);
        try (BufferedReader lines = Files.newBufferedReader(log, StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                reader.line(line);
            }
        }
        reader.require(log);
        return reader.accesses;
    }

    private void require(Path log) throws IOException {
        String missing = bias < 0
                ? "the load address of " + program.path()
                : !stackKnown
                        ? "any data access"
                        : !storageKnown
                                ? "the address of thread-local storage"
                                : !inMain ? "the first instruction of main" : null;
        if (missing != null) {
            throw new IOException(log + ": Lackey's log does not show " + missing);
        }
    }

    private void line(String line) {
        if (line.length() > 11 && isTraceLine(line)) {
            int comma = line.indexOf(',', 11);
            if (comma > 0) {
                trace(line, comma);
            }
        } else if (line.startsWith("------ name = ")) {
            module = line.substring(14);
        } else if (line.startsWith("SYSCALL")) {
            systemCall(line);
        } else if (!line.isEmpty() && (line.charAt(0) == 'P' || line.charAt(0) == ' ')) {
            segment(line);
        }
    }

    /** {@code I 04001000,3} or {@code L 1ffeffe7e,8}. */
    private static boolean isTraceLine(String line) {
        char first = line.charAt(0);
        char second = line.charAt(1);
        boolean kind = first == 'I'
                ? second == ' '
                : first == ' ' && (second == 'L' || second == 'S' || second == 'M');
        return kind && line.charAt(2) == ' ' && Character.digit(line.charAt(3), 16) >= 0;
    }

    private void trace(String line, int comma) {
        long address = Long.parseLong(line, 3, comma, 16);
        if (line.charAt(0) == 'I') {
            instruction = address - bias;
            inMain |= instruction == main && bias >= 0;
            return;
        }
        if (!stackKnown) {
            if (!withStack) {
                excluded.add(address - STACK_SIZE, address + STACK_SIZE);
            }
            stackKnown = true;
        }
        if (inMain && program.isCode(instruction) && !excluded.contains(address)) {
            data(line.charAt(1), address, Integer.parseInt(line, comma + 1, line.length(), 10));
        }
    }

    private void data(char kind, long address, int size) {
        long data = program.isData(address - bias) ? address - bias : Access.ELSEWHERE;
        if (kind != 'S') {
            accesses.add(new Access(instruction, false, size, data));
        }
        if (kind != 'L') {
            accesses.add(new Access(instruction, true, size, data));
        }
    }

    private void segment(String line) {
        Matcher range = RANGE.matcher(line);
        if (range.matches()) {
            long start = Long.parseLong(range.group(1), 16);
            long end = start + Long.parseLong(range.group(2));
            if (range.group(3).equals("rx") || module.contains("/ld-linux")) {
                excluded.add(start, end);
            }
            return;
        }
        Matcher loaded = BIAS.matcher(line);
        if (loaded.matches() && module.equals(program.path().toString())) {
            bias = Long.parseLong(loaded.group(1), 16);
        }
    }

    private void systemCall(String line) {
        Matcher map = MMAP.matcher(line);
        if (map.matches()) {
            long start = Long.parseLong(map.group(2), 16);
            mappings.add(new Mapping(start, start + Long.parseLong(map.group(1))));
            return;
        }
        Matcher storage = SET_FS.matcher(line);
        if (storage.matches()) {
            long base = Long.parseLong(storage.group(1), 16);
            for (Mapping mapping : mappings) {
                if (mapping.start <= base && base < mapping.end) {
                    excluded.add(mapping.start, mapping.end);
                    storageKnown = true;
                }
            }
        }
    }
}

package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The oracle: the accesses of a program's own code to what is neither stack nor thread-local, from the first instruction of
 * main to the end of the process, are under MadT, element by element, those that Valgrind's Lackey prints.
 */
class LackeyOracleIT {
    private static final int FEWEST = 1_000;
    private static final List<String> PROGRAMS = List.of(
            "atomics", "bits", "cpp", "disparity", "dispatch", "globals", "heap", "matrix", "modify", "operands", "sorting",
            "straddle", "stringops", "strings", "tls", "vector", "x87");

    @TempDir
    Path directory;

    static Stream<String> programs() {
        Stream<String> levels = PROGRAMS.stream().flatMap(name -> Stream.of(name + ".O0", name + ".O2"));
        return Stream.concat(levels, Stream.of("disparity.nopie", "globals.nopie"));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldSeeWhatLackeySees(String name) throws Exception {
        ProgramFile program = new ProgramFile(MadtRun.program(name));
        Disassembly disassembly = Disassembly.of(program.path());
        Path trace = directory.resolve("t.madt");
        MadtRun.madt(directory, "run", "-q", "-o", trace.toString(), "--", program.path().toString()).expect(0);
        TraceFile.check(trace);

        ValgrindRules rules = new ValgrindRules(disassembly);
        List<Access> ours = rules.apply(TraceFile.read(trace, new OwnAccesses(program)).accesses());
        List<Access> theirs = rules.apply(Lackey.trace(program, disassembly));
        assertEquals("", difference(ours, theirs, disassembly));
        assertTrue(theirs.size() >= FEWEST, name + " has only " + theirs.size() + " accesses to compare");
        System.out.printf("Lackey and MadT agree on %s: %,d accesses%n", name, theirs.size());
    }

    private static String difference(List<Access> ours, List<Access> theirs, Disassembly disassembly) {
        int common = Math.min(ours.size(), theirs.size());
        int i = 0;
        while (i < common && ours.get(i).equals(theirs.get(i))) {
            i++;
        }
        if (i == common && ours.size() == theirs.size()) {
            return "";
        }
        return "element " + i + " of " + ours.size() + " (MadT) and " + theirs.size() + " (Lackey): MadT "
                + around(ours, i, disassembly) + "; Lackey " + around(theirs, i, disassembly);
    }

    /** The element and the two on either side, with their instructions. */
    private static String around(List<Access> accesses, int i, Disassembly disassembly) {
        StringBuilder text = new StringBuilder();
        for (int k = Math.max(0, i - 2); k < Math.min(accesses.size(), i + 3); k++) {
            text.append(k == i ? " >> " : " | ").append(accesses.get(k)).append(" {")
                    .append(disassembly.at(accesses.get(k).instruction())).append('}');
        }
        return text.toString();
    }
}

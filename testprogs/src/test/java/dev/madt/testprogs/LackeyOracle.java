package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;

/**
 * The oracle: the accesses of a program's own code to what is neither stack nor thread-local, from the first instruction of
 * main to the end of the process, are under MadT, element by element, those that Valgrind's Lackey prints.
 */
final class LackeyOracle {
    private LackeyOracle() {}

    /**
     * Runs the program alone, under MadT and under Lackey.
     *
     * @return how many accesses were compared, all equal
     */
    static int agree(Path directory, Path path) throws Exception {
        ProgramFile program = new ProgramFile(path);
        Disassembly disassembly = Disassembly.of(path);
        Path trace = directory.resolve("t.madt");
        MadtRun plain = MadtRun.command(directory, List.of(path.toString())).expect(0);
        MadtRun traced = MadtRun.madt(directory, "run", "-q", "-o", trace.toString(), "--", path.toString()).expect(0);
        assertArrayEquals(plain.output(), traced.output(), "stdout");
        TraceFile.check(trace);

        ValgrindRules rules = new ValgrindRules(disassembly);
        List<Access> ours = rules.apply(TraceFile.read(trace, new OwnAccesses(program)).accesses());
        List<Access> theirs = rules.apply(Lackey.trace(program, disassembly));
        assertEquals("", difference(ours, theirs, disassembly));
        return theirs.size();
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

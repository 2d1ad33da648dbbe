package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.testprogs.Access;
import dev.madt.testprogs.Disassembly;
import dev.madt.testprogs.EnginePair;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OwnAccesses;
import dev.madt.testprogs.ProgramFile;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Path;
import java.util.List;

/**
 * The oracle: the accesses of a program's own code to what is neither stack nor thread-local, from
 * the first instruction of main to the end of the process, are under both engines of MadT, element
 * by element, those that Valgrind's Lackey prints. The libraries' code, which Lackey does not show
 * by its place in a file, is judged by the one engine for the other.
 */
final class LackeyOracle {
    private LackeyOracle() {}

    /**
     * Runs the program alone, under each engine and under Lackey.
     *
     * @return how many accesses were compared, all equal
     */
    static int agree(Path directory, Path path) throws Exception {
        ProgramFile program = new ProgramFile(path);
        Disassembly disassembly = Disassembly.of(path);
        EnginePair engines = EnginePair.record(directory, List.of(), List.of(path.toString()));
        engines.agree();

        ValgrindRules rules = new ValgrindRules(disassembly);
        List<Access> theirs = rules.apply(Lackey.trace(program, disassembly));
        for (Path trace : List.of(engines.trap(), engines.splice())) {
            List<Access> ours =
                    rules.apply(TraceFile.read(trace, new OwnAccesses(program)).accesses());
            assertEquals("", difference(ours, theirs, disassembly), trace.toString());
        }
        return theirs.size();
    }

    /**
     * Compares one recording with {@code --stack}, engine splice: all accesses of the program's own
     * code. Returns how many.
     */
    static int agreeOnStack(Path directory, Path path) throws Exception {
        ProgramFile program = new ProgramFile(path);
        Disassembly disassembly = Disassembly.of(path);
        ValgrindRules rules = new ValgrindRules(disassembly);
        Path trace = directory.resolve("stack.madt");
        MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "-f",
                        "--stack",
                        "-o",
                        trace.toString(),
                        "--",
                        path.toString())
                .expect(0);
        TraceFile.check(trace);
        List<Access> theirs = rules.apply(Lackey.trace(program, disassembly, true));
        List<Access> ours = rules.apply(
                TraceFile.read(trace, new OwnAccesses(program, true)).accesses());
        assertEquals("", difference(ours, theirs, disassembly));
        return theirs.size();
    }

    private static String difference(
            List<Access> ours, List<Access> theirs, Disassembly disassembly) {
        int common = Math.min(ours.size(), theirs.size());
        int i = 0;
        while (i < common && ours.get(i).equals(theirs.get(i))) {
            i++;
        }
        if (i == common && ours.size() == theirs.size()) {
            return "";
        }
        return "element " + i + " of " + ours.size() + " (MadT) and " + theirs.size()
                + " (Lackey): MadT " + around(ours, i, disassembly) + "; Lackey "
                + around(theirs, i, disassembly);
    }

    /** The element and the two on either side, with their instructions. */
    private static String around(List<Access> accesses, int i, Disassembly disassembly) {
        StringBuilder text = new StringBuilder();
        for (int k = Math.max(0, i - 2); k < Math.min(accesses.size(), i + 3); k++) {
            text.append(k == i ? " >> " : " | ")
                    .append(accesses.get(k))
                    .append(" {")
                    .append(disassembly.at(accesses.get(k).instruction()))
                    .append('}');
        }
        return text.toString();
    }
}

package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** Compares the chains of a program's allocations with what gdb says of them: all are the same. */
final class ChainOracle {
    /** Callers that are recorded if nobody says otherwise. */
    private static final int CHAIN = 20;
    /** Bytes of a call instruction, at most (Intel SDM, volume 2, CALL), with prefixes. */
    private static final long LONGEST_CALL = 8;

    private static final Pattern CUT = Pattern.compile("([0-9,]+) chains? of calls ends? where");

    private final Path directory;
    private final int chain;

    ChainOracle(Path directory) {
        this(directory, CHAIN);
    }

    /** @param chain callers that are recorded and compared */
    ChainOracle(Path directory, int chain) {
        this.directory = directory;
        this.chain = chain;
    }

    /**
     * Compares the first calls of the program's first thread.
     *
     * @param most how many of all threads
     * @return how many were compared
     */
    int compare(List<String> command, int most) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/gdb")), "no gdb");
        List<TraceChains.Call> told = recorded(command, "splice");
        List<GdbChains.Call> wanted = GdbChains.of(directory, command, most, chain);
        assertTrue(told.size() >= wanted.size(), told.size() + " and " + wanted.size());
        for (int i = 0; i < wanted.size(); i++) {
            if (!isSame(told.get(i), wanted.get(i))) {
                // for whoever reads it; it fails
                assertEquals(
                        String.join("\n", lines(wanted.get(i))),
                        String.join("\n", lines(told.get(i))),
                        command + ", call " + i);
            }
        }
        return wanted.size();
    }

    /**
     * The same of a program that calls as the clock has it: each chain that gdb shows is one of the
     * trace's.
     *
     * @param kinds of calls that are compared: others may be made in one run alone
     */
    int find(List<String> command, int most, String kinds) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/gdb")), "no gdb");
        Set<TraceChains.Call> told = new HashSet<>(recorded(command, "splice"));
        Set<GdbChains.Call> wanted = new HashSet<>(GdbChains.of(directory, command, most, chain));
        wanted.removeIf(call -> kinds.indexOf(call.kind()) < 0);
        for (GdbChains.Call one : wanted) {
            assertTrue(
                    told.stream().anyMatch(call -> isSame(call, one)),
                    () -> command + " has no " + String.join("\n", lines(one)));
        }
        return wanted.size();
    }

    /** The calls of the program's first thread. */
    List<TraceChains.Call> recorded(List<String> command, String engine) throws Exception {
        List<String> run = new ArrayList<>(List.of(
                MadtRun.launcher().toString(),
                "run",
                "-f",
                "-o",
                "chains.madt",
                "--only-program",
                command.get(0),
                "--chain",
                Integer.toString(chain),
                "--engine",
                engine,
                "--"));
        run.addAll(GdbChains.ENVIRONMENT);
        run.addAll(command);
        MadtRun.command(directory, run).expect(0);
        String program = Path.of(command.get(0)).toRealPath().getFileName().toString();
        return TraceFile.read(directory.resolve("chains.madt"), new TraceChains(program, chain))
                .calls();
    }

    /** Returns how many chains of the last record are cut short, as its trace counts them. */
    int cut() throws Exception {
        Matcher told = CUT.matcher(
                MadtRun.madt(directory, "info", "chains.madt").expect(0).text());
        return told.find() ? Integer.parseInt(told.group(1).replace(",", "")) : 0;
    }

    private static boolean isSame(TraceChains.Call told, GdbChains.Call wanted) {
        int more = told.frames().size() - wanted.frames().size();
        boolean same = told.kind() == wanted.kind() && (more == 0 || (more > 0 && !wanted.whole()));
        for (int i = 0; same && i < wanted.frames().size(); i++) {
            same = isSame(told.frames().get(i), wanted.frames().get(i));
        }
        return same;
    }

    static boolean isSame(TraceChains.Frame told, GdbChains.Frame wanted) {
        long offset = wanted.place().offset();
        if (GdbChains.isLoader(wanted)) { // no code of which a trace says the module
            return told.place().equals(ModulePlace.inPage(ModulePlace.PAGE, offset));
        }
        if (!told.place().module().equals(wanted.place().module())) {
            return false;
        }
        long behind = offset - told.place().offset();
        return told.returns() || wanted.interrupted()
                ? behind == 0
                : behind >= 2 && behind <= LONGEST_CALL;
    }

    private static List<String> lines(TraceChains.Call call) {
        List<String> lines = new ArrayList<>(List.of(String.valueOf(call.kind())));
        call.frames().forEach(frame -> lines.add(frame.place().toString()));
        return lines;
    }

    private static List<String> lines(GdbChains.Call call) {
        List<String> lines = new ArrayList<>(List.of(String.valueOf(call.kind())));
        call.frames().forEach(frame -> lines.add(frame.place().toString()));
        return lines;
    }
}

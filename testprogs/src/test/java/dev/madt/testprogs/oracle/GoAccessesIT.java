package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the accesses of a Go program with what callgrind counts. */
@Soak
class GoAccessesIT {
    private static final Pattern ACCESS = Pattern.compile("([LS])#\\d+:.*,(0x[0-9a-f]+)");

    @TempDir
    Path directory;

    private MadtRun shell(String script) throws Exception {
        return MadtRun.command(directory, List.of("sh", "-c", script));
    }

    @Test
    void shouldRecordAsManyAccessesOfEachInstructionAsCallgrindCounts() throws Exception {
        GoProgram program = new GoProgram(directory);
        LongPredicate compared = program.compared();
        String settled = "env " + String.join(" ", GoProgram.VARIABLES) + " ";
        String callgrind = "valgrind -q --tool=callgrind --dump-instr=yes --cache-sim=yes"
                + " --vex-iropt-level=0 --compress-strings=no --compress-pos=no"
                + " --callgrind-out-file=counts ";
        shell(settled + callgrind + "./words").expect(0);
        shell(settled + MadtRun.launcher() + " run -qf --stack -o t.madt -- ./words")
                .expect(0);
        Map<ModulePlace, ThreadAccesses.Count> wanted = CallgrindCounts.read(
                        directory.resolve("counts"), new ValgrindModules())
                .counts();
        Map<ModulePlace, ThreadAccesses.Count> recorded = recorded();
        Set<ModulePlace> places = new TreeSet<>(wanted.keySet());
        places.addAll(recorded.keySet());
        places.removeIf(
                place -> !place.module().equals(GoProgram.NAME) || !compared.test(place.offset()));
        List<String> wrong = new ArrayList<>();
        for (ModulePlace place : places) {
            ThreadAccesses.Count theirs = wanted.getOrDefault(place, ThreadAccesses.Count.NONE);
            ThreadAccesses.Count ours = recorded.getOrDefault(place, ThreadAccesses.Count.NONE);
            boolean modifies = theirs.loads() == 0 && ours.loads() == ours.stores();
            if (ours.stores() != theirs.stores() || !modifies && ours.loads() != theirs.loads()) {
                wrong.add(place + ": " + ours + ", not " + theirs);
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(places.size() > 1_000, "instructions: " + places.size());
    }

    private Map<ModulePlace, ThreadAccesses.Count> recorded() throws Exception {
        Map<ModulePlace, ThreadAccesses.Count> counts = new TreeMap<>();
        MadtRun.madt(directory, "print", "--raw", "t.madt")
                .expect(0)
                .text()
                .lines()
                .forEach(line -> {
                    Matcher access = ACCESS.matcher(line);
                    if (access.matches()) {
                        boolean load = access.group(1).equals("L");
                        counts.merge(
                                new ModulePlace(GoProgram.NAME, Long.decode(access.group(2))),
                                new ThreadAccesses.Count(load ? 1 : 0, load ? 0 : 1),
                                ThreadAccesses.Count::plus);
                    }
                });
        return counts;
    }
}

package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the accesses of a Go program with what callgrind counts. */
@Soak
class GoAccessesIT {
    private static final Pattern ACCESS = Pattern.compile("([LS])#\\d+:.*,(0x[0-9a-f]+)");

    /** Of callgrind's numbers behind an address: line, instructions, loads, stores. */
    private static final int FIRST = 3;

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
                + " --vex-iropt-level=0 --compress-pos=no --callgrind-out-file=counts ";
        shell(settled + callgrind + "./words").expect(0);
        shell(settled + MadtRun.launcher() + " run -qf --stack -o t.madt -- ./words")
                .expect(0);
        Map<Long, long[]> wanted = counted();
        Map<Long, long[]> recorded = recorded();
        List<String> wrong = new ArrayList<>();
        int alike = 0;
        for (Map.Entry<Long, long[]> instruction : wanted.entrySet()) {
            if (!compared.test(instruction.getKey())) {
                continue;
            }
            long[] counts = instruction.getValue();
            long[] ours = recorded.getOrDefault(instruction.getKey(), new long[2]);
            long loads = counts[0] == 0 && ours[0] == ours[1] ? 0 : ours[0]; // it modifies
            if (loads == counts[0] && ours[1] == counts[1]) {
                alike += counts[0] + counts[1] > 0 ? 1 : 0;
            } else {
                wrong.add(String.format(
                        "0x%x: %s, not %s",
                        instruction.getKey(), Arrays.toString(ours), Arrays.toString(counts)));
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(alike > 1_000, "instructions: " + alike);
    }

    /** Returns loads and stores of instructions by callgrind. */
    private Map<Long, long[]> counted() throws IOException {
        Map<Long, long[]> counts = new TreeMap<>();
        boolean call = false;
        for (String line : Files.readAllLines(directory.resolve("counts"))) {
            if (line.startsWith("0x") && !call) {
                String[] words = line.split(" ");
                long[] count = counts.computeIfAbsent(Long.decode(words[0]), it -> new long[2]);
                for (int i = 0; i < 2 && FIRST + i < words.length; i++) {
                    count[i] += Long.parseLong(words[FIRST + i]);
                }
            }
            call = line.startsWith("calls=");
        }
        return counts;
    }

    private Map<Long, long[]> recorded() throws Exception {
        Map<Long, long[]> counts = new TreeMap<>();
        MadtRun.madt(directory, "print", "--raw", "t.madt")
                .expect(0)
                .text()
                .lines()
                .forEach(line -> {
                    Matcher access = ACCESS.matcher(line);
                    if (access.matches()) {
                        counts.computeIfAbsent(Long.decode(access.group(2)), it -> new long[2])[
                                access.group(1).equals("L") ? 0 : 1]++;
                    }
                });
        return counts;
    }
}

package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares what instruments at all blocks of programs count with callgrind. */
class InstrumentCountsIT {
    private static final Pattern COSTS = Pattern.compile("0x([0-9a-f]+)( .*)? (\\d+)");
    private static final Pattern INSTRUCTION =
            Pattern.compile(" *([0-9a-f]+):\\t(rep|repz|repnz)\\b.*");

    @TempDir
    Path directory;

    /** Returns how often callgrind saw each instruction of a program. */
    private Map<Long, Long> callgrind(Path program, List<String> command, String... variables)
            throws Exception {
        List<String> whole = new ArrayList<>(List.of(
                "valgrind",
                "--tool=callgrind",
                "--dump-instr=yes",
                "--skip-plt=no",
                "--compress-strings=no",
                "--compress-pos=no",
                "--callgrind-out-file=" + directory.resolve("callgrind")));
        whole.addAll(command);
        String said = MadtRun.command(directory, ValgrindRun.inEnvironment(whole, variables))
                .errors();
        assertFalse(said.contains("Process terminating with"), said);
        Map<Long, Long> counts = new TreeMap<>();
        boolean within = false;
        boolean call = false;
        for (String line : Files.readAllLines(directory.resolve("callgrind"))) {
            Matcher costs = COSTS.matcher(line);
            if (line.startsWith("ob=")) {
                within = line.endsWith("/" + program.getFileName());
            } else if (line.startsWith("calls=")) {
                call = true;
            } else if (costs.matches()) {
                if (within && !call) {
                    counts.merge(
                            Long.parseLong(costs.group(1), 16),
                            Long.parseLong(costs.group(3)),
                            Long::sum);
                }
                call = false;
            }
        }
        return counts;
    }

    /** Finds what callgrind counts otherwise: iterations of string instructions. */
    private Set<Long> repeated(Path program) throws Exception {
        Set<Long> addresses = new HashSet<>();
        MadtRun.command(
                        directory,
                        List.of("objdump", "-d", "--no-show-raw-insn", program.toString()))
                .expect(0)
                .text()
                .lines()
                .forEach(line -> {
                    Matcher instruction = INSTRUCTION.matcher(line);
                    if (instruction.matches()) {
                        addresses.add(Long.parseLong(instruction.group(1), 16));
                    }
                });
        return addresses;
    }

    /** The text section alone: callgrind tells others by other addresses, or not at all. */
    private LongPredicate text(Path program) throws IOException, InterruptedException {
        for (String line : MadtRun.command(directory, List.of("readelf", "-SW", program.toString()))
                .text()
                .lines()
                .toList()) {
            String[] words = line.replaceFirst("^ *\\[ *\\d+\\] *", "").split(" +");
            if (words[0].equals(".text")) {
                long start = Long.parseLong(words[2], 16);
                long end = start + Long.parseLong(words[4], 16);
                return address -> address >= start && address < end;
            }
        }
        throw new IllegalStateException(program + " has no text");
    }

    private void shouldCountAsCallgrind(Path program, List<String> command) throws Exception {
        assertTrue(compareWithCallgrind(program, command, 1, text(program)) > 5);
    }

    /**
     * @param runs of callgrind and of madt each; what differs among either is not compared
     * @param within the addresses that are compared
     * @param variables of the program, for both
     * @return how many blocks are alike that have run
     */
    private int compareWithCallgrind(
            Path program, List<String> command, int runs, LongPredicate within, String... variables)
            throws Exception {
        Path real = program.toRealPath();
        Map<Long, Long> wanted = callgrind(real, command, variables);
        Map<Long, Long> counted = count(real, command, variables);
        Set<Long> varying = repeated(real);
        for (int run = 1; run < runs; run++) {
            varying.addAll(differences(wanted, callgrind(real, command, variables)));
            varying.addAll(differences(counted, count(real, command, variables)));
        }
        List<String> wrong = new ArrayList<>();
        int seen = 0;
        for (Map.Entry<Long, Long> block : counted.entrySet()) {
            long address = block.getKey();
            if (within.test(address) && !varying.contains(address)) {
                long expected = wanted.getOrDefault(address, 0L);
                seen += expected > 0 ? 1 : 0;
                if (expected != block.getValue()) {
                    wrong.add("0x" + Long.toHexString(address) + ": " + block.getValue() + ", not "
                            + expected);
                }
            }
        }
        assertEquals(List.of(), wrong);
        return seen;
    }

    private Map<Long, Long> count(Path program, List<String> command, String... variables)
            throws Exception {
        List<String> whole = new ArrayList<>(List.of("env"));
        whole.addAll(List.of(variables));
        whole.addAll(List.of(MadtRun.launcher().toString(), "run", "-qf", "-o", "t.madt"));
        whole.addAll(List.of("--start", "load", "--at", program.getFileName() + ":*:block(*)"));
        whole.addAll(List.of("count", "--"));
        whole.addAll(command);
        MadtRun.command(directory, whole);
        Map<Long, Long> counts = new TreeMap<>();
        for (String line : InstrumentsIT.points(directory)) {
            List<String> cells = CsvLine.cells(line);
            if (cells.size() == 5 && cells.get(4).startsWith("0x")) {
                counts.put(
                        Long.parseLong(cells.get(4).substring(2), 16),
                        Long.parseLong(cells.get(0)));
            }
        }
        return counts;
    }

    private static Set<Long> differences(Map<Long, Long> one, Map<Long, Long> other) {
        Set<Long> addresses = new HashSet<>(one.keySet());
        addresses.addAll(other.keySet());
        addresses.removeIf(it -> Objects.equals(one.get(it), other.get(it)));
        return addresses;
    }

    @Test
    void shouldCountBlocksAsCallgrind() throws Exception {
        Files.writeString(directory.resolve("file"), "some text, and some text again\n".repeat(99));
        Path gzip = Path.of("/usr/bin/gzip");
        shouldCountAsCallgrind(gzip, List.of(gzip.toString(), "-c", "file"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-O0", "-O2", "-O3 -s"})
    @Soak
    void shouldCountBlocksOfRandomProgramsAsCallgrind(String build) throws Exception {
        for (int seed = 1; seed <= 7; seed++) {
            String source = MadtRun.command(
                            directory, List.of("csmith", "--seed", Integer.toString(seed)))
                    .expect(0)
                    .text();
            Files.writeString(directory.resolve("random.c"), source);
            List<String> command = new ArrayList<>(List.of("gcc", "-w", "-I/usr/include/csmith"));
            command.addAll(List.of(build.split(" ")));
            command.addAll(List.of("-o", "random", "random.c"));
            MadtRun.command(directory, command).expect(0);
            Path program = directory.resolve("random");
            shouldCountAsCallgrind(program, List.of(program.toString()));
        }
    }

    /**
     * Lua's hashes have another seed each time, by the time and by addresses: few blocks have other
     * counts each time, with callgrind as well.
     */
    @Test
    @Soak
    void shouldCountBlocksOfLuaAsCallgrind() throws Exception {
        Files.writeString(
                directory.resolve("in.lua"),
                """
                local words = {}
                for i = 1, 300 do words["w" .. i % 70] = (words["w" .. i % 70] or 0) + i end
                local keys = {}
                for key in pairs(words) do keys[#keys + 1] = key end
                table.sort(keys)
                for _, key in ipairs(keys) do io.write(key, "=", words[key], " ") end
                print(string.format("%5.2f", math.sqrt(2)), ("x"):rep(40):gsub("x", "yz"))
                """);
        Path lua = Path.of("/usr/bin/lua5.4");
        int alike = compareWithCallgrind(lua, List.of(lua.toString(), "in.lua"), 3, text(lua));
        assertTrue(alike > 1_500, "blocks: " + alike);
    }

    @Test
    @Soak
    void shouldCountBlocksOfGoAsCallgrind() throws Exception {
        GoProgram program = new GoProgram(directory);
        int alike = compareWithCallgrind(
                program.file(),
                List.of(program.file().toString()),
                3,
                program.compared(),
                GoProgram.VARIABLES.toArray(String[]::new));
        assertTrue(alike > 500, "blocks: " + alike);
    }

    /** Of gawk, blocks have counts by the variables around it. */
    @ParameterizedTest
    @ValueSource(strings = {"bc", "sqlite3"})
    @Soak
    void shouldCountBlocksOfDebianProgramsAsCallgrind(String name) throws Exception {
        Files.writeString(
                directory.resolve("in.bc"), "for(i=0;i<900;i++)s+=i*i/7\ns\nsqrt(2)\nquit\n");
        Path program = Path.of("/usr/bin", name);
        List<String> command = name.equals("bc")
                ? List.of(program.toString(), "-lq", "in.bc")
                : List.of(
                        program.toString(),
                        ":memory:",
                        "create table t(a,b); with recursive c(x) as (select 1 union all select"
                                + " x+1 from c where x<900) insert into t select x,x*x%97 from c;"
                                + " select b,count(*),sum(a) from t group by b order by 2 limit 5");
        shouldCountAsCallgrind(program, command);
    }
}

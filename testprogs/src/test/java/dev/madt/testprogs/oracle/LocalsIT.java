package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Soak;
import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Names of variables on stacks, against gdb, which steps the program and says of each instruction
 * which variable of which open function lies where.
 */
@Order(1)
class LocalsIT {
    private static final Pattern RAW = Pattern.compile("([LS])#(\\d+):0x(\\w+),.*,0x(\\w+)");
    private static final Pattern LINE =
            Pattern.compile("[LS]\\$\\d+:(.*),(\\[[^,]*\\]),([^,]*)\\+\\d+");
    private static final Pattern INLINED =
            Pattern.compile("(\\w+)\\.(\\w+) \\(in ([\\w.]+)\\)\\+(\\d+)");
    private static final Pattern OWN = Pattern.compile("([\\w.]+):([\\w ]+?)(?:\\+(\\d+))?");
    /** Holds what calls store behind which gdb makes no step that is asked for. */
    private static final Set<String> UNSTEPPED =
            Set.of("end:return", "memset:return", "memcpy:return");

    private static final int WORD = 8;

    @TempDir
    Path directory;

    /** An access, as the lines have it. */
    private record Access(long code, long address, String name, String region, String function) {}

    /** A name, taken apart. */
    private record Name(String variable, String function, String frame, long offset) {
        private static Name of(String text) {
            Matcher inlined = INLINED.matcher(text);
            if (inlined.matches()) {
                return new Name(
                        inlined.group(2),
                        inlined.group(1),
                        source(inlined.group(3)),
                        Long.parseLong(inlined.group(4)));
            }
            Matcher own = OWN.matcher(text);
            if (!own.matches() || own.group(2).equals("frame")) {
                return null;
            }
            String offset = own.group(3);
            String function = source(own.group(1));
            return new Name(
                    own.group(2), function, function, offset == null ? 0 : Long.parseLong(offset));
        }

        private String register() {
            return variable.equals("return")
                    ? "rip"
                    : variable.startsWith("saved ") ? variable.substring("saved ".length()) : null;
        }
    }

    /** A variable, as gdb has it. */
    private record Variable(String name, String function, String frame, long start, long end) {}

    /** Says what gdb knows before an instruction. */
    private record Step(long code, long frame, List<Variable> variables, List<String> saved) {
        private static Step of(String line) {
            String[] parts = line.split(" ", -1);
            List<Variable> variables = new ArrayList<>();
            for (int i = 2; i < parts.length - 1; i++) {
                String[] part = parts[i].split(":");
                if (part.length == 5) {
                    variables.add(new Variable(
                            part[0], part[1], part[2], hexadecimal(part[3]), hexadecimal(part[4])));
                }
            }
            return new Step(
                    hexadecimal(parts[0]),
                    hexadecimal(parts[1]),
                    variables,
                    List.of(parts[parts.length - 1].split(",")));
        }
    }

    /** Counts what came of the comparison. */
    private static final class Score {
        private final List<String> wrong = new ArrayList<>();
        private int named;
        private int missed;
        private int saved;
        private int stored;
    }

    /** Of what is not set yet, gdb computes addresses below zero as well. */
    private static long hexadecimal(String digits) {
        return digits.startsWith("-")
                ? Long.parseLong(digits, 16)
                : Long.parseUnsignedLong(digits, 16);
    }

    /** The name in the source of a copy that the compiler made for some of the calls. */
    private static String source(String symbol) {
        return symbol.replaceFirst("\\..*", "");
    }

    @ParameterizedTest
    @CsvSource({
        "gcc, -O2, 70",
        "clang, -O0, 95",
    })
    @SoakCases({"gcc, -O0, 95", "gcc, -O3, 70", "clang, -Og, 70"})
    void shouldNameWhatGdbNames(String compiler, String level, int coverage) throws Exception {
        compare(compiler, List.of(level, "-DONE"), coverage);
    }

    @ParameterizedTest
    @Soak
    @CsvSource({
        "gcc, -O0, 95",
        "gcc, -Og, 70",
        "gcc, -O1, 70",
        "gcc, -O2, 70",
        "gcc, -O3, 70",
        "gcc, -O2 -fno-omit-frame-pointer, 70",
        "gcc, -O1 -gdwarf-4, 70",
        "gcc, -O2 -fstack-protector-all, 70",
        "gcc, -O3 -mavx2 -gdwarf-4, 70",
        "clang, -O0, 95",
        "clang, -Og, 70",
        "clang, -O1, 70",
        "clang, -O2, 70",
        "clang, -O3, 70",
        "clang, -O2 -fno-omit-frame-pointer -gdwarf-4, 70",
    })
    void shouldNameWhatGdbNamesOfAll(String compiler, String levels, int coverage)
            throws Exception {
        compare(compiler, List.of(levels.split(" ")), coverage);
    }

    private void compare(String compiler, List<String> options, int coverage) throws Exception {
        Path program = build(compiler, options);
        List<Access> accesses = record(program);
        List<Step> steps = steps(program, accesses);
        Score score = compare(accesses, steps);
        int percent = 100 * score.named / (score.named + score.missed);
        System.out.printf(
                "%s %s: %,d accesses to variables named, %,d not (%d %%), %,d to saved registers%n",
                compiler, options, score.named, score.missed, percent, score.saved);
        assertEquals(List.of(), score.wrong);
        assertTrue(score.named > 200 && score.saved > 30, "named " + score.named);
        assertTrue(score.stored > 5, "return addresses: " + score.stored);
        assertTrue(percent >= coverage, percent + " %");
    }

    private static Path oracle(String name) {
        return MadtRun.root().resolve("testprogs/oracle").resolve(name);
    }

    private Path build(String compiler, List<String> options) throws Exception {
        assumeTrue(installed(compiler) && installed("gdb"), "no " + compiler + " or gdb");
        Path program = directory.resolve("locals");
        List<String> command = new ArrayList<>(List.of(compiler, "-g", "-no-pie"));
        command.addAll(List.of("-fno-stack-protector", "-w"));
        command.addAll(options);
        command.addAll(List.of("-o", program.toString(), oracle("locals.c").toString()));
        MadtRun.command(directory, command).expect(0);
        return program;
    }

    private boolean installed(String tool) throws Exception {
        return MadtRun.command(directory, List.of("sh", "-c", "command -v " + tool))
                        .status()
                == 0;
    }

    private List<Access> record(Path program) throws Exception {
        String trace = directory.resolve("locals.madt").toString();
        MadtRun.madt(directory, "run", "--stack", "-qf", "-o", trace, "--", program.toString())
                .expect(0);
        MadtRun.madt(directory, "check", trace).expect(0);
        List<String> lines =
                MadtRun.madt(directory, "print", trace).expect(0).text().lines().toList();
        List<String> raw = MadtRun.madt(directory, "print", "--raw", trace)
                .expect(0)
                .text()
                .lines()
                .toList();
        assertEquals(lines.size(), raw.size());
        List<Access> accesses = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher line = LINE.matcher(lines.get(i));
            Matcher address = RAW.matcher(raw.get(i));
            if (line.matches() && address.matches()) {
                accesses.add(new Access(
                        hexadecimal(address.group(4)),
                        hexadecimal(address.group(3)),
                        line.group(1),
                        line.group(2),
                        source(line.group(3))));
            }
        }
        return accesses;
    }

    private List<Step> steps(Path program, List<Access> accesses) throws Exception {
        Set<String> codes = new TreeSet<>();
        accesses.forEach(access -> codes.add(Long.toHexString(access.code())));
        Path asked = Files.write(directory.resolve("codes"), codes);
        Path answer = directory.resolve("answer");
        MadtRun.command(
                directory,
                List.of(
                        "env",
                        "codes=" + asked,
                        "out=" + answer,
                        "gdb",
                        "-nx",
                        "-batch",
                        "-x",
                        oracle("locals.py").toString(),
                        program.toString()));
        List<Step> steps = Files.readAllLines(answer).stream().map(Step::of).toList();
        assertTrue(steps.size() > 300, "steps: " + steps.size());
        return steps;
    }

    /**
     * Goes along the instructions that gdb stepped. Stacks lie elsewhere under gdb, by whole pages:
     * the frame of the function run tells how far.
     */
    private static Score compare(List<Access> accesses, List<Step> steps) {
        int first = 0;
        while (!accesses.get(first).function().equals("run")) {
            first++;
        }
        // In front of its first access, its caller has put the return address there.
        long shift = accesses.get(first - 1).address() + WORD - steps.get(0).frame();
        assertEquals(0, shift % 4096);
        int at = first;
        while (accesses.get(at).code() != steps.get(0).code()) {
            at++;
        }
        Set<String> saved = saved(accesses, steps, at);
        Score score = new Score();
        for (Step step : steps) {
            for (; accesses.get(at).code() == step.code(); at++) {
                Access access = accesses.get(at);
                if (access.region().equals("[stack]")
                        && !UNSTEPPED.contains(access.name())
                        && !isStored(access, accesses.get(at + 1), shift, steps, score)) {
                    judge(access, step, shift, saved, score);
                }
            }
        }
        return score;
    }

    /**
     * Returns whether it is the return address that a call stores: in front of the frame of the
     * function that is at work behind it.
     */
    private static boolean isStored(
            Access access, Access behind, long shift, List<Step> steps, Score score) {
        Name name = Name.of(access.name());
        boolean stored = name != null
                && "rip".equals(name.register())
                && behind.function().equals(name.frame())
                && steps.stream()
                        .anyMatch(step -> step.code() == behind.code()
                                && step.frame() == access.address() - shift + WORD);
        score.stored += stored ? 1 : 0;
        return stored;
    }

    /** Returns where each function saves registers, as gdb says it at any of its instructions. */
    private static Set<String> saved(List<Access> accesses, List<Step> steps, int from) {
        Set<String> saved = new HashSet<>();
        int at = from;
        for (Step step : steps) {
            String function = accesses.get(at).function();
            for (; accesses.get(at).code() == step.code(); at++) {
                for (String place : step.saved()) {
                    saved.add(function + ' ' + place);
                }
            }
        }
        return saved;
    }

    private static void judge(
            Access access, Step step, long shift, Set<String> saved, Score score) {
        long address = access.address() - shift;
        List<Variable> there = step.variables().stream()
                .filter(variable -> address >= variable.start() && address < variable.end())
                .toList();
        Name name = Name.of(access.name());
        if (name == null) {
            score.missed += there.isEmpty() ? 0 : 1;
        } else if (name.register() != null) {
            long offset = address - name.offset() - step.frame();
            boolean right = name.frame().equals(access.function())
                    && saved.contains(name.frame() + ' ' + name.register() + '@' + offset);
            score.saved++;
            if (!right) {
                score.wrong.add(access + " " + there);
            }
        } else if (there.stream()
                .anyMatch(variable -> variable.name().equals(name.variable())
                        && variable.function().equals(name.function())
                        && variable.frame().equals(name.frame())
                        && address - variable.start() == name.offset())) {
            score.named++;
        } else {
            score.wrong.add(access + " " + there);
        }
    }
}

package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import dev.madt.trace.instrument.PlacedInstrument;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/**
 * Compares stacks of instruments with those that gdb has: at random instructions of random
 * functions that a program runs, at their first hits.
 */
final class StackOracle {
    /** Callers that are told. */
    private static final int CALLERS = 20;

    private static final int HITS = 30;
    private static final int FUNCTIONS = 30;
    private static final int INSTRUCTIONS = 4;
    /** Instructions that stay in their place, and those before which gdb stops several times. */
    private static final Pattern LEFT_OUT = Pattern.compile(
            "(endbr64|loop\\w*|j[er]?cxz|ud2|hlt|v?p?gather\\w*|rep\\w*|bnd|lock|notrack|data16|"
                    + "cs|xbegin|syscall|\\(bad\\)).*");

    private static final Pattern INSTRUCTION = Pattern.compile(" *([0-9a-f]+):\\t(.*)");
    private static final Pattern SYMBOL =
            Pattern.compile(" *\\d+: ([0-9a-f]+) +(\\d+) FUNC +\\S+ +\\S+ +\\d+ ([\\w.$]+)(@.*)?");

    private final Path directory;
    private final Random random = new Random(20_033);

    StackOracle(Path directory) {
        this.directory = directory;
    }

    private record Function(String name, long address, long size) {}

    /**
     * Compares the hits of the first thread.
     *
     * @param module file of the program, or of a library that it has from its start on
     * @return how many stacks were the same
     */
    int compare(List<String> command, Path module) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/gdb")), "no gdb");
        String file = module.toRealPath().getFileName().toString();
        String name = ModulePlace.moduleName(file);
        List<String> options = new ArrayList<>();
        for (String place : places(command, module, name)) {
            options.addAll(List.of("--at", place, "log; stack", "--until", "hits:" + HITS));
        }
        record(command, "stacks.madt", options);
        String program = Path.of(command.get(0)).toRealPath().getFileName().toString();
        TraceStacks told = TraceFile.read(
                directory.resolve("stacks.madt"), new TraceStacks(program, CALLERS + 1));
        List<GdbStacks.Place> places = new ArrayList<>();
        for (PlacedInstrument place : told.places()) {
            places.add(new GdbStacks.Place(place.number(), file, place.address()));
        }
        int compared =
                compare(told, GdbStacks.of(directory, command, places, HITS, CALLERS + 1), command);
        System.out.printf(
                "%s: %,d stacks at %d places; ends by cause %s%n",
                String.join(" ", command), compared, told.hits().size(), told.cuts);
        return compared;
    }

    private static int compare(
            TraceStacks told, Map<Integer, List<GdbStacks.Hit>> wanted, List<String> command) {
        int compared = 0;
        for (PlacedInstrument place : told.places()) {
            List<TraceStacks.Hit> mine = told.hits().getOrDefault(place.number(), List.of());
            List<GdbStacks.Hit> theirs = wanted.getOrDefault(place.number(), List.of());
            boolean threads = mine.stream().anyMatch(hit -> hit.thread() != first(told))
                    || theirs.stream().anyMatch(hit -> hit.thread() != 1);
            if (!threads) {
                assertEquals(theirs.size(), mine.size(), command + ", hits of " + place.label());
            }
            for (int i = 0; i < Math.min(mine.size(), theirs.size()); i++) {
                if (mine.get(i).thread() != first(told) || theirs.get(i).thread() != 1) {
                    break; // threads have no order
                }
                if (!isSame(mine.get(i).frames(), theirs.get(i).frames())) {
                    // for whoever reads it; it fails
                    assertEquals(
                            lines(theirs.get(i).frames().stream()
                                    .map(GdbChains.Frame::place)
                                    .toList()),
                            lines(mine.get(i).frames().stream()
                                    .map(TraceChains.Frame::place)
                                    .toList()),
                            command + ", " + place.label() + ", hit " + i);
                }
                compared++;
            }
        }
        return compared;
    }

    /** Threads are numbered by the kernel: the first one has the least number. */
    private static int first(TraceStacks told) {
        return told.hits().values().stream()
                .flatMap(List::stream)
                .mapToInt(TraceStacks.Hit::thread)
                .min()
                .orElseThrow();
    }

    private static boolean isSame(List<TraceChains.Frame> told, List<GdbChains.Frame> wanted) {
        boolean same = !told.isEmpty()
                && told.size() == wanted.size()
                && told.get(0).place().equals(wanted.get(0).place());
        for (int i = 1; same && i < told.size(); i++) {
            same = ChainOracle.isSame(told.get(i), wanted.get(i));
        }
        return same;
    }

    private static String lines(List<ModulePlace> places) {
        List<String> lines = new ArrayList<>();
        places.forEach(place -> lines.add(place.toString()));
        return String.join("\n", lines);
    }

    /** Returns random places in functions that the program runs. */
    private List<String> places(List<String> command, Path module, String name) throws Exception {
        List<Function> functions = run(command, module, name);
        Collections.shuffle(functions, random);
        List<String> places = new ArrayList<>();
        for (Function function : functions.subList(0, Math.min(FUNCTIONS, functions.size()))) {
            places.add(name + ":" + function.name());
            List<Long> instructions = instructions(function, module);
            Collections.shuffle(instructions, random);
            for (long offset :
                    instructions.subList(0, Math.min(INSTRUCTIONS, instructions.size()))) {
                places.add(name + ":" + function.name() + "+0x" + Long.toHexString(offset));
            }
        }
        return places;
    }

    /** Returns the named functions of the module that the program comes to. */
    private List<Function> run(List<String> command, Path module, String name) throws Exception {
        Map<Long, Function> known = new TreeMap<>();
        for (String line : MadtRun.command(
                        directory, List.of("readelf", "-sW", "--dyn-syms", module.toString()))
                .expect(0)
                .text()
                .lines()
                .toList()) {
            Matcher symbol = SYMBOL.matcher(line);
            if (symbol.matches() && Long.parseLong(symbol.group(2)) > 0) {
                long address = Long.parseLong(symbol.group(1), 16);
                known.putIfAbsent(
                        address,
                        new Function(symbol.group(3), address, Long.parseLong(symbol.group(2))));
            }
        }
        record(command, "run.madt", List.of("--at", name + ":*", "count"));
        List<Function> functions = new ArrayList<>();
        for (String line : MadtRun.madt(directory, "points", "--format", "csv", "run.madt")
                .expect(0)
                .text()
                .lines()
                .skip(1)
                .toList()) {
            List<String> cells = CsvLine.cells(line);
            Function function = known.get(Long.decode(cells.get(4)));
            Function before = known.get(Long.decode(cells.get(4)) - 4); // behind endbr64
            function = function == null ? before : function;
            if (Long.parseLong(cells.get(0)) > 0 && function != null && isAlone(known, function)) {
                functions.add(function);
            }
        }
        return functions;
    }

    /** Returns whether no other function is called the same, and no clone of it. */
    private static boolean isAlone(Map<Long, Function> known, Function function) {
        return known.values().stream()
                        .filter(one -> plain(one).equals(plain(function)))
                        .count()
                == 1;
    }

    private static String plain(Function function) {
        return function.name().replaceFirst("\\..*", "");
    }

    /** Returns the distances of a function's instructions, as objdump decodes them. */
    private List<Long> instructions(Function function, Path module) throws Exception {
        List<Long> offsets = new ArrayList<>();
        for (String line : MadtRun.command(
                        directory,
                        List.of(
                                "objdump",
                                "-d",
                                "--no-show-raw-insn",
                                "--start-address=" + function.address(),
                                "--stop-address=" + (function.address() + function.size()),
                                module.toString()))
                .expect(0)
                .text()
                .lines()
                .toList()) {
            Matcher instruction = INSTRUCTION.matcher(line);
            if (instruction.matches() && !LEFT_OUT.matcher(instruction.group(2)).matches()) {
                offsets.add(Long.parseLong(instruction.group(1), 16) - function.address());
            }
        }
        return offsets;
    }

    private void record(List<String> command, String trace, List<String> options) throws Exception {
        List<String> run = new ArrayList<>(List.of(
                MadtRun.launcher().toString(),
                "run",
                "-f",
                "-o",
                trace,
                "--only-program",
                command.get(0)));
        run.addAll(options);
        run.add("--");
        run.addAll(GdbChains.ENVIRONMENT);
        run.addAll(command);
        MadtRun.command(directory, run).expect(0);
        assertTrue(Files.exists(directory.resolve(trace)), trace);
    }
}

package dev.madt.testprogs.oracle;

import dev.madt.testprogs.AddressRanges;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the log of Lackey over all code and all threads from main on: {@code --trace-mem=yes
 * --trace-symtab=yes --trace-sched=yes --trace-syscalls=yes}, of a program with oracle/frames.c in
 * front of it.
 *
 * <ul>
 *   <li>A line of the scheduler says which thread the lines behind it are of.
 *   <li>Between the first instructions of frames_begin and frames_end a thread is in an interposed
 *       function.
 *   <li>The heap begins at the answer to the first {@code brk}.
 *   <li>main's frame is at the address of main's first access, a push.
 * </ul>
 */
final class LackeyThreads {
    private static final Pattern SCHEDULED =
            Pattern.compile("--\\d+--\\s+SCHED\\[(\\d+)]:\\s+acquired lock \\((.*)\\)");
    private static final Pattern BREAK =
            Pattern.compile("SYSCALL.* sys_brk \\(.*Success\\(0x([0-9a-f]+)\\).*");
    private static final Pattern MMAP =
            Pattern.compile("SYSCALL.* sys_mmap \\( 0x[0-9a-f]+, (\\d+), \\d+,"
                    + " (\\d+),.*Success\\(0x([0-9a-f]+)\\).*");
    /** The main thread's base of FS, and another thread's: the last argument of clone. */
    private static final Pattern BASE = Pattern.compile(
            "SYSCALL.* (?:arch_prctl \\( 4098, |sys_clone \\( [0-9a-f]+,.*, 0x)([0-9a-f]+) \\).*");

    private static final int MAP_ANONYMOUS = 0x20;
    private static final int MAP_STACK = 0x20000;
    private static final long STACK_SIZE = 8L << 20;

    private final String program;
    private final AllCodeRules rules;
    private final ValgrindModules modules = new ValgrindModules();
    private final Map<ModulePlace, LackeyCount> counts = new TreeMap<>();
    private final ThreadAccesses accesses = new ThreadAccesses();
    private final ThreadAccesses offStacks = new ThreadAccesses();
    private final TreeSet<Long> bases = new TreeSet<>();
    private final Map<ModulePlace, Boolean> threadLocal = new HashMap<>();
    private final AddressRanges early = new AddressRanges();
    private final AddressRanges memoryOfThreads = new AddressRanges();
    /** By Valgrind's number of a thread, which another thread gets when it has ended. */
    private final Map<Integer, Reading> threads = new TreeMap<>();

    private Reading thread = new Reading(-1);
    private long begunThreads;
    private long heap = -1;
    private long heapEnd = -1;
    private long main = -1;
    private long framesBegin = -1;
    private long framesEnd = -1;
    private long frame = -1;
    private ValgrindModules.Image ownImage;
    private boolean begun;
    private boolean inMain;

    /** Says where one thread is. */
    private static final class Reading {
        private final long number;
        private boolean inFrame;
        private ValgrindModules.Image module;
        private long instruction;

        Reading(long number) {
            this.number = number;
        }
    }

    /** Says how many lines of each kind an instruction has. */
    record LackeyCount(long loads, long stores, long modifications) {
        static final LackeyCount NONE = new LackeyCount(0, 0, 0);

        LackeyCount plus(LackeyCount other) {
            return new LackeyCount(
                    loads + other.loads,
                    stores + other.stores,
                    modifications + other.modifications);
        }

        static LackeyCount of(char kind) {
            return new LackeyCount(kind == 'L' ? 1 : 0, kind == 'S' ? 1 : 0, kind == 'M' ? 1 : 0);
        }
    }

    private LackeyThreads(Path program, AllCodeRules rules) {
        this.program = program.toString();
        this.rules = rules;
    }

    /**
     * @param rules say which accesses MadT does not record
     * @throws IOException if the log lacks something: the message says what
     */
    static LackeyThreads read(Path log, Path program, AllCodeRules rules) throws IOException {
        LackeyThreads reader = new LackeyThreads(program, rules);
        try (BufferedReader lines = Files.newBufferedReader(log, StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                reader.line(line);
            }
        }
        if (!reader.inMain
                || reader.frame < 0
                || reader.heap < 0
                || reader.framesBegin < 0
                || reader.framesEnd < 0) {
            throw new IOException(log
                    + ": Lackey's log does not show main, the heap or the interposed functions");
        }
        return reader;
    }

    ValgrindModules modules() {
        return modules;
    }

    /** All lines of a trace from main on, outside of interposed functions. */
    Map<ModulePlace, LackeyCount> counts() {
        return counts;
    }

    /** Without those that the rules take out; a modification is a load, then a store. */
    ThreadAccesses accesses() {
        return accesses;
    }

    /**
     * Returns those accesses without operands relative to FS and without the ones to stacks,
     * anonymous memory from before the program's
     * first instruction (the loader's, with the main thread's thread-local storage), and mappings
     * for threads.
     */
    ThreadAccesses offStacks() {
        return offStacks;
    }

    private void line(String line) throws IOException {
        if (line.length() > 11 && isTraceLine(line)) {
            int comma = line.indexOf(',', 11);
            if (comma > 0) {
                trace(line, comma);
                return;
            }
        }
        if (line.startsWith("--") && line.contains("SCHED[")) {
            scheduler(line);
        } else if (line.startsWith("SYSCALL")) {
            systemCall(line);
        } else {
            modules.line(line);
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

    private void scheduler(String line) {
        Matcher scheduled = SCHEDULED.matcher(line);
        if (scheduled.matches()) {
            int number = Integer.parseInt(scheduled.group(1));
            if (scheduled.group(2).startsWith("thread_wrapper")) {
                threads.put(number, new Reading(begunThreads++));
            }
            thread = threads.computeIfAbsent(number, Reading::new);
        }
    }

    private void systemCall(String line) {
        Matcher set = BREAK.matcher(line);
        if (set.matches()) {
            heapEnd = Long.parseLong(set.group(1), 16);
            heap = heap < 0 ? heapEnd : heap;
        }
        Matcher base = BASE.matcher(line);
        if (base.matches()) {
            bases.add(Long.parseLong(base.group(1), 16));
        }
        Matcher map = MMAP.matcher(line);
        if (map.matches()) {
            int flags = Integer.parseInt(map.group(2));
            long start = Long.parseLong(map.group(3), 16);
            long end = start + Long.parseLong(map.group(1));
            early.remove(start, end);
            memoryOfThreads.remove(start, end);
            if ((flags & MAP_STACK) != 0 || !begun && (flags & MAP_ANONYMOUS) != 0) {
                memoryOfThreads.add(start, end);
            }
            if (!inMain && (flags & MAP_ANONYMOUS) != 0) {
                early.add(start, end);
            }
        }
    }

    private void trace(String line, int comma) {
        long address = Long.parseLong(line, 3, comma, 16);
        if (line.charAt(0) == 'I') {
            instruction(address);
        } else if (inMain && !thread.inFrame) {
            data(line.charAt(1), address, Integer.parseInt(line, comma + 1, line.length(), 10));
        }
    }

    private void instruction(long address) {
        if (!begun) {
            ownImage = ownImage == null ? modules.named(program) : ownImage;
            begun = ownImage != null && ownImage.contains(address);
        }
        if (!inMain) {
            main = main < 0 ? modules.function(program, "main") : main;
            inMain = address == main;
            if (!inMain) {
                return;
            }
            framesBegin = modules.function("libframes.so", "frames_begin");
            framesEnd = modules.function("libframes.so", "frames_end");
        }
        if (address == framesBegin || address == framesEnd) {
            thread.inFrame = address == framesBegin;
        }
        thread.instruction = address;
        if (thread.module == null || !thread.module.contains(address)) {
            thread.module = modules.at(address);
        }
    }

    private void data(char kind, long address, int size) {
        ModulePlace code = thread.module == null
                ? new ModulePlace("?", thread.instruction)
                : thread.module.place(thread.instruction);
        frame = frame < 0 ? address : frame;
        counts.merge(code, LackeyCount.of(kind), LackeyCount::plus);
        ValgrindModules.Image target = modules.at(address);
        if (rules.excuses(modules, code, target, kind == 'M' ? 2 : 1)) {
            return;
        }
        boolean relative = threadLocal.computeIfAbsent(
                code, place -> AllCodeRules.isThreadLocal(modules, place));
        ModulePlace data = relative ? ModulePlace.ofThread(bases, address) : place(target, address);
        boolean offStack = !relative
                && !data.module().equals(ModulePlace.STACK)
                && !data.module().equals(ModulePlace.ABOVE)
                && (target != null || !memoryOfThreads.contains(address));
        if (kind != 'S') {
            add(new PlacedAccess(code, false, size, data), offStack);
        }
        if (kind != 'L') {
            add(new PlacedAccess(code, true, size, data), offStack);
        }
    }

    private void add(PlacedAccess access, boolean offStack) {
        accesses.add(thread.number, access);
        if (offStack) {
            offStacks.add(thread.number, access);
        }
    }

    private ModulePlace place(ValgrindModules.Image target, long address) {
        if (target != null) {
            return target.place(address);
        }
        if (Math.abs(address - frame) < STACK_SIZE) {
            return address >= frame
                    ? new ModulePlace(ModulePlace.ABOVE, 0)
                    : ModulePlace.inPage(ModulePlace.STACK, address);
        }
        if (early.contains(address)) {
            return ModulePlace.early(address);
        }
        return address >= heap && address < heapEnd
                ? new ModulePlace(ModulePlace.HEAP, address - heap)
                : ModulePlace.inPage(ModulePlace.PAGE, address);
    }
}

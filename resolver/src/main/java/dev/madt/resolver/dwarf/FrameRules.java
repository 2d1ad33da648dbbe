package dev.madt.resolver.dwarf;

import dev.madt.trace.code.CodeFunctions;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Says where the frame of a function begins, instruction by instruction: the canonical frame
 * address, the stack pointer before the call, as {@code .eh_frame} computes it (LSB 5.0 core,
 * "Exception Frames"; DWARF 5, section 6.4). What is malformed, or computed by an expression, has
 * no rule. The analyser has found the records; here their instructions are followed. Not for use by
 * several threads.
 */
public final class FrameRules {
    /** DWARF's numbers of registers, System V ABI, figure 3.36. */
    public static final int RBP = 6;

    public static final int RSP = 7;

    private static final long WIDE = 0xffffffffL;
    private static final int RELATIVE = 0x10;
    private static final int APPLICATION = 0x70;
    private static final int INDIRECT = 0x80;
    /** Operands of the instructions that change no rule: u unsigned, s signed, b a block. */
    private static final Map<Integer, String> PASSED = Map.ofEntries(
            Map.entry(0x00, ""),
            Map.entry(0x14, "uu"),
            Map.entry(0x15, "us"),
            Map.entry(0x16, "ub"),
            Map.entry(0x2e, "u"));

    /**
     * The frame begins at a register's value and an offset.
     *
     * @param register {@link #RSP}, {@link #RBP} or another; -1 where an expression computes it
     */
    public record Rule(int register, long offset) {}

    /** Says what the records of several functions share. */
    private record Common(
            int encoding, long codeUnit, long dataUnit, boolean augmented, int from, int to) {}

    /** One function: its code, and where its instructions are. */
    private record Function(long start, Common common, int from, int to) {}

    private final ByteBuffer section;
    private final long address;
    private final CodeFunctions ranges;
    private final Map<Long, Common> commons = new HashMap<>();

    /**
     * @param section the bytes of {@code .eh_frame}
     * @param address where the first of them is loaded
     * @param ranges where the functions are, and their records
     */
    public FrameRules(ByteBuffer section, long address, CodeFunctions ranges) {
        this.ranges = ranges;
        this.section = section;
        this.address = address;
    }

    /** The rule before the instruction at an ELF virtual address, or null. */
    public Rule at(long code) {
        int row = ranges.unwindAround(code);
        if (row < 0) {
            return null;
        }
        try {
            return rule(function(ranges.where(row) - address, ranges.start(row)), code);
        } catch (IndexOutOfBoundsException | MalformedDwarfException e) {
            return null;
        }
    }

    /**
     * Returns where the function has saved registers of its caller before an instruction, by their
     * DWARF numbers: offsets from the canonical frame address. Number 16 is the return address.
     */
    public Map<Integer, Long> saved(long code) {
        int row = ranges.unwindAround(code);
        if (row < 0) {
            return Map.of();
        }
        try {
            return run(function(ranges.where(row) - address, ranges.start(row)), code).saved;
        } catch (IndexOutOfBoundsException | MalformedDwarfException e) {
            return Map.of();
        }
    }

    /**
     * Returns whether all registers that the function has saved before an instruction are among
     * {@link #saved}: the others have their caller's values, those that calls keep.
     */
    public boolean savesPlainly(long code) {
        int row = ranges.unwindAround(code);
        if (row < 0) {
            return false;
        }
        try {
            return !run(function(ranges.where(row) - address, ranges.start(row)), code).otherwise;
        } catch (IndexOutOfBoundsException | MalformedDwarfException e) {
            return false;
        }
    }

    private Rule rule(Function function, long code) {
        Rule rule = run(function, code).rule;
        return rule == null || rule.register() < 0 ? null : rule;
    }

    private Run run(Function function, long code) {
        Run run = new Run(function);
        run.execute(function.common().from(), function.common().to(), Long.MAX_VALUE);
        run.first = Map.copyOf(run.saved);
        run.execute(function.from(), function.to(), code);
        return run;
    }

    /** Follows the instructions of one function. */
    private final class Run {
        private final Common common;
        private final Deque<Rule> kept = new ArrayDeque<>();
        private final Deque<Map<Integer, Long>> keptSaved = new ArrayDeque<>();
        private Map<Integer, Long> first = Map.of();
        private Map<Integer, Long> saved = new HashMap<>();
        private long location;
        private Rule rule;
        /** Says that a register was saved in another way. */
        private boolean otherwise;

        Run(Function function) {
            this.common = function.common();
            this.location = function.start();
        }

        /** Up to where the location passes {@code code}. */
        void execute(int from, int to, long code) {
            SectionReader in = new SectionReader(section, from);
            while (in.position() < to && location <= code) {
                Rule before = rule;
                int operation = in.u8();
                switch (operation >> 6) {
                    case 1 -> location += (operation & 0x3f) * common.codeUnit();
                    case 2 -> save(operation & 0x3f, in.uleb() * common.dataUnit());
                    case 3 -> restore(operation & 0x3f);
                    default -> step(operation, in);
                }
                rule = location > code ? before : rule;
            }
        }

        private void step(int operation, SectionReader in) {
            switch (operation) {
                case 0x01 -> location = value(common.encoding(), address, in);
                case 0x02 -> location += in.u8() * common.codeUnit();
                case 0x03 -> location += in.u16() * common.codeUnit();
                case 0x04 -> location += in.u32() * common.codeUnit();
                case 0x0a -> {
                    kept.push(rule);
                    keptSaved.push(new HashMap<>(saved));
                }
                case 0x0b -> {
                    rule = kept.isEmpty() ? null : kept.pop();
                    saved = keptSaved.isEmpty() ? new HashMap<>() : keptSaved.pop();
                }
                case 0x05 -> save((int) in.uleb(), in.uleb() * common.dataUnit());
                case 0x06 -> restore((int) in.uleb());
                case 0x07 -> {
                    // a function that has no caller says this of the return address
                    saved.remove((int) in.uleb());
                    otherwise = true;
                }
                case 0x08 -> saved.remove((int) in.uleb());
                case 0x09 -> {
                    saved.remove((int) in.uleb());
                    in.skipLeb();
                    otherwise = true;
                }
                case 0x10 -> {
                    otherwise = true;
                    saved.remove((int) in.uleb());
                    in.skip(in.uleb());
                }
                case 0x11 -> save((int) in.uleb(), in.sleb() * common.dataUnit());
                case 0x2f -> save((int) in.uleb(), -in.uleb() * common.dataUnit());
                case 0x0c -> rule = new Rule((int) in.uleb(), in.uleb());
                case 0x0d -> rule = new Rule((int) in.uleb(), offset());
                case 0x0e -> rule = new Rule(register(), in.uleb());
                case 0x0f -> {
                    in.skip(in.uleb());
                    rule = new Rule(-1, 0);
                }
                case 0x12 -> rule = new Rule((int) in.uleb(), in.sleb() * common.dataUnit());
                case 0x13 -> rule = new Rule(register(), in.sleb() * common.dataUnit());
                default -> pass(operation, in);
            }
        }

        private void save(int register, long offset) {
            saved.put(register, offset);
        }

        private void restore(int register) {
            Long before = first.get(register);
            if (before == null) {
                saved.remove(register);
            } else {
                saved.put(register, before);
            }
        }

        private long offset() {
            return rule == null ? 0 : rule.offset();
        }

        private int register() {
            return rule == null ? -1 : rule.register();
        }

        private void pass(int operation, SectionReader in) {
            String operands = PASSED.get(operation);
            if (operands == null) {
                throw new MalformedDwarfException(
                        ".eh_frame", in.position(), "instruction " + operation);
            }
            otherwise |= operation == 0x14 || operation == 0x15 || operation == 0x16;
            for (char operand : operands.toCharArray()) {
                if (operand == 'b') {
                    in.skip(in.uleb());
                } else {
                    in.skipLeb();
                }
            }
        }
    }

    /** Reads a record of the section up to its instructions. */
    private Function function(long record, long start) {
        SectionReader in = new SectionReader(section, record);
        long length = in.u32();
        length = length == WIDE ? in.u64() : length;
        int end = Math.toIntExact(in.position() + length);
        long here = in.position();
        Common common = commons.computeIfAbsent(here - in.u32(), this::common);
        value(common.encoding(), address, in);
        value(common.encoding() & 0x07, 0, in);
        if (common.augmented()) {
            in.skip(in.uleb());
        }
        return new Function(start, common, in.position(), end);
    }

    private Common common(long at) {
        SectionReader in = new SectionReader(section, at);
        long length = in.u32();
        length = length == WIDE ? in.u64() : length;
        int end = (int) (in.position() + length);
        in.u32();
        int version = in.u8();
        String augmentation = in.string();
        in.skip(version >= 4 ? 2 : 0);
        long codeUnit = in.uleb();
        long dataUnit = in.sleb();
        if (version == 1) {
            in.u8();
        } else {
            in.skipLeb();
        }
        boolean augmented = augmentation.startsWith("z");
        int encoding = 0;
        if (augmented) {
            long after = in.uleb() + in.position();
            encoding = encoding(augmentation, in);
            in.seek(after);
        }
        return new Common(encoding, codeUnit, dataUnit, augmented, in.position(), end);
    }

    private static int encoding(String augmentation, SectionReader in) {
        for (char letter : augmentation.substring(1).toCharArray()) {
            switch (letter) {
                case 'R' -> {
                    return in.u8();
                }
                case 'P' -> value(in.u8(), 0, in);
                case 'L' -> in.u8();
                default -> {}
            }
        }
        return 0;
    }

    /**
     * An address or a number; {@code section}: where the section is loaded, for what counts from
     * its own place.
     */
    private static long value(int encoding, long section, SectionReader in) {
        long base = (encoding & APPLICATION) == RELATIVE ? section + in.position() : 0;
        return base + number(encoding, in);
    }

    private static long number(int encoding, SectionReader in) {
        return switch (encoding & 0x0f) {
            case 0x00, 0x04, 0x0c -> in.u64();
            case 0x01 -> in.uleb();
            case 0x02 -> in.u16();
            case 0x03 -> in.u32();
            case 0x09 -> in.sleb();
            case 0x0a -> (short) in.u16();
            case 0x0b -> (int) in.u32();
            default ->
                throw new MalformedDwarfException(
                        ".eh_frame", in.position(), "addresses of kind " + encoding);
        };
    }
}

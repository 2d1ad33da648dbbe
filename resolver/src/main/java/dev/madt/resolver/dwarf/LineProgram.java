package dev.madt.resolver.dwarf;

import java.nio.ByteBuffer;

/**
 * Runs a line number program (DWARF 5, section 6.2.5). Each step takes at least one byte, so that
 * every program ends.
 */
final class LineProgram {
    private static final String SECTION = ".debug_line";
    private static final int EXTENDED = 0;
    private static final int COPY = 1;
    private static final int ADVANCE_PC = 2;
    private static final int ADVANCE_LINE = 3;
    private static final int SET_FILE = 4;
    private static final int SET_COLUMN = 5;
    private static final int CONST_ADD_PC = 8;
    private static final int FIXED_ADVANCE_PC = 9;
    private static final int LAST_KNOWN = 12;
    private static final int END_SEQUENCE = 1;
    private static final int SET_ADDRESS = 2;

    private final SectionReader in;
    private final int end;
    private final LineFiles files;
    private final int unit;
    private final int lineBase;
    private final int lineRange;
    private final int opcodeBase;
    private final int[] operands;
    private final LineTable.Builder rows = new LineTable.Builder();
    private long address;
    private int file;
    private int line;
    private int column;

    private LineProgram(DwarfFile debug, long offset, String unitDirectory) {
        ByteBuffer section = debug.section(SECTION);
        SectionReader head = new SectionReader(section, offset);
        long length = head.u32();
        boolean wide = length == 0xffffffffL;
        length = wide ? head.u64() : length;
        end = (int) Math.min(Math.max(length, 0) + head.position(), section.limit());
        in = new SectionReader(
                section.duplicate().order(section.order()).limit(end), head.position());
        Encoding encoding = new Encoding(in.u16(), wide);
        if (encoding.version() < 2 || encoding.version() > 5) {
            throw new MalformedDwarfException(
                    SECTION, offset, "version " + encoding.version() + " is not read");
        }
        in.skip(encoding.version() == 5 ? 2 : 0);
        long program = in.offset(wide) + in.position();
        unit = in.u8();
        in.skip(encoding.version() >= 4 ? 2 : 1);
        lineBase = (byte) in.u8();
        lineRange = in.u8();
        opcodeBase = in.u8();
        if (lineRange == 0 || opcodeBase == 0) {
            throw new MalformedDwarfException(
                    SECTION, offset, "line range " + lineRange + ", opcodes from " + opcodeBase);
        }
        operands = new int[opcodeBase];
        for (int i = 1; i < opcodeBase; i++) {
            operands[i] = in.u8();
        }
        files = new LineFiles(debug, in, encoding, unitDirectory);
        in.seek(program);
    }

    /** Runs the program of a unit, at an offset of {@code .debug_line}. */
    static LineTable run(Unit unit, long offset) {
        DwarfFile debug = unit.file();
        LineProgram program =
                new LineProgram(debug, offset, unit.root().string(Attribute.COMP_DIR));
        try {
            program.run();
        } catch (RuntimeException e) {
            debug.warn("the line program at byte 0x" + Long.toHexString(offset) + " breaks off", e);
        }
        return program.rows.build(program.files);
    }

    private void run() {
        reset();
        while (in.position() < end) {
            int opcode = in.u8();
            if (opcode >= opcodeBase) {
                special(opcode - opcodeBase);
            } else if (opcode == EXTENDED) {
                extended();
            } else if (opcode <= LAST_KNOWN) {
                standard(opcode);
            } else {
                skipOperands(opcode);
            }
        }
    }

    private void reset() {
        address = 0;
        file = 1;
        line = 1;
        column = 0;
    }

    private void special(int opcode) {
        address += (long) (opcode / lineRange) * unit;
        line += lineBase + opcode % lineRange;
        addRow();
    }

    private void addRow() {
        rows.row(address, file, line, column);
    }

    private void standard(int opcode) {
        switch (opcode) {
            case COPY -> addRow();
            case ADVANCE_PC -> address += in.uleb() * unit;
            case ADVANCE_LINE -> line += (int) in.sleb();
            case SET_FILE -> file = (int) in.uleb();
            case SET_COLUMN -> column = (int) in.uleb();
            case CONST_ADD_PC -> address += (long) ((255 - opcodeBase) / lineRange) * unit;
            case FIXED_ADVANCE_PC -> address += in.u16();
            default -> skipOperands(opcode);
        }
    }

    private void skipOperands(int opcode) {
        for (int i = 0; i < operands[opcode]; i++) {
            in.skipLeb();
        }
    }

    private void extended() {
        long length = in.uleb();
        int start = in.position();
        if (length > 0) {
            switch (in.u8()) {
                case END_SEQUENCE -> {
                    rows.endSequence(address);
                    reset();
                }
                case SET_ADDRESS -> address = length == 9 ? in.u64() : in.u32();
                default -> {}
            }
        }
        in.seek(start);
        in.skip(length);
    }
}

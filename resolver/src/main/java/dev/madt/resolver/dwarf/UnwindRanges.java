package dev.madt.resolver.dwarf;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The ranges of code that {@code .eh_frame} describes (LSB 5.0 core, "Exception Frames"): the
 * functions of a program, which stripped ones keep. Each record is left by its length, so that
 * reading ends with the bytes.
 */
public final class UnwindRanges {
    /** Takes a range of ELF virtual addresses. */
    public interface Sink {
        void range(long start, long end);
    }

    /** Takes a record: a reader behind its length, and where it ends. */
    interface Records {
        void record(SectionReader in, int end);
    }

    private static final long WIDE = 0xffffffffL;
    private static final int RELATIVE = 0x10;
    private static final int APPLICATION = 0x70;
    private static final int INDIRECT = 0x80;

    private final ByteBuffer section;
    private final long address;
    private final Map<Long, Integer> encodings = new HashMap<>();

    /**
     * @param section the bytes of {@code .eh_frame}, perhaps with more behind its end
     * @param address where the first of them is loaded
     */
    public UnwindRanges(ByteBuffer section, long address) {
        this.section = section;
        this.address = address;
    }

    /** Gives all ranges up to the end, or to the first record that is malformed. */
    public void each(Sink sink) {
        records(section, (in, end) -> record(in, sink));
    }

    /** Gives all records up to the end, or to the first one that is malformed. */
    static void records(ByteBuffer section, Records records) {
        try {
            long at = 0;
            while (at + 4 <= section.limit()) {
                SectionReader in = new SectionReader(section, at);
                long length = in.u32();
                length = length == WIDE ? in.u64() : length;
                long end = in.position() + length;
                if (length <= 0 || end > section.limit()) {
                    return;
                }
                records.record(in, (int) end);
                at = end;
            }
        } catch (IndexOutOfBoundsException | MalformedDwarfException e) {
            return; // what is told so far holds
        }
    }

    private void record(SectionReader in, Sink sink) {
        long here = in.position();
        long distance = in.u32();
        if (distance == 0) {
            return;
        }
        int encoding = encodings.computeIfAbsent(here - distance, this::encoding);
        if ((encoding & INDIRECT) != 0) {
            return;
        }
        long base = (encoding & APPLICATION) == RELATIVE ? address + in.position() : 0;
        long start = base + value(encoding, in);
        long size = value(encoding & 0x07, in);
        if (start > 0 && size > 0 && start + size > start) {
            sink.range(start, start + size);
        }
    }

    /** How the records of the common one at an offset give addresses. */
    private int encoding(long common) {
        SectionReader in = new SectionReader(section, common);
        in.skip(in.u32() == WIDE ? 8 : 0);
        in.u32();
        int version = in.u8();
        String augmentation = in.string();
        in.skip(version >= 4 ? 2 : 0);
        in.skipLeb();
        in.skipLeb();
        if (version == 1) {
            in.u8();
        } else {
            in.skipLeb();
        }
        if (!augmentation.startsWith("z")) {
            return 0;
        }
        in.skipLeb();
        for (char letter : augmentation.substring(1).toCharArray()) {
            switch (letter) {
                case 'R' -> {
                    return in.u8();
                }
                case 'P' -> value(in.u8(), in);
                case 'L' -> in.u8();
                default -> {}
            }
        }
        return 0;
    }

    static long value(int encoding, SectionReader in) {
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

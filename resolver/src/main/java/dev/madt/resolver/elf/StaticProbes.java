package dev.madt.resolver.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the static probes of a module: the notes of {@code <sys/sdt.h>}, section
 * {@code .note.stapsdt}, and those of {@code <madt.h>}, section {@code .note.madt}. Both hold three
 * words of 64 bits and three texts:
 *
 * <pre>
 *   stapsdt, type 3   instruction | where .stapsdt.base was | semaphore | provider, name, operands
 *   madt, type 1      instruction | 0                       | 0         | "", name, operands
 * </pre>
 */
public final class StaticProbes {
    private static final String SYSTEMTAP = ".note.stapsdt";
    private static final String MADT = ".note.madt";
    private static final String BASE = ".stapsdt.base";
    private static final int NOTE_HEAD = 12;
    private static final int WORDS = 3 * Long.BYTES;
    private static final int TEXTS = 3;

    private StaticProbes() {}

    /** Returns them in the order of the notes. */
    public static List<StaticProbe> of(ElfImage image) throws IOException {
        List<StaticProbe> probes = new ArrayList<>();
        for (String name : List.of(SYSTEMTAP, MADT)) {
            ElfSection section = image.section(name);
            if (section != null && section.inFile()) {
                ElfSection base = name.equals(SYSTEMTAP) ? image.section(BASE) : null;
                add(
                        image.data(section).order(ByteOrder.LITTLE_ENDIAN),
                        base == null ? 0 : base.address(),
                        probes);
            }
        }
        return probes;
    }

    /** @param base where {@code .stapsdt.base} is; 0: nothing has been moved */
    private static void add(ByteBuffer notes, long base, List<StaticProbe> probes) {
        while (notes.remaining() >= NOTE_HEAD) {
            long owner = aligned(Integer.toUnsignedLong(notes.getInt()));
            long size = Integer.toUnsignedLong(notes.getInt());
            notes.getInt();
            if (owner + aligned(size) > notes.remaining() || size < WORDS) {
                return;
            }
            int start = notes.position() + (int) owner;
            long address = notes.getLong(start);
            long linked = notes.getLong(start + Long.BYTES);
            long semaphore = notes.getLong(start + 2 * Long.BYTES);
            List<String> texts = texts(notes, start + WORDS, start + (int) size);
            if (texts.size() == TEXTS) {
                long moved = base == 0 ? 0 : base - linked;
                probes.add(new StaticProbe(
                        texts.get(0),
                        texts.get(1),
                        address + moved,
                        semaphore == 0 ? 0 : semaphore + moved,
                        operands(texts.get(2))));
            }
            notes.position(start + (int) aligned(size));
        }
    }

    private static List<String> texts(ByteBuffer notes, int from, int end) {
        List<String> texts = new ArrayList<>();
        int begin = from;
        for (int at = from; at < end && texts.size() < TEXTS; at++) {
            if (notes.get(at) == 0) {
                byte[] text = new byte[at - begin];
                notes.get(begin, text);
                texts.add(new String(text, StandardCharsets.UTF_8));
                begin = at + 1;
            }
        }
        return texts;
    }

    private static List<StaticOperand> operands(String text) {
        return text.isBlank()
                ? List.of()
                : Arrays.stream(text.strip().split(" +")).map(StaticOperand::of).toList();
    }

    private static long aligned(long size) {
        return size + 3 & -4L;
    }
}

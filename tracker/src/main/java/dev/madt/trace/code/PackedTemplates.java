package dev.madt.trace.code;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.WordSources;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The templates of a splice plan and their words ({@code madt_templates.h}), read in place. A
 * template's lengths are there at once, its sites are not: the first time that a template of a
 * block is asked for, the whole block is read, and where each of its templates begins is kept. Any
 * thread may ask.
 */
final class PackedTemplates {
    private static final int BLOCK_BYTES = 8;
    /** {@code MADT_PLAN_TEMPLATE_WORDS}. */
    private static final int WORDS = SplicePlan.TEMPLATE_WORDS;

    private static final int LENGTHS = 15;
    /** {@code madt_plan_size}; 0: the size follows. */
    private static final int[] SIZES = {8, 4, 16, 1, 2, 32, 64, 0};

    private final ByteBuffer bytes;
    private final int templates;
    private final int index;
    private final int count;
    /** By block: the address in front of each template, and where its words lie. */
    private final AtomicReferenceArray<int[]> begins;

    /**
     * @param templates where their bytes lie
     * @param index where the index of the words lies
     * @param count how many templates there are
     */
    PackedTemplates(ByteBuffer bytes, int templates, int index, int count) {
        this.bytes = bytes;
        this.templates = templates;
        this.index = index;
        this.count = count;
        this.begins = new AtomicReferenceArray<>((count + SplicePlan.ROWS - 1) / SplicePlan.ROWS);
    }

    int count() {
        return count;
    }

    private int template(int number) {
        if (number < 0 || number >= count) {
            throw new IndexOutOfBoundsException("template " + number + " of " + count);
        }
        return bytes.get(templates + number) & 0xff;
    }

    private static int kind(int template) {
        return template / WORDS * WORDS;
    }

    /** Words that a chunk holds. */
    int stored(int number) {
        return template(number) % WORDS + 1;
    }

    /** Words of a template, those that no chunk holds included. */
    private int words(int number) {
        return kind(template(number)) == SplicePlan.TEMPLATE_DERIVES
                ? stored(number + 1)
                : stored(number);
    }

    boolean isProbe(int number) {
        return kind(template(number)) == SplicePlan.TEMPLATE_PROBE;
    }

    /** See {@link ModuleTemplates#sources}. */
    WordSources sources(int number) {
        if (kind(template(number)) != SplicePlan.TEMPLATE_DERIVES) {
            return null;
        }
        Words words = wordsOf(number);
        byte[] from = new byte[words(number)];
        short[] distance = new short[from.length];
        byte stored = 0;
        for (int i = 0; i < from.length; i++) {
            words.next(true);
            from[i] = words.from < 0 ? stored++ : from[words.from];
            distance[i] = words.distance;
        }
        return new WordSources(stored(number), from, distance);
    }

    /** See {@link ModuleTemplates#sites}. */
    AccessSite[] sites(int number, long bias) {
        boolean whole = kind(template(number)) == SplicePlan.TEMPLATE_WHOLE;
        int first = whole ? number - 1 : number;
        boolean derives = kind(template(first)) == SplicePlan.TEMPLATE_DERIVES;
        Words words = wordsOf(first);
        AccessSite[] sites = new AccessSite[words(number)];
        for (int i = 0; i < sites.length; i++) {
            words.next(derives);
            sites[i] = words.site(bias);
        }
        return sites;
    }

    private int[] begins(int block) {
        int[] known = begins.get(block);
        if (known == null) {
            known = readBegins(block);
            begins.set(block, known);
        }
        return known;
    }

    private int[] readBegins(int block) {
        int[] found = new int[2 * SplicePlan.ROWS];
        Words words = new Words(
                bytes.getInt(index + block * BLOCK_BYTES),
                index - bytes.getInt(index + block * BLOCK_BYTES + 4));
        int first = block * SplicePlan.ROWS;
        int last = Math.min(first + SplicePlan.ROWS, count);
        for (int i = first; i < last; i++) {
            found[2 * (i - first)] = words.address;
            found[2 * (i - first) + 1] = words.numbers.place();
            int kind = kind(template(i));
            for (int k = kind == SplicePlan.TEMPLATE_WHOLE ? 0 : words(i); k > 0; k--) {
                words.next(kind == SplicePlan.TEMPLATE_DERIVES);
            }
        }
        return found;
    }

    /** In front of the first word of a template that is no whole form. */
    private Words wordsOf(int number) {
        int[] known = begins(number / SplicePlan.ROWS);
        int at = 2 * (number % SplicePlan.ROWS);
        return new Words(known[at], known[at + 1]);
    }

    /** A word at which the table is read. Changes as it turns to the next one. */
    private final class Words {
        private final PlanNumbers numbers = new PlanNumbers(bytes);
        private int address;
        private int shape;
        private int size;
        /** The number of the word that it is derived from; -1: none. */
        private int from;

        private short distance;

        Words(int address, int place) {
            this.address = address;
            numbers.seek(place);
        }

        /** {@code madt_plan_word_read}. */
        void next(boolean derives) {
            address += PlanNumbers.signed((int) numbers.next());
            shape = (int) numbers.next();
            size = SIZES[shape / LENGTHS / 2 % SIZES.length];
            if (size == 0) {
                size = (int) numbers.next();
            }
            int source = derives ? (int) numbers.next() : 0;
            int origin = source - 1;
            from = source == 0 ? -1 : origin % SplicePlan.DERIVED_WORDS;
            distance =
                    source == 0 ? 0 : (short) PlanNumbers.signed(origin / SplicePlan.DERIVED_WORDS);
        }

        /** {@code madt_plan_shape_read}. */
        AccessSite site(long bias) {
            int rest = shape / LENGTHS;
            int kind = rest % 2 + rest / 2 / SIZES.length * 2;
            AccessKind access = AccessKind.of(kind % SplicePlan.CODES + 1);
            int operand = kind / SplicePlan.CODES ^ (access == AccessKind.LOAD ? 1 : 0);
            return new AccessSite(
                    (address & 0xffffffffL) + bias,
                    shape % LENGTHS + 1,
                    access,
                    size,
                    operand,
                    false);
        }
    }
}

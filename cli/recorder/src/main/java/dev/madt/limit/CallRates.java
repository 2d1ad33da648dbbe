package dev.madt.limit;

import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.layout.SharedLayout;
import java.nio.LongBuffer;
import org.eclipse.collections.api.block.procedure.primitive.IntLongProcedure;
import org.eclipse.collections.impl.map.mutable.primitive.IntLongHashMap;

/**
 * About how often records come, from the first words of every span: headers have bit 63 set,
 * addresses and times have not. What is read late counts where it is read, so that one interval may
 * have the records of two; two together do not.
 */
final class CallRates {
    /** Words of a span that are looked at; the others are taken to be like them. */
    private static final int SAMPLE = 512;

    private IntLongHashMap counts = new IntLongHashMap();
    private IntLongHashMap former = new IntLongHashMap();

    void look(RecordSpan span) {
        LongBuffer words = span.words();
        int from = span.position();
        int size = used(words, from, span.size());
        int sample = Math.min(size, SAMPLE);
        for (int i = from; i < from + sample; i++) {
            long word = words.get(i);
            int template = (int) (word >>> 32) & SharedLayout.TEMPLATE_RESERVED;
            if (word < 0 && template >= SharedLayout.TEMPLATE_FIRST_MODULE) {
                counts.addToValue(template, size / sample);
            }
        }
    }

    /** Words in front of the ones that nobody has written; the plan of calls leaves none out. */
    private static int used(LongBuffer words, int from, int size) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (words.get(from + middle) == SharedLayout.WORD_NONE) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /**
     * Gives every template number that came in this interval, with how often it came in this one
     * and in the one before, and begins another interval.
     */
    void take(IntLongProcedure taker) {
        counts.forEachKeyValue(
                (template, count) -> taker.value(template, count + former.get(template)));
        IntLongHashMap emptied = former;
        emptied.clear();
        former = counts;
        counts = emptied;
    }
}

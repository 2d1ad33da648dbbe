package dev.madt.trace.event;

import dev.madt.trace.layout.SharedLayout;
import java.util.Arrays;

/**
 * Consecutive records of one EVTS frame, a row each: which of the {@link #templates} it is, above
 * two bits that say where its words are.
 *
 * <pre>
 *   row:  31 ... 2 index in templates | 1 0 form
 *   words: those of all rows that have any, in the order of the rows
 * </pre>
 *
 * <p>Whoever only counts walks over the arrays; {@link #give} makes a call for each row. The arrays
 * are used again for other rows.
 */
public final class RecordRows {
    /**
     * So many words, or rows, are enough: they stay in a second-level cache until they are
     * consumed.
     */
    public static final int FULL = 1 << 15;

    /** The bits of a row that say where its words are. */
    public static final int FORM = 3;

    public static final int FORM_BITS = 2;
    /** A record of the program; its words are the next ones. */
    public static final int WORDS = 0;
    /**
     * A record of the program that accesses what it did the last time; so it has no words of its
     * own.
     */
    public static final int AGAIN = 1;
    /** As {@link #AGAIN}, but the last time is in no row here: so it has words. */
    public static final int AGAIN_WORDS = 2;
    /**
     * No record of accesses of the program: one that {@link BuiltInTemplates} has or a call, with
     * words; or {@link #isTimes}.
     */
    public static final int OTHER = 3;

    /** Numbers of a ring event. */
    private static final int RING = 7;

    private static final RingEventType[] TYPES = RingEventType.values();

    /** By type: whether its record is an allocation's. */
    private static final boolean[] ALLOCATIONS = new boolean[TYPES.length];

    static {
        for (RingEventType type : TYPES) {
            ALLOCATIONS[type.ordinal()] =
                    TraceEvent.of(type, 0, 0, 0, 0, 0, 0, "", 0) instanceof TraceEvent.Allocation;
        }
    }

    private final int[] rows = new int[FULL];
    private final long[] words;
    private final RecordTemplate[] templates = new RecordTemplate[FULL];
    /** The numbers of the ring events; as objects, so many would outlive the youngest garbage. */
    private long[] rings = new long[RING << 6];

    private int ringCount;
    /** Says where the words of each template stood last; of {@link #give}. */
    private final int[] lastAt = new int[FULL];

    private int most;
    /** The place of {@link BuiltInTemplates#PASSED} among the templates; negative: it has none. */
    private int passedPlace;

    private int count;
    private int used;
    private int templateCount;
    private long first;
    private int thread;

    /** @param longest words of the longest template */
    public RecordRows(int longest) {
        words = new long[FULL + longest];
    }

    /**
     * Forgets all rows. What comes is by a thread, from an access or bulk transfer with this number
     * on.
     *
     * @param enough rows or words, {@link #FULL} at most
     */
    public void begin(long number, int byThread, int enough) {
        most = Math.min(FULL, enough);
        count = 0;
        used = 0;
        templateCount = 0;
        passedPlace = -1;
        ringCount = 0;
        first = number;
        thread = byThread;
    }

    /** Returns whether enough rows or words are here. */
    public boolean isFull() {
        return count >= most || used >= most;
    }

    /** Rows, or words, that are enough. */
    public int most() {
        return most;
    }

    /** Gives a template a place among those that rows name; as many as there are rows have one. */
    public int place(RecordTemplate template) {
        templates[templateCount] = template;
        return templateCount++;
    }

    /**
     * Adds a row whose words, if it has any, have been written to {@link #words} from {@link #used}
     * on.
     */
    public void add(int template, int form, int length) {
        rows[count++] = template << FORM_BITS | form;
        used += form == AGAIN ? 0 : length;
    }

    /** Returns the place of the template of rows that say how many accesses nobody wants. */
    public int passedPlace() {
        if (passedPlace < 0) {
            passedPlace = place(BuiltInTemplates.of(BuiltInTemplates.PASSED));
        }
        return passedPlace;
    }

    /** Notes what was added to the arrays themselves. */
    public void added(int countNow, int usedNow) {
        count = countNow;
        used = usedNow;
    }

    /** Adds the event of the row that was added last, as traces have it: without a file's name. */
    public void ring(TraceEvent event) {
        int to = RING * ringCount++;
        if (to == rings.length) {
            rings = Arrays.copyOf(rings, 2 * to);
        }
        rings[to] = (long) event.thread() << Integer.SIZE | event.type().ordinal();
        rings[to + 1] = event.epoch();
        if (event instanceof TraceEvent.Allocation allocation) { // nearly all
            rings[to + 2] = allocation.address();
            rings[to + 3] = allocation.size();
            rings[to + 4] = allocation.word2();
            rings[to + 5] = allocation.word3();
            rings[to + 6] = allocation.code();
            return;
        }
        rings[to + 2] = event.word(0);
        rings[to + 3] = event.word(1);
        rings[to + 4] = event.word(2);
        rings[to + 5] = event.word(3);
        rings[to + 6] = event.code();
    }

    public int[] rows() {
        return rows;
    }

    public long[] words() {
        return words;
    }

    /** The template of each place that a row names. */
    public RecordTemplate template(int place) {
        return templates[place];
    }

    /** Templates that rows name. */
    public int templateCount() {
        return templateCount;
    }

    /** Rows. */
    public int count() {
        return count;
    }

    /** Returns whether a row is a record of accesses of the program. */
    public boolean hasRecords() {
        for (int i = 0; i < count; i++) {
            if ((rows[i] & FORM) != OTHER) {
                return true;
            }
        }
        return false;
    }

    /** Words. */
    public int used() {
        return used;
    }

    /** Number of the first access or bulk transfer. */
    public long first() {
        return first;
    }

    /** Thread of the first row. */
    public int thread() {
        return thread;
    }

    /** Returns how many ring events are among the rows. */
    public int ringCount() {
        return ringCount;
    }

    /** A ring event among the rows, by their order from 0. */
    public TraceEvent ring(int index) {
        int at = RING * index;
        RingEventType type = TYPES[(int) rings[at]];
        if (ALLOCATIONS[type.ordinal()]) { // nearly all
            return new TraceEvent.Allocation(
                    type,
                    (int) (rings[at] >>> Integer.SIZE),
                    rings[at + 1],
                    rings[at + 2],
                    rings[at + 3],
                    rings[at + 4],
                    rings[at + 5],
                    rings[at + 6]);
        }
        return TraceEvent.of(
                type,
                (int) (rings[at] >>> Integer.SIZE),
                rings[at + 1],
                rings[at + 2],
                rings[at + 3],
                rings[at + 4],
                rings[at + 5],
                "",
                rings[at + 6]);
    }

    /** Makes the calls for all rows, in their order. */
    public void give(EventConsumer consumer) {
        long number = first;
        int by = thread;
        int at = 0;
        int ring = 0;
        for (int i = 0; i < count; i++) {
            int place = rows[i] >>> FORM_BITS;
            int form = rows[i] & FORM;
            RecordTemplate template = templates[place];
            if (form == AGAIN) {
                consumer.again(number, by, template, words, lastAt[place]);
                number += template.accesses();
            } else if (form == OTHER) {
                switch (template.number()) {
                    case SharedLayout.TEMPLATE_EVENT -> consumer.ring(ring(ring++));
                    case SharedLayout.TEMPLATE_THREAD -> by = (int) words[at];
                    case BuiltInTemplates.PASSED -> {
                        consumer.passed(number, by, words[at]);
                        number += words[at];
                    }
                    default -> number += giveOther(consumer, place, number, by, at);
                }
                at += otherWords(place);
            } else {
                lastAt[place] = at;
                giveRecord(consumer, form, number, by, template, at);
                number += template.made(words, at);
                at += template.length();
            }
        }
    }

    /**
     * Makes the call for a bulk transfer, a call or an access of code without a map, or those for
     * records that are as the last one was; returns how many accesses that are.
     */
    public long giveOther(EventConsumer consumer, int place, long number, int by, int at) {
        RecordTemplate template = templates[place];
        if (isTimes(place)) {
            long all = words[at] * template.accesses();
            for (long first = 0; first < all; first += template.accesses()) {
                consumer.again(number + first, by, template, words, at + 1);
            }
            return all;
        }
        if (template.isProbe()) {
            consumer.call(number, by, template, words, at);
        } else {
            BuiltInTemplates.give(consumer, number, by, template, words, at);
        }
        return 1;
    }

    /**
     * Returns whether a row of the form {@link #OTHER} says how many records of the program there
     * were that nobody has looked at, in its first word. Behind it are the words of the last one
     * that is known.
     */
    public boolean isTimes(int place) {
        RecordTemplate template = templates[place];
        return template.number() >= SharedLayout.TEMPLATE_FIRST_MODULE && !template.isProbe();
    }

    /** Words of a row of the form {@link #OTHER}. */
    public int otherWords(int place) {
        RecordTemplate template = templates[place];
        if (template.number() < SharedLayout.TEMPLATE_FIRST_MODULE) {
            return BuiltInTemplates.words(template.number());
        }
        return template.isProbe() ? template.length() : 1 + template.length();
    }

    private void giveRecord(
            EventConsumer consumer,
            int form,
            long number,
            int by,
            RecordTemplate template,
            int at) {
        if (form == AGAIN_WORDS) {
            consumer.again(number, by, template, words, at);
        } else {
            consumer.record(number, by, template, words, at);
        }
    }
}

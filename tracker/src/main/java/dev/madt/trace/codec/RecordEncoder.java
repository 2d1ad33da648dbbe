package dev.madt.trace.codec;

import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.EventsLayout;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Puts records into the columns of one EVTS frame after the other, as docs/FORMAT.md says, and asks
 * a {@link TemplateScope} what it needs to know of them. All encoders give the same bytes. Not for
 * use by several threads.
 */
public interface RecordEncoder {
    /** Stands for {@link SharedLayout#TEMPLATE_EVENT} in an event of one word more, its caller. */
    int EVENT_WITH_CALLER = SharedLayout.TEMPLATE_FIRST_MODULE - 1;
    /** Words of {@link SharedLayout#TEMPLATE_TIMES}, of which nobody gives records. */
    int TIMES_WORDS = 2;

    /**
     * Words of a built-in template, which are lower than
     * {@link SharedLayout#TEMPLATE_FIRST_MODULE}; -1 if there is none of that number.
     */
    static int builtIn(int template) {
        return switch (template) {
            case SharedLayout.TEMPLATE_EVENT -> 7;
            case EVENT_WITH_CALLER -> 8;
            case SharedLayout.TEMPLATE_COPY -> 4;
            case SharedLayout.TEMPLATE_STORE, SharedLayout.TEMPLATE_FETCH -> 3;
            case SharedLayout.TEMPLATE_LOAD_UNKNOWN, SharedLayout.TEMPLATE_WRITE_UNKNOWN -> 2;
            case SharedLayout.TEMPLATE_THREAD -> 1;
            default -> -1;
        };
    }

    /**
     * A payload with its head, at the place of the columns, which take all the rest of it but the
     * last 8 bytes.
     */
    static ByteBuffer payload(RecordEncoder frame, long blocks, ColumnSizes columns) {
        int bits = EventsLayout.kindBytes(frame.records())
                + EventsLayout.codeBytes(frame.words() - frame.records());
        ByteBuffer payload = ByteBuffer.allocate(EventsLayout.HEAD_BYTES
                        + bits
                        + (int) columns.bytes()
                        + EventsLayout.PADDING)
                .order(ByteOrder.LITTLE_ENDIAN);
        payload.putInt(frame.records())
                .putInt(frame.words())
                .putInt((int) frame.loads())
                .putInt((int) frame.stores());
        payload.putInt((int) blocks).putInt((int)
                AllocationEvent.TYPES.stream().mapToLong(frame::allocations).sum());
        columns.put(payload);
        return payload;
    }

    /** Words of a template, -1 if nobody has it. */
    int words(int template);

    /** Words of a template in a chunk, -1 if nobody has it. */
    int stored(int template);

    /** Returns whether records of a template that somebody has are left in spans. */
    boolean handsBack(int template);

    /**
     * Adds a record that somebody has, whose words are all stored in a chunk. Words that do not
     * count become accesses that were not made; a record of nothing else is passed over.
     *
     * @param epoch its low 32 bits
     * @return whether the record was added
     */
    boolean append(int template, int epoch, long[] from, int first);

    /** Adds a ring event whose code word is that of a trace, in its short form if it has one. */
    void event(TraceEvent event);

    /**
     * Adds module records from the front of a span, and bulk transfers of which an encoder knows
     * everything, as long as they are whole, somebody has them and does not want them back, their
     * epochs are up to {@code limit}, and the frame has no more than {@code most} words in front of
     * them.
     */
    void append(RecordSpan span, long limit, int most);

    /** Notes that what {@link TemplateScope#traced} said is true no more. */
    void spaceChanged();

    int records();

    /** Words so far, headers of records among them. */
    int words();

    long loads();

    long stores();

    /** Functions entered. */
    long enters();

    /** Functions left. */
    long leaves();

    /**
     * Bulk transfers, of {@link SharedLayout#TEMPLATE_COPY} to {@link SharedLayout#TEMPLATE_FETCH}.
     */
    long blocks(int template);

    /** Events of one of the {@link AllocationEvent#TYPES}. */
    long allocations(RingEventType type);

    /** Epoch of the last record, its low 32 bits. */
    int epoch();

    /** The payload; the columns are empty afterwards and predict nothing. */
    ByteBuffer build(long blocks);

    /** Gives the memory back; nothing can be added any more. */
    void forget();
}

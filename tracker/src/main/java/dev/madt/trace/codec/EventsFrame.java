package dev.madt.trace.codec;

import dev.madt.trace.buffer.MalformedBufferException;
import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventTaker;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * An EVTS frame while it is put together: records and ring events in their order.
 * {@link RecordReader} is its counterpart. The frame should be built when it {@link #isFull}:
 * larger ones cost memory, smaller ones compress less, since each predicts anew.
 */
public final class EventsFrame {
    /** Words of a frame, headers among them; behind so many no record is begun. */
    public static final int MOST_WORDS = 1 << 19;

    /** Null when a scope says what templates are. */
    private final OpenScope own;

    private final ReferenceRecordEncoder plain;
    private final RecordEncoder encoder;
    private final long[] scratch = new long[1];
    private final long[] byWords = new long[RingEventType.values().length];
    private int thread;
    private int firstThread;

    /** Every access counts; templates must be given to {@link #define}. */
    public EventsFrame() {
        own = new OpenScope();
        plain = new ReferenceRecordEncoder(own);
        encoder = plain;
    }

    /** The scope says what templates there are and which accesses count. */
    public EventsFrame(TemplateScope scope) {
        this(new ReferenceRecordEncoder(scope));
    }

    /** The encoder's scope says so. */
    public EventsFrame(RecordEncoder encoder) {
        this.own = null;
        this.plain = null;
        this.encoder = encoder;
    }

    /**
     * Says what a template number means from here on, as a TMPL frame in front of this one does.
     *
     * @throws IllegalStateException if a scope says that
     */
    public EventsFrame define(int template, AccessSite[] sites) {
        if (own == null) {
            throw new IllegalStateException(
                    "the scope of this frame says what template " + template + " is");
        }
        own.put(new RecordTemplate(template, sites));
        plain.forget(template);
        return this;
    }

    /** Notes that what the scope said of addresses is true no more. */
    public void spaceChanged() {
        encoder.spaceChanged();
    }

    /** Records added from here on are this thread's. */
    public EventsFrame thread(int tid) {
        if (isEmpty()) {
            firstThread = tid;
        } else if (tid != thread) {
            scratch[0] = tid & 0xffff_ffffL;
            encoder.append(SharedLayout.TEMPLATE_THREAD, encoder.epoch(), scratch, 0);
        }
        thread = tid;
        return this;
    }

    /**
     * Adds a record as it stood in the buffer; in templates 1 to 3 the code word must have become
     * the address of the call.
     *
     * @return whether an access of it counts; if not, it is not there
     * @throws IllegalArgumentException for template 0, which is for ring events, for a number that
     *     nobody has, and for another count of words than the template has
     */
    public boolean record(int template, long epoch, long[] words, int from, int count) {
        boolean possible = template != SharedLayout.TEMPLATE_EVENT
                && template != SharedLayout.TEMPLATE_THREAD
                && template != RecordEncoder.EVENT_WITH_CALLER;
        if (!possible || encoder.words(template) != count) {
            throw new IllegalArgumentException(
                    "template " + template + " of " + count + " words in an EVTS frame");
        }
        return encoder.append(template, (int) epoch, words, from);
    }

    /**
     * Takes module records with epochs up to {@code limit} from the front of a span, and bulk
     * transfers of which the encoder knows everything, until another record, one that is to be
     * handed back, a full frame or the end comes.
     *
     * @throws MalformedBufferException at a record that nobody has or that is not whole
     */
    public void records(RecordSpan span, long limit) throws MalformedBufferException {
        encoder.append(span, limit, MOST_WORDS);
        while (span.goesBefore(limit) && !isFull()) {
            span.check(0);
            if (span.template() < SharedLayout.TEMPLATE_FIRST_MODULE) {
                return;
            }
            span.check(encoder.stored(span.template()));
            if (encoder.handsBack(span.template())) {
                return;
            }
            encoder.append(span, limit, MOST_WORDS);
        }
    }

    /**
     * Adds a ring event whose code word is that of a trace. Its name is not kept.
     *
     * @throws IllegalArgumentException for events that change modules and regions, but for new
     *     mappings: traces hold them as MAPS and SYMS frames
     */
    public EventsFrame event(TraceEvent event) {
        if (!event.type().inTraces()) {
            throw new IllegalArgumentException(event.type() + " in an EVTS frame");
        }
        encoder.event(event);
        byWords[event.type().ordinal()]++;
        return this;
    }

    /**
     * Adds the ring events, and nothing else, of a frame that was built here.
     *
     * @throws IllegalArgumentException if it was not
     */
    public void ringEventsOf(Frame frame) {
        thread(frame.tid());
        ringEvents(frame, this::event);
    }

    /**
     * Gives the ring events of a frame that was built here.
     *
     * @throws IllegalArgumentException if it was not
     */
    public static void ringEvents(Frame frame, RingEventTaker taker) {
        RecordReader reader = new RecordReader();
        RingEventWords ringEvents = new RingEventWords();
        try {
            reader.begin(frame);
            boolean some = RingEventWords.mayBeIn(reader);
            while (some && reader.next()) {
                TraceEvent event = ringEvents.take(reader);
                if (event != null) {
                    taker.take(event);
                }
            }
        } catch (TraceFormatException e) {
            throw new IllegalArgumentException("a frame from elsewhere", e);
        }
    }

    /** Loads in the frame so far. */
    public long loads() {
        return encoder.loads();
    }

    /** Stores in the frame so far. */
    public long stores() {
        return encoder.stores();
    }

    /** Events of one of {@link AllocationEvent#TYPES} in the frame so far. */
    public long allocations(RingEventType type) {
        return encoder.allocations(type);
    }

    /** Events in the frame so far of a type that is printed by its words alone. */
    public long events(RingEventType type) {
        return byWords[type.ordinal()];
    }

    /** Functions entered in the frame so far. */
    public long enters() {
        return encoder.enters();
    }

    /** Functions left in the frame so far. */
    public long leaves() {
        return encoder.leaves();
    }

    /** Bulk transfers in the frame so far. */
    public long blocks() {
        long blocks = 0;
        for (BlockKind kind : BlockKind.values()) {
            blocks += blocks(kind);
        }
        return blocks;
    }

    /** Bulk transfers of a kind in the frame so far. */
    public long blocks(BlockKind kind) {
        return encoder.blocks(kind.template());
    }

    public boolean isEmpty() {
        return encoder.records() == 0;
    }

    public boolean isFull() {
        return encoder.words() >= MOST_WORDS;
    }

    /**
     * Gives the memory back; nothing can be added any more.
     *
     * @throws IllegalStateException if something has been added since the last frame was built
     */
    public void forget() {
        if (!isEmpty()) {
            throw new IllegalStateException(encoder.records() + " records would be lost");
        }
        encoder.forget();
    }

    /**
     * The frame of everything added; it begins with events of the thread {@code tid}. The builder
     * is empty afterwards.
     */
    public Frame build(int pid, int tid) {
        ByteBuffer payload = encoder.build(blocks() + encoder.enters() + encoder.leaves());
        Arrays.fill(byWords, 0);
        firstThread = thread; // ring events may come before anyone says whose the next record is
        return new Frame(FrameType.EVENTS, pid, tid, payload);
    }

    /**
     * The frame of everything added, of the threads that were given to {@link #thread}. The builder
     * is empty afterwards.
     */
    public Frame build(int pid) {
        return build(pid, firstThread);
    }
}

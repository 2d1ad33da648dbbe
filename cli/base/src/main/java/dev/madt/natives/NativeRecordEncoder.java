package dev.madt.natives;

import com.kenai.jffi.MemoryIO;
import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.buffer.RingEvents;
import dev.madt.trace.buffer.RingRow;
import dev.madt.trace.codec.ColumnSizes;
import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.RecordEncoder;
import dev.madt.trace.codec.TemplateScope;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.event.WordSources;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/**
 * The collector's encoder: {@code madt-native/encode/encode.h}. Spans must lie in direct memory;
 * what the library asks is answered from a {@link TemplateScope}.
 */
public final class NativeRecordEncoder implements RecordEncoder {
    /** The functions of the library, which is loaded at their first use. */
    private static final class Functions {
        private static final NativeLibrary LIBRARY =
                new NativeLibrary(NativeFiles.find("libmadtencode.so").toString());
        static final NativeFunction MAKE = LIBRARY.function("madt_encoder_new");
        static final NativeFunction FREE = LIBRARY.function("madt_encoder_free");
        static final NativeFunction TEMPLATE = LIBRARY.function("madt_encoder_template");
        static final NativeFunction HAND_BACK = LIBRARY.function("madt_encoder_hand_back");
        static final NativeFunction DERIVE = LIBRARY.function("madt_encoder_derive");
        static final NativeFunction COUNTS = LIBRARY.function("madt_encoder_counts");
        static final NativeFunction PASSES = LIBRARY.function("madt_encoder_passes");
        static final NativeFunction SHOWS = LIBRARY.function("madt_encoder_shows");
        static final NativeFunction DEFINED = LIBRARY.function("madt_encoder_defined");
        static final NativeFunction SPACE_CHANGED = LIBRARY.function("madt_encoder_space_changed");
        static final NativeFunction ENCODE = LIBRARY.function("madt_encode");
        static final NativeFunction EVENT = LIBRARY.function("madt_encoder_event");
        static final NativeFunction CODE = LIBRARY.function("madt_encoder_code");
        static final NativeFunction FORGET_CODES = LIBRARY.function("madt_encoder_forget_codes");
        static final NativeFunction MERGE = LIBRARY.function("madt_encoder_merge");
        static final NativeFunction CUT = LIBRARY.function("madt_encoder_cut");
        static final NativeFunction JOURNAL = LIBRARY.function("madt_encoder_journal");
        static final NativeFunction JOURNAL_DONE = LIBRARY.function("madt_encoder_journal_done");
        static final NativeFunction TIMES = LIBRARY.function("madt_encoder_times");
        static final NativeFunction RING_TAKE = LIBRARY.function("madt_ring_take");
        static final NativeFunction FINISH = LIBRARY.function("madt_encoder_finish");
        static final NativeFunction NEXT = LIBRARY.function("madt_encoder_next");
    }

    /** Takes what has become of a block: its event, and the number of the last block then. */
    @FunctionalInterface
    public interface JournalTaker {
        void take(TraceEvent event, long blocks);
    }

    /** {@code enum madt_encode_stop}: those that want an answer. */
    private static final int OTHER = 2;

    private static final int UNKNOWN = 3;
    private static final int ASKS = 4;
    private static final int DEFINE = 5;
    private static final int MEMORY = 6;
    private static final int EVENT = 7;
    private static final int CODE = 8;
    private static final int FULL_JOURNAL = 9;

    /** {@code MADT_ENCODER_ALWAYS} and {@code MADT_ENCODER_NEVER}. */
    private static final int ALWAYS = 0x40;

    private static final int NEVER = 0x80;

    /** Why {@link #merge} stopped. */
    public enum Stop {
        /** Everything is taken, what comes next must wait, or the frame is full. */
        DONE,
        /** The next record is none of a module. */
        TEMPLATE,
        /** The first ring event is none of malloc, calloc or free. */
        EVENT,
        /** The code word of the first ring event is unknown: {@link #code}. */
        CODE,
        /** There is no room for what becomes of blocks: {@link #journal}. */
        JOURNAL
    }

    private static final MemoryIO MEMORY_IO = MemoryIO.getInstance();
    private static final int FEW_WORDS = 32;

    private final TemplateScope scope;
    private final IntObjectHashMap<RecordTemplate> templates = new IntObjectHashMap<>();
    private final boolean[] builtIns = new boolean[SharedLayout.TEMPLATE_FIRST_MODULE];
    private final long[] range = new long[2];
    /**
     * For the kinds and distances of a template that is defined, then the words of a single record;
     * or for an event.
     */
    private NativeMemory memory = new NativeMemory(Long.BYTES * FEW_WORDS);

    private LongBuffer few = memory.bytes().asLongBuffer();
    private long encoder;
    /** Why the library stopped last. */
    private int stop;

    private boolean sampled;

    private LongBuffer shared;
    /** The memory of the last span, and its address. */
    private LongBuffer spanned;

    private long spannedAddress;
    /** The memory of the ring events that wait, and its address. */
    private LongBuffer rows;

    private long rowsAddress;

    public NativeRecordEncoder(TemplateScope scope) {
        this.scope = scope;
        encoder = Functions.MAKE.call();
        enough(encoder != 0);
        shared = MEMORY_IO
                .newDirectByteBuffer(encoder, Long.BYTES * EncoderWord.all())
                .order(ByteOrder.nativeOrder())
                .asLongBuffer();
        for (int template = SharedLayout.TEMPLATE_EVENT;
                template < SharedLayout.TEMPLATE_FIRST_MODULE;
                template++) {
            builtIn(template);
        }
        define(SharedLayout.TEMPLATE_TIMES, SharedLayout.TEMPLATE_TIMES, new byte[TIMES_WORDS]);
    }

    /** {@code madt_ring_take}. */
    static long takeFromRing(
            long control, long ticket, long rows, long mask, long place, long most) {
        return Functions.RING_TAKE.call(control, ticket, rows, mask, place, most);
    }

    private void demandMemory() {
        if (encoder == 0) {
            throw new IllegalStateException(
                    "the memory was given back: nothing can be added any more");
        }
    }

    private static void enough(boolean memory) {
        if (!memory) {
            throw new OutOfMemoryError("no memory for the columns of a frame");
        }
    }

    @Override
    public int words(int number) {
        if (number < SharedLayout.TEMPLATE_FIRST_MODULE) {
            return builtIn(number);
        }
        RecordTemplate template = templates.get(number);
        if (template == null && number != SharedLayout.TEMPLATE_RESERVED) {
            template = scope.template(number);
            if (template != null) {
                templates.put(number, template);
                byte[] kinds = new byte[template.length()];
                for (int i = 0; i < kinds.length; i++) {
                    kinds[i] = kind(template.site(i));
                }
                define(number, template.number(), kinds);
                derive(number, template.sources());
                if (handsBack(number)) {
                    Functions.HAND_BACK.call(encoder, number);
                }
            }
        }
        return template == null ? -1 : template.length();
    }

    /** Returns what a site is, and whether that is all that matters. */
    private byte kind(AccessSite site) {
        AccessKind kind = site.kind();
        return (byte) (kind.code() | (kind.probes() ? ALWAYS : rule(site)));
    }

    private int rule(AccessSite site) {
        return !scope.traced(site) ? NEVER : scope.everywhere(site) ? ALWAYS : 0;
    }

    @Override
    public int stored(int number) {
        int count = words(number);
        return count < 0 || number < SharedLayout.TEMPLATE_FIRST_MODULE
                ? count
                : templates.get(number).stored();
    }

    @Override
    public boolean handsBack(int template) {
        return scope.handsBack(template);
    }

    private void derive(int slot, WordSources sources) {
        if (sources == null) {
            return;
        }
        int length = sources.from().length;
        reserve((length * (Short.BYTES + 1) + Long.BYTES - 1) / Long.BYTES);
        memory.bytes().asShortBuffer().put(sources.distance());
        memory.bytes().put(length * Short.BYTES, sources.from());
        long from = memory.address() + (long) length * Short.BYTES;
        enough((int) Functions.DERIVE.call(encoder, slot, sources.stored(), from, memory.address())
                == 0);
    }

    private int builtIn(int number) {
        int count = RecordEncoder.builtIn(number);
        if (count >= 0 && !builtIns[number]) {
            builtIns[number] = true;
            byte[] kinds = new byte[count];
            if (number == SharedLayout.TEMPLATE_LOAD_UNKNOWN
                    || number == SharedLayout.TEMPLATE_WRITE_UNKNOWN) {
                kinds[1] = (byte) (number == SharedLayout.TEMPLATE_LOAD_UNKNOWN ? 1 : 2);
            }
            define(number, number, kinds);
        }
        return count;
    }

    /** The templates with a number in the buffers have another one in the trace. */
    private void define(int slot, int number, byte[] kinds) {
        reserve((kinds.length + Long.BYTES - 1) / Long.BYTES);
        memory.bytes().put(0, kinds);
        enough((int) Functions.TEMPLATE.call(encoder, slot, number, kinds.length, memory.address())
                == 0);
    }

    /**
     * Says whether, from here on, only samples are added of records of modules that repeat what is
     * known. The others are counted, which {@link SharedLayout#TEMPLATE_TIMES} tells.
     */
    public void sample(boolean on) {
        shared.put(EncoderWord.SAMPLES.at(), on ? 1 : 0);
        sampled |= on;
    }

    /** Adds what was counted, which belongs in front of the records of another thread. */
    private void tellTimes() {
        if (sampled) {
            enough((int) Functions.TIMES.call(encoder) == 0);
        }
    }

    @Override
    public boolean append(int template, int epoch, long[] from, int first) {
        demandMemory();
        if (template == SharedLayout.TEMPLATE_THREAD) {
            tellTimes();
        }
        int count = words(template);
        reserve(1 + count);
        few.put(0, SharedLayout.recordHeader(template, epoch)).put(1, from, first, count);
        long before = get(EncoderWord.RECORDS);
        shared.put(EncoderWord.LIMIT.at(), Long.MAX_VALUE)
                .put(EncoderWord.MOST.at(), Long.MAX_VALUE)
                .put(EncoderWord.EPOCH.at(), epoch)
                .put(EncoderWord.FIRST.at(), 0)
                .put(EncoderWord.CLEAR.at(), 0);
        encode(Functions.ENCODE, memory.address(), 1 + count);
        return get(EncoderWord.RECORDS) != before;
    }

    private void reserve(int words) {
        if (words > few.capacity()) {
            NativeMemory larger = new NativeMemory(Long.BYTES * words);
            memory.close();
            memory = larger;
            few = memory.bytes().asLongBuffer();
        }
    }

    @Override
    public void event(TraceEvent event) {
        demandMemory();
        RingRow.put(few, 0, event);
        enough((int) Functions.EVENT.call(encoder, memory.address()) == 0);
    }

    /**
     * Says what the trace has in the place of a code word, for {@link #merge} and bulk transfers;
     * {@code allocates}: where the call allocates.
     */
    public void code(long word, long code, boolean allocates) {
        enough((int) Functions.CODE.call(encoder, word, code, allocates ? 1 : 0) == 0);
    }

    /**
     * Says whether bulk transfers count that begin or end at addresses from {@code start} up to
     * {@code end}, until the space changes. Bulk transfers of which that and their {@link #code} is
     * known are taken as records of modules are.
     */
    public void shows(long start, long end, boolean shown) {
        enough((int) Functions.SHOWS.call(encoder, start, end - start, shown ? 1 : 0) == 0);
    }

    /** Other code may lie where code words point. */
    public void forgetCodes() {
        if (encoder != 0) {
            Functions.FORGET_CODES.call(encoder);
        }
    }

    /** Says whether {@link #merge} notes what becomes of blocks. */
    public void follow(boolean on) {
        shared.put(EncoderWord.FOLLOWS.at(), on ? 1 : 0);
    }

    /**
     * Says whether blocks of allocators by other names are cut from a block of a heap: then
     * {@link #merge} stops at its end.
     */
    public void cut(long block, boolean on) {
        enough((int) Functions.CUT.call(encoder, block, on ? 1 : 0) == 0);
    }

    /** The number of the last block that has been noted. */
    public long blocks() {
        return get(EncoderWord.BLOCKS);
    }

    public void blocks(long number) {
        shared.put(EncoderWord.BLOCKS.at(), number);
    }

    /**
     * Takes module records from the front of a span, with epochs up to {@code limit}, and in their
     * order events of malloc, calloc and free with tickets below {@code below}; FREE_AMONG is one
     * where nothing else ends.
     *
     * @param span null: there are no records
     * @return why it stopped; the frame may be full
     */
    public Stop merge(RingEvents events, RecordSpan span, long limit, long below) {
        demandMemory();
        shared.put(EncoderWord.LIMIT.at(), limit)
                .put(EncoderWord.BELOW.at(), below)
                .put(EncoderWord.MOST.at(), EventsFrame.MOST_WORDS)
                .put(EncoderWord.FIRST.at(), SharedLayout.TEMPLATE_FIRST_MODULE)
                .put(EncoderWord.CLEAR.at(), 1);
        shared.put(EncoderWord.EPOCH.at(), span == null ? 0 : span.epochBefore());
        if (events.rows() != rows) {
            rows = events.rows();
            rowsAddress = MEMORY_IO.getDirectBufferAddress(rows);
        }
        shared.put(EncoderWord.ROWS.at(), rowsAddress)
                .put(EncoderWord.ROW_MASK.at(), rows.capacity() - 1)
                .put(EncoderWord.ROW_FIRST.at(), events.first())
                .put(EncoderWord.ROW_COUNT.at(), events.count());
        if (span == null) {
            encode(Functions.MERGE, 0, 0);
        } else {
            int taken = encode(Functions.MERGE, address(span), span.size());
            span.skip(taken, get(EncoderWord.EPOCH));
        }
        events.left((int) get(EncoderWord.ROW_COUNT));
        return switch (stop) {
            case EVENT -> Stop.EVENT;
            case CODE -> Stop.CODE;
            case FULL_JOURNAL -> Stop.JOURNAL;
            case OTHER, UNKNOWN -> Stop.TEMPLATE;
            default -> Stop.DONE;
        };
    }

    /** Gives the entries of the journal to whoever applies them, and empties it. */
    public void journal(JournalTaker taker) {
        Functions.JOURNAL.call(encoder);
        int count = (int) get(EncoderWord.ENTRIES);
        if (count > 0) {
            LongBuffer entries = MEMORY_IO
                    .newDirectByteBuffer(
                            get(EncoderWord.JOURNAL), Long.BYTES * JournalWord.ALL * count)
                    .order(ByteOrder.nativeOrder())
                    .asLongBuffer();
            for (int at = 0; at < JournalWord.ALL * count; at += JournalWord.ALL) {
                taker.take(entry(entries, at), JournalWord.NUMBER.of(entries, at));
            }
        }
        Functions.JOURNAL_DONE.call(encoder);
    }

    private static TraceEvent entry(LongBuffer entries, int at) {
        long head = JournalWord.HEAD.of(entries, at);
        RingEventType type = RingEventType.of((int) head);
        boolean ends = type == RingEventType.FREE;
        long address = JournalWord.ADDRESS.of(entries, at);
        return TraceEvent.of(
                type,
                (int) (head >>> Integer.SIZE),
                JournalWord.TICKET.of(entries, at),
                ends ? 0 : address,
                JournalWord.SIZE.of(entries, at),
                ends ? address : 0,
                0,
                "",
                JournalWord.CODE.of(entries, at));
    }

    @Override
    public void append(RecordSpan span, long limit, int most) {
        shared.put(EncoderWord.LIMIT.at(), limit)
                .put(EncoderWord.MOST.at(), most)
                .put(EncoderWord.EPOCH.at(), span.epochBefore())
                .put(EncoderWord.FIRST.at(), SharedLayout.TEMPLATE_FIRST_MODULE)
                .put(EncoderWord.CLEAR.at(), 1);
        int taken = encode(Functions.ENCODE, address(span), span.size());
        span.skip(taken, get(EncoderWord.EPOCH));
    }

    private long address(RecordSpan span) {
        if (span.words() != spanned) {
            spanned = span.words();
            spannedAddress = MEMORY_IO.getDirectBufferAddress(spanned);
        }
        return spannedAddress + (long) Long.BYTES * span.position();
    }

    /** Encodes words, and answers what is asked meanwhile; returns how many words were taken. */
    private int encode(NativeFunction function, long words, int count) {
        int at = 0;
        while (true) {
            stop = (int) function.call(encoder, words + (long) Long.BYTES * at, count - at);
            at += (int) get(EncoderWord.TAKEN);
            int slot = (int) get(EncoderWord.SLOT);
            switch (stop) {
                case ASKS -> answer(get(EncoderWord.ADDRESS));
                case DEFINE -> {
                    scope.define(templates.get(slot));
                    Functions.DEFINED.call(encoder, slot);
                }
                case UNKNOWN -> {
                    if (words(slot) < 0) {
                        return at;
                    }
                }
                default -> {
                    enough(stop != MEMORY);
                    return at;
                }
            }
        }
    }

    private void answer(long address) {
        NativeFunction answer = scope.traced(address, range) ? Functions.COUNTS : Functions.PASSES;
        enough((int) answer.call(encoder, range[0], range[1] - range[0]) == 0);
    }

    @Override
    public void spaceChanged() {
        if (encoder != 0) {
            Functions.SPACE_CHANGED.call(encoder);
        }
    }

    @Override
    public int records() {
        return (int) get(EncoderWord.RECORDS);
    }

    @Override
    public int words() {
        return (int) get(EncoderWord.WORDS);
    }

    @Override
    public long loads() {
        return get(EncoderWord.LOADS);
    }

    @Override
    public long stores() {
        return get(EncoderWord.STORES);
    }

    @Override
    public long enters() {
        return get(EncoderWord.ENTERS);
    }

    @Override
    public long leaves() {
        return get(EncoderWord.LEAVES);
    }

    @Override
    public long blocks(int template) {
        return shared.get(EncoderWord.COPIES.at() + template - SharedLayout.TEMPLATE_COPY);
    }

    @Override
    public long allocations(RingEventType type) {
        return shared.get(EncoderWord.MEMORY_EVENTS.at() + type.code());
    }

    @Override
    public int epoch() {
        return (int) get(EncoderWord.FRAME_EPOCH);
    }

    @Override
    public ByteBuffer build(long blocks) {
        tellTimes();
        Functions.FINISH.call(encoder);
        ByteBuffer payload = RecordEncoder.payload(this, blocks, columnSizes());
        move(EncoderWord.KINDS, payload);
        move(EncoderWord.CODES, payload);
        move(EncoderWord.CONTROL, payload);
        move(EncoderWord.RESIDUALS, payload);
        move(EncoderWord.SIZE_CODES, payload);
        move(EncoderWord.PLACE_CODES, payload);
        move(EncoderWord.END_CODES, payload);
        move(EncoderWord.SIZES, payload);
        move(EncoderWord.PLACES, payload);
        Functions.NEXT.call(encoder);
        return payload.putLong(0).flip();
    }

    private long get(EncoderWord word) {
        return shared.get(word.at());
    }

    private int sizeOf(EncoderWord column) {
        return (int) shared.get(column.at() + 1);
    }

    private ColumnSizes columnSizes() {
        return new ColumnSizes(
                sizeOf(EncoderWord.CONTROL),
                sizeOf(EncoderWord.RESIDUALS),
                (int) get(EncoderWord.BIRTHS),
                (int) get(EncoderWord.ENDS),
                sizeOf(EncoderWord.SIZES),
                sizeOf(EncoderWord.PLACES));
    }

    private void move(EncoderWord column, ByteBuffer to) {
        int size = sizeOf(column);
        MEMORY_IO.getByteArray(get(column), to.array(), to.position(), size);
        to.position(to.position() + size);
    }

    @Override
    public void forget() {
        LongBuffer last = LongBuffer.allocate(EncoderWord.all())
                .put(
                        0,
                        shared,
                        0,
                        EncoderWord.all()); // whoever asks may still learn what there was
        Functions.FREE.call(encoder);
        memory.close();
        shared = last;
        encoder = 0;
        templates.clear();
    }
}

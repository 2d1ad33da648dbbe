package dev.madt.cli;

import com.kenai.jffi.MemoryIO;
import dev.madt.tracker.Run;
import dev.madt.tracker.RunEncoder;
import dev.madt.tracker.RunScope;
import dev.madt.tracker.RunSpan;
import dev.madt.tracker.SharedLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/**
 * The collector's encoder: {@code madt-native/encode/encode.h}. Spans must lie in direct memory; what the library asks is answered from a {@link RunScope}.
 */
final class NativeRunEncoder implements RunEncoder {
    /** The functions of the library, which is loaded at their first use. */
    private static final class Functions {
        private static final NativeLibrary LIBRARY = new NativeLibrary(NativeFiles.find("libmadtencode.so").toString());
        static final NativeFunction MAKE = LIBRARY.function("madt_encoder_new");
        static final NativeFunction FREE = LIBRARY.function("madt_encoder_free");
        static final NativeFunction RUN = LIBRARY.function("madt_encoder_run");
        static final NativeFunction COUNTS = LIBRARY.function("madt_encoder_counts");
        static final NativeFunction PASSES = LIBRARY.function("madt_encoder_passes");
        static final NativeFunction DEFINED = LIBRARY.function("madt_encoder_defined");
        static final NativeFunction SPACE_CHANGED = LIBRARY.function("madt_encoder_space_changed");
        static final NativeFunction ENCODE = LIBRARY.function("madt_encode");
        static final NativeFunction FINISH = LIBRARY.function("madt_encoder_finish");
        static final NativeFunction NEXT = LIBRARY.function("madt_encoder_next");
    }

    /** Indices of {@code enum madt_encoder_word}. */
    private static final int LIMIT = 0;
    private static final int MOST = 1;
    private static final int EPOCH = 2;
    private static final int FIRST = 3;
    private static final int CLEAR = 4;
    private static final int TAKEN = 5;
    private static final int SLOT = 6;
    private static final int INDEX = 7;
    private static final int ADDRESS = 8;
    private static final int RUNS = 9;
    private static final int WORDS = 10;
    private static final int LOADS = 11;
    private static final int STORES = 12;
    private static final int FRAME_EPOCH = 13;
    private static final int KINDS = 14;
    private static final int CODES = 16;
    private static final int CONTROL = 18;
    private static final int RESIDUALS = 20;
    private static final int SHARED_WORDS = 22;

    /** {@code enum madt_encode_stop}: those that want an answer. */
    private static final int UNKNOWN = 3;
    private static final int ASKS = 4;
    private static final int DEFINE = 5;
    private static final int MEMORY = 6;

    private static final MemoryIO MEMORY_IO = MemoryIO.getInstance();

    private final RunScope scope;
    private final IntObjectHashMap<Run> runs = new IntObjectHashMap<>();
    private final boolean[] builtIns = new boolean[SharedLayout.RUN_FIRST_MODULE];
    private final long[] range = new long[2];
    private final NativeMemory memory = new NativeMemory(Long.BYTES * (SharedLayout.CHUNK_WORDS + 1));
    /** Runs that are added together: a call of the library costs more than a run. */
    private final LongBuffer few = memory.bytes().asLongBuffer();
    private int fewWords;
    private int fewRuns;
    private int firstEpoch;
    private int lastEpoch;
    private long encoder;
    private LongBuffer shared;
    /** The memory of the last span, and its address. */
    private LongBuffer spanned;
    private long spannedAddress;

    NativeRunEncoder(RunScope scope) {
        this.scope = scope;
        encoder = Functions.MAKE.call();
        enough(encoder != 0);
        shared = MEMORY_IO.newDirectByteBuffer(encoder, Long.BYTES * SHARED_WORDS).order(ByteOrder.nativeOrder()).asLongBuffer();
    }

    private void demandMemory() {
        if (encoder == 0) {
            throw new IllegalStateException("the memory was given back: nothing can be added any more");
        }
    }

    private static void enough(boolean memory) {
        if (!memory) {
            throw new OutOfMemoryError("no memory for the columns of a frame");
        }
    }

    @Override
    public int words(int number) {
        if (number < SharedLayout.RUN_FIRST_MODULE) {
            return builtIn(number);
        }
        Run run = runs.get(number);
        if (run == null && number != SharedLayout.RUN_RESERVED) {
            run = scope.run(number);
            if (run != null) {
                runs.put(number, run);
                byte[] kinds = new byte[run.length()];
                for (int i = 0; i < kinds.length; i++) {
                    kinds[i] = (byte) run.site(i).kind().code();
                }
                define(number, kinds);
            }
        }
        return run == null ? -1 : run.length();
    }

    private int builtIn(int number) {
        int count = RunEncoder.builtIn(number);
        if (count >= 0 && !builtIns[number]) {
            builtIns[number] = true;
            byte[] kinds = new byte[count];
            if (number == SharedLayout.RUN_LOAD_UNKNOWN || number == SharedLayout.RUN_WRITE_UNKNOWN) {
                kinds[1] = (byte) (number == SharedLayout.RUN_LOAD_UNKNOWN ? 1 : 2);
            }
            define(number, kinds);
        }
        return count;
    }

    private void define(int number, byte[] kinds) {
        try (NativeMemory bytes = NativeMemory.of(kinds)) {
            enough((int) Functions.RUN.call(encoder, number, kinds.length, bytes.address()) == 0);
        }
    }

    @Override
    public boolean append(int run, int epoch, long[] from, int first) {
        addFew();
        long before = shared.get(RUNS);
        put(run, epoch, from, first);
        addFew();
        return shared.get(RUNS) != before;
    }

    @Override
    public void appendSoon(int run, int epoch, long[] from) {
        demandMemory();
        if (fewWords + 1 + words(run) > SharedLayout.CHUNK_WORDS) {
            addFew();
        }
        put(run, epoch, from, 0);
    }

    private void put(int run, int epoch, long[] from, int first) {
        int count = words(run);
        few.put(fewWords, SharedLayout.runHeader(run, epoch));
        few.put(fewWords + 1, from, first, count);
        firstEpoch = fewRuns == 0 ? epoch : firstEpoch;
        lastEpoch = epoch;
        fewWords += 1 + count;
        fewRuns++;
    }

    private void addFew() {
        demandMemory();
        if (fewRuns > 0) {
            int count = fewWords;
            fewWords = 0;
            fewRuns = 0;
            shared.put(LIMIT, Long.MAX_VALUE).put(MOST, Long.MAX_VALUE).put(EPOCH, firstEpoch).put(FIRST, 0).put(CLEAR, 0);
            encode(memory.address(), count);
        }
    }

    @Override
    public void append(RunSpan span, long limit, int most) {
        addFew();
        shared.put(LIMIT, limit).put(MOST, most).put(EPOCH, span.epochBefore()).put(FIRST, SharedLayout.RUN_FIRST_MODULE).put(CLEAR, 1);
        int taken = encode(address(span), span.size());
        span.skip(taken, shared.get(EPOCH));
    }

    private long address(RunSpan span) {
        if (span.words() != spanned) {
            spanned = span.words();
            spannedAddress = MEMORY_IO.getDirectBufferAddress(spanned);
        }
        return spannedAddress + (long) Long.BYTES * span.position();
    }

    /** Encodes words, and answers what is asked meanwhile; returns how many words were taken. */
    private int encode(long words, int count) {
        int at = 0;
        while (true) {
            int stop = (int) Functions.ENCODE.call(encoder, words + (long) Long.BYTES * at, count - at);
            at += (int) shared.get(TAKEN);
            int slot = (int) shared.get(SLOT);
            switch (stop) {
                case ASKS -> answer(slot, (int) shared.get(INDEX), shared.get(ADDRESS));
                case DEFINE -> {
                    scope.define(runs.get(slot));
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

    private void answer(int slot, int index, long address) {
        boolean traced = scope.traced(runs.get(slot).site(index), address, range);
        if (traced) {
            Functions.COUNTS.call(encoder, slot, index, range[0], range[1] - range[0]);
        } else {
            Functions.PASSES.call(encoder, slot, index, range[0], range[1] - range[0]);
        }
    }

    @Override
    public void spaceChanged() {
        if (encoder != 0) {
            Functions.SPACE_CHANGED.call(encoder);
        }
    }

    @Override
    public int runs() {
        return (int) shared.get(RUNS) + fewRuns;
    }

    @Override
    public int words() {
        return (int) shared.get(WORDS) + fewWords;
    }

    @Override
    public long loads() {
        return shared.get(LOADS);
    }

    @Override
    public long stores() {
        return shared.get(STORES);
    }

    @Override
    public int epoch() {
        return fewRuns > 0 ? lastEpoch : (int) shared.get(FRAME_EPOCH);
    }

    @Override
    public ByteBuffer build(long blocks, long allocations) {
        addFew();
        Functions.FINISH.call(encoder);
        ByteBuffer payload = RunEncoder.payload(this, blocks, allocations, (int) shared.get(CONTROL + 1), (int) shared.get(RESIDUALS + 1));
        move(KINDS, payload);
        move(CODES, payload);
        move(CONTROL, payload);
        move(RESIDUALS, payload);
        Functions.NEXT.call(encoder);
        return payload.putLong(0).flip();
    }

    private void move(int column, ByteBuffer to) {
        int size = (int) shared.get(column + 1);
        MEMORY_IO.getByteArray(shared.get(column), to.array(), to.position(), size);
        to.position(to.position() + size);
    }

    @Override
    public void forget() {
        LongBuffer last = LongBuffer.allocate(SHARED_WORDS).put(0, shared, 0, SHARED_WORDS); // whoever asks may still learn what there was
        Functions.FREE.call(encoder);
        memory.close();
        shared = last;
        encoder = 0;
        runs.clear();
    }
}

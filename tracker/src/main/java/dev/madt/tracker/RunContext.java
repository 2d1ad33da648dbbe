package dev.madt.tracker;

/**
 * What one frame has told of a run so far; writer and reader follow the same rules, so that both predict the same. Its words' last
 * addresses and strides stand in an array beside it, from {@link #base} on.
 */
final class RunContext {
    private static final long LOWEST = 0x1111_1111_1111_1111L;

    final int number;
    final int words;
    final int base;
    /** The sites, for module runs; null for the others, or as long as nobody has asked. */
    Run run;
    /** Loads and stores of the shape at hand. */
    int loads;
    int stores;
    /** Writer: the frame of which the rest is true. */
    int frame;
    /** Writer: the state of the address space that the array knows. */
    int space;
    /** Writer: whether the trace has the definition. */
    boolean defined;
    /** Place among the runs of the frame. */
    int index;
    RunContext likely;
    RunContext second;
    /** Shape of the first {@link EventsLayout#PIECE} words, the last time. */
    long shape;

    RunContext(int number, int words, int base) {
        this.number = number;
        this.words = words;
        this.base = base;
    }

    /** A context that stands in front of the first run of a frame. */
    static RunContext root() {
        return new RunContext(-1, 0, 0);
    }

    /** Forgets everything but the run. */
    void begin(int inFrame, int at) {
        frame = inFrame;
        index = at;
        likely = null;
        second = null;
        shape = 0;
        count();
    }

    /** Notes which run came behind this one, when it was not the likely one. */
    void follow(RunContext next) {
        second = likely;
        likely = next;
    }

    /** Says what the run is, to a reader. */
    void identify(Run known) {
        run = known;
        count();
    }

    /** Takes another shape. */
    void shape(long now) {
        boolean sameMade = notMade(now) == notMade(shape);
        shape = now;
        if (!sameMade) {
            count();
        }
    }

    /** A bit for each word that was not made: the lowest of its four, when all are set. */
    private static long notMade(long shape) {
        long halves = shape & shape >>> 1;
        return halves & halves >>> 2 & LOWEST;
    }

    private void count() {
        if (run == null) {
            boolean made = words < 2 || (shape >>> 4 & EventsLayout.NOT_MADE) != EventsLayout.NOT_MADE;
            loads = number == SharedLayout.RUN_LOAD_UNKNOWN && made ? 1 : 0;
            stores = number == SharedLayout.RUN_WRITE_UNKNOWN && made ? 1 : 0;
            return;
        }
        loads = run.loads();
        stores = run.stores();
        for (int i = 0; i < Math.min(words, EventsLayout.PIECE); i++) {
            if ((shape >>> 4 * i & EventsLayout.NOT_MADE) == EventsLayout.NOT_MADE) {
                loads -= run.site(i).kind() == AccessKind.STORE ? 0 : 1;
                stores -= run.site(i).kind() == AccessKind.LOAD ? 0 : 1;
            }
        }
    }
}

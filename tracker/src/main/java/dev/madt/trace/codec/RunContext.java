package dev.madt.trace.codec;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.Run;
import dev.madt.trace.layout.SharedLayout;

/**
 * What one frame has told of a run so far; writer and reader follow the same rules, so that both
 * predict the same. What is known of its words stands in an array beside it, from {@link #base} on.
 */
final class RunContext {
    final int number;
    final int words;
    final int base;
    /** The sites, for module runs; null for the others, or as long as nobody has asked. */
    Run run;
    /** Loads and stores when every word is made. */
    int loads;

    int stores;
    /** Functions entered and left when the first word is made. */
    int enters;

    int leaves;
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
    /** Reader: the words of the last time are those that are expected next. */
    boolean still;
    /**
     * Reader: the frame may have introduced the run twice, so that this context does not know its
     * last words.
     */
    boolean twin;
    /**
     * Reader: the {@link RunColumns} that have its last words, by their number, and from where on.
     */
    int columns;

    int from;

    RunContext(int number, int words, int base) {
        this.number = number;
        this.words = words;
        this.base = base;
        this.loads = number == SharedLayout.RUN_LOAD_UNKNOWN ? 1 : 0;
        this.stores = number == SharedLayout.RUN_WRITE_UNKNOWN ? 1 : 0;
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
    }

    /** Notes which run came behind this one, when it was not the likely one. */
    void follow(RunContext next) {
        second = likely;
        likely = next;
    }

    /** Says what the run is. */
    void identify(Run known) {
        run = known;
        loads = known.loads();
        stores = known.stores();
        enters = known.isProbe() && known.site(0).kind() == AccessKind.ENTER ? 1 : 0;
        leaves = known.isProbe() ? 1 - enters : 0;
    }

    /** Whether a word is a load that counts when it is made. */
    boolean loads(int word) {
        return run == null ? loads == 1 && word == 1 : run.site(word).kind().loads();
    }

    boolean stores(int word) {
        return run == null ? stores == 1 && word == 1 : run.site(word).kind().stores();
    }
}

package dev.madt.bench;

import dev.madt.console.Failure;
import java.io.IOException;

/** A way to have hits: runs of it are made in turns with those of others; the best one counts. */
final class MeasuredHits {
    /** One run of the program. */
    interface Work {
        MeasuredProgram.Run run() throws Failure, IOException, InterruptedException;
    }

    private final String name;
    private final long hits;
    private final Work work;
    private MeasuredProgram.Run best;

    /** @param hits of one run */
    MeasuredHits(String name, long hits, Work work) {
        this.name = name;
        this.hits = hits;
        this.work = work;
    }

    String name() {
        return name;
    }

    void measure() throws Failure, IOException, InterruptedException {
        best = work.run().better(best);
    }

    /** Returns the processor time of a hit, in nanoseconds. */
    double processor() {
        return best.processor() / (double) hits;
    }

    /** Returns the time of a hit by the clock, in nanoseconds. */
    double clock() {
        return best.time() / (double) hits;
    }
}

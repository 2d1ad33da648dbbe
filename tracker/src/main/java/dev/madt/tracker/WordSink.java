package dev.madt.tracker;

import java.io.IOException;

/** Takes the runs of a chunk in the order in which the thread made them. */
@FunctionalInterface
public interface WordSink {
    /**
     * One whole run.
     *
     * @param epoch allocation epoch at the start of the run, all 64 bits
     * @param words valid during the call; all-ones words are accesses that were not made
     * @param from index of the run's first word
     * @param count words of the run
     */
    void run(int thread, long epoch, int run, long[] words, int from, int count) throws IOException;
}

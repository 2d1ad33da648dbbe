package dev.madt.cli;

import java.util.Arrays;

/**
 * Runs of one chunk that wait for their turn, first in, first out.
 *
 * <pre>
 *   | epoch | run | count | word … | epoch | run | count | word … |
 * </pre>
 */
final class RunQueue {
    private static final int HEAD = 3;

    private long[] data = new long[1024];
    private int head;
    private int tail;

    void add(long epoch, int run, long[] words, int from, int count) {
        int need = HEAD + count;
        if (tail + need > data.length) {
            makeRoom(need);
        }
        data[tail] = epoch;
        data[tail + 1] = run;
        data[tail + 2] = count;
        System.arraycopy(words, from, data, tail + HEAD, count);
        tail += need;
    }

    private void makeRoom(int need) {
        int used = tail - head;
        long[] roomy = used + need > data.length / 2 ? new long[Math.max(2 * data.length, used + need)] : data;
        System.arraycopy(data, head, roomy, 0, used);
        data = roomy;
        head = 0;
        tail = used;
    }

    boolean isEmpty() {
        return head == tail;
    }

    /** Words held, heads included. */
    int size() {
        return tail - head;
    }

    /** Epoch of the first run; not for an empty queue. */
    long epoch() {
        return data[head];
    }

    int run() {
        return (int) data[head + 1];
    }

    int count() {
        return (int) data[head + 2];
    }

    /** Copies the words of the first run into {@code words}, from 0, and drops the run. */
    void take(long[] words) {
        int count = count();
        System.arraycopy(data, head + HEAD, words, 0, count);
        head += HEAD + count;
        if (head == tail) {
            head = 0;
            tail = 0;
        }
    }

    @Override
    public String toString() {
        return Arrays.toString(Arrays.copyOfRange(data, head, tail));
    }
}

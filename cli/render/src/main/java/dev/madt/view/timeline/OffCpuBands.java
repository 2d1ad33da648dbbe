package dev.madt.view.timeline;

import dev.madt.console.Numbers;
import java.util.Arrays;
import java.util.List;

/**
 * The times in which a thread did not run, as bands of a picture: one for each that is wide enough,
 * and for the shorter ones by how much of a column they take.
 */
final class OffCpuBands {
    /** Takes what is drawn. */
    interface Pen {
        /**
         * @param part how much of the time between its ends the thread did not run, up to 1
         * @param preempted whether another thread had its processor, most of the time
         * @param said what it was, for people
         */
        void band(double left, double right, double part, boolean preempted, String said);
    }

    private static final int LEVELS = 4;

    private final List<OffCpu> times;
    private final long first;
    private final double scale;
    private final double least;
    /** By column, of short times: what they take of it, the part of it preempted, how many. */
    private final double[] covered;

    private final double[] preempted;
    private final int[] counts;

    /**
     * @param times those of one thread
     * @param first the position at the left end
     * @param scale columns for each nanosecond
     * @param least the width of what has a band of its own
     */
    OffCpuBands(List<OffCpu> times, long first, double scale, int width, double least) {
        this.times = times;
        this.first = first;
        this.scale = scale;
        this.least = least;
        this.covered = new double[width];
        this.preempted = new double[width];
        this.counts = new int[width];
    }

    void draw(Pen pen) {
        for (OffCpu time : times) {
            double from = at(time.from());
            double to = at(time.to());
            boolean taken = time.why().startsWith(OffCpu.PREEMPTED);
            if (to - from >= least) {
                String said = time.why() + ", " + Positions.length(time.to() - time.from(), true)
                        + " at " + Positions.position(time.from(), true);
                pen.band(from, to, 1, taken, said);
            } else if (to > from) {
                add(from, to, taken);
            }
        }
        int to;
        for (int from = 0; from < covered.length; from = to) {
            to = from + 1;
            while (to < covered.length && level(to) == level(from) && taken(to) == taken(from)) {
                to++;
            }
            if (level(from) > 0) {
                pen.band(from, to, (double) level(from) / LEVELS, taken(from), said(from, to));
            }
        }
    }

    private double at(long position) {
        return Math.max(0, Math.min(covered.length, (position - first) * scale));
    }

    private void add(double from, double to, boolean taken) {
        counts[(int) from]++;
        for (int column = (int) from; column < to; column++) {
            double part = Math.min(to, column + 1) - Math.max(from, column);
            covered[column] += part;
            preempted[column] += taken ? part : 0;
        }
    }

    private int level(int column) {
        return (int) Math.min(LEVELS, Math.ceil(covered[column] * LEVELS));
    }

    private boolean taken(int column) {
        return 2 * preempted[column] > covered[column];
    }

    private String said(int from, int to) {
        long number = Arrays.stream(counts, from, to).asLongStream().sum();
        double time = Arrays.stream(covered, from, to).sum() / scale;
        return Numbers.counted(Math.max(1, number), "short time", "short times")
                + " in which the thread did not run, " + Positions.length(Math.round(time), true)
                + " in all";
    }
}

package dev.madt.view.timeline;

/**
 * A row of spans as boxes of a picture: calls that are wide enough have one each, what lies between
 * them is told together.
 */
final class SpanBoxes {
    /** Draws the boxes. */
    interface Pen {
        /** One call, by its place in the row. */
        void call(double left, double right, int at);

        /**
         * Several calls.
         *
         * @param calls how many, of how long together
         * @param longest place in the row of the longest
         */
        void calls(double left, double right, long calls, long time, int longest);
    }

    private final SpanRow row;
    private final long from;
    private final double scale;
    private final double width;
    private final double least;
    private final Pen pen;
    private double left;
    private double right;
    private long calls;
    private long time;
    private int longest;

    /**
     * @param from position of the left border
     * @param scale width of a unit of time
     * @param least width of a call that has a box
     */
    SpanBoxes(SpanRow row, long from, double scale, double width, double least, Pen pen) {
        this.row = row;
        this.from = from;
        this.scale = scale;
        this.width = width;
        this.least = least;
        this.pen = pen;
    }

    void draw() {
        for (int i = 0; i < row.size(); i++) {
            double begin = Math.max(0, (row.start(i) - from) * scale);
            double end = Math.min(width, (row.end(i) - from) * scale);
            if (end < 0 || begin > width) {
                continue;
            }
            if (row.count(i) == 1 && (end - begin >= least || row.ending(i) == Call.Ending.OPEN)) {
                flush();
                pen.call(begin, end, i);
            } else {
                join(begin, end, i);
            }
        }
        flush();
    }

    private void join(double begin, double end, int at) {
        if (calls > 0 && begin - right >= least) {
            flush();
        }
        if (calls == 0) {
            left = begin;
            right = end;
            longest = at;
        }
        right = Math.max(right, end);
        calls += row.count(at);
        time += row.length(at);
        longest = longest(at) > longest(longest) ? at : longest;
    }

    private long longest(int at) {
        return row.count(at) == 1 ? row.length(at) : row.detail(at);
    }

    private void flush() {
        if (calls > 0) {
            pen.calls(left, right, calls, time, longest);
        }
        calls = 0;
        time = 0;
    }
}

package dev.madt.view.heatmap;

import java.util.ArrayList;
import java.util.List;

/** Counts on a logarithmic scale of one hue: 1 is light, the most is dark. */
record Scale(long most) {
    static final int WHITE = 0xffffff;
    static final int TEXT = 0x303030;

    private static final int[] LIGHT = {0xd6, 0xe6, 0xf4};
    private static final int[] MIDDLE = {0x4a, 0x90, 0xc8};
    private static final int[] DARK = {0x08, 0x26, 0x55};
    private static final String SHADES = "·:-=+*#%@";

    /** Returns where a count stands, from 0 for 1 to 1 for the most. */
    double position(long count) {
        return most <= 1 ? 1 : Math.log(count) / Math.log(most);
    }

    /** The colour as 0xRRGGBB; white for 0. */
    int colour(long count) {
        if (count == 0) {
            return WHITE;
        }
        double position = position(count);
        return position < 0.5
                ? mixed(LIGHT, MIDDLE, 2 * position)
                : mixed(MIDDLE, DARK, 2 * position - 1);
    }

    private static int mixed(int[] from, int[] to, double part) {
        int colour = 0;
        for (int i = 0; i < 3; i++) {
            colour = colour << 8 | (int) Math.round(from[i] + (to[i] - from[i]) * part);
        }
        return colour;
    }

    /** A character that gets darker; a blank for 0. */
    char shade(long count) {
        return count == 0
                ? ' '
                : SHADES.charAt((int) Math.round(position(count) * (SHADES.length() - 1)));
    }

    /** Counts for the legend: the powers of ten, and the most. */
    List<Long> marks() {
        List<Long> marks = new ArrayList<>();
        for (long mark = 1; mark < most && mark > 0; mark *= 10) {
            marks.add(mark);
        }
        marks.add(Math.max(1, most));
        return marks;
    }
}

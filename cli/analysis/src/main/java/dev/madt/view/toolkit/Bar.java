package dev.madt.view.toolkit;

/** Draws shares as horizontal bars of characters. */
public final class Bar {
    private static final String EIGHTHS = " ▏▎▍▌▋▊▉█";
    private static final int PARTS = 8;

    private Bar() {}

    /**
     * A bar; what is more than nothing is seen.
     *
     * @param part of the width, 0 to 1
     * @param blocks whether the terminal has blocks of eighths; else it is made of {@code #}
     */
    public static String of(double part, int width, boolean blocks) {
        int units = blocks ? PARTS : 1;
        int length = (int) Math.round(Math.min(1, Math.max(0, part)) * width * units);
        length = part > 0 ? Math.max(1, length) : 0;
        String whole = (blocks ? "█" : "#").repeat(length / units);
        String rest = length % units == 0 ? "" : "" + EIGHTHS.charAt(length % units);
        return whole + rest + " ".repeat(width - whole.length() - rest.length());
    }
}

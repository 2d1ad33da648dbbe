package dev.madt.view.calls;

/** Says how much more or less something counts than before. */
enum Growth {
    MUCH_LESS('y'),
    LESS('x'),
    SAME('u'),
    MORE('v'),
    MUCH_MORE('w');

    private static final double NOTABLE = 0.02;
    private static final double LARGE = 0.3;

    private final char letter;

    Growth(char letter) {
        this.letter = letter;
    }

    /** The class of its colour in pictures. */
    char letter() {
        return letter;
    }

    /** By the difference, as a part of the larger number. */
    static Growth of(long now, long before) {
        double change = (now - before) / (double) Math.max(1, Math.max(now, before));
        if (Math.abs(change) < NOTABLE) {
            return SAME;
        }
        return change > 0 ? change < LARGE ? MORE : MUCH_MORE : change > -LARGE ? LESS : MUCH_LESS;
    }
}

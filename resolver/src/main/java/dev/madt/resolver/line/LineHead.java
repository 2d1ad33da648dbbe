package dev.madt.resolver.line;

/**
 * Says what lines begin with: {@code L$1234:}. Numbers mostly follow each other, so everything but
 * the last four digits is kept ready.
 */
final class LineHead {
    private static final int SPAN = 10_000;

    /** The first number that the kept digits belong to. */
    private long base;
    /** The digits in front of the last four; none below {@value #SPAN}. */
    private PackedText digits = PackedText.EMPTY;

    /** Appends the head of a line. */
    void append(LineBuffer line, char letter, char form, long number) {
        line.pair(letter, form);
        long last = number - base;
        if (last < 0 || last >= SPAN) {
            turnTo(number);
            last = number - base;
        }
        if (base == 0) {
            line.decimal(last);
        } else {
            line.text(digits);
            line.fourDigits((int) last);
        }
        line.character(':');
    }

    private void turnTo(long number) {
        long front = Long.divideUnsigned(number, SPAN);
        base = front * SPAN;
        LineBuffer text = LineBuffer.detached();
        text.decimal(front);
        digits = new PackedText(text.toBytes());
    }
}

package dev.madt.view.heatmap;

import java.util.List;
import java.util.Locale;

/** Draws what the colours mean, above a picture. */
final class Legend {
    static final int HEIGHT = 74;

    private static final int BAR = 300;
    private static final int TOP = 30;
    private static final int FIRST = 8;

    private Legend() {}

    static void draw(Canvas canvas, Scale scale, String caption, String unit, int width) {
        int letters = (width - 16) / Canvas.LETTER;
        canvas.text(
                8,
                18,
                caption.length() > letters ? caption.substring(0, letters - 1) + "…" : caption,
                Scale.TEXT);
        for (int x = 0; x < BAR; x++) {
            long count = Math.round(Math.pow(scale.most(), (double) x / (BAR - 1)));
            canvas.rectangle(8 + x, TOP, 1, 12, scale.colour(Math.max(1, count)));
        }
        marks(canvas, scale);
        int x = BAR + 30;
        canvas.text(x, TOP + 10, "accesses per " + unit + ", logarithmic scale", Scale.TEXT);
        box(canvas, x, Scale.WHITE, "not accessed");
    }

    private static void marks(Canvas canvas, Scale scale) {
        List<Long> marks = scale.marks();
        for (int i = marks.size() - 1, end = BAR + 8; i >= 0; i--) {
            String text = String.format(Locale.ROOT, "%,d", marks.get(i));
            int length = text.length() * Canvas.LETTER;
            int x = 8 + (int) (scale.position(marks.get(i)) * (BAR - 1));
            int left = Math.max(FIRST, Math.min(x - length / 2, end - length));
            if (left + length <= end && x < left + length) {
                canvas.rectangle(Math.min(x, BAR + 7), TOP + 12, 1, 3, Scale.TEXT);
                canvas.text(left, TOP + 26, text, Scale.TEXT);
                end = left - Canvas.LETTER;
            }
        }
    }

    private static void box(Canvas canvas, int x, int colour, String text) {
        canvas.rectangle(x, TOP + 17, 11, 11, 0xa0a0a0);
        canvas.rectangle(x + 1, TOP + 18, 9, 9, colour);
        canvas.text(x + 16, TOP + 26, text, Scale.TEXT);
    }
}

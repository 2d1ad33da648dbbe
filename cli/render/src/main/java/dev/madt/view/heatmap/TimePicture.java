package dev.madt.view.heatmap;

import dev.madt.view.heatmap.TimeLayout.Part;
import dev.madt.view.heatmap.TimeLayout.Row;
import java.util.Locale;
import java.util.function.BiFunction;

/** Draws time from left to right and pages from top to bottom. */
final class TimePicture {
    private static final int LEFT = 16 * Canvas.LETTER;
    private static final int WIDTH = 768;
    private static final int HEADING = 22;
    private static final int AXIS = 24;
    private static final int FEW_ROWS = 96;

    private final Heat heat;
    private final TimeLayout layout;
    private final int rowHeight;

    TimePicture(Heat heat, boolean byAddress) {
        this.heat = heat;
        this.layout = new TimeLayout(heat, byAddress);
        this.rowHeight =
                layout.parts().stream().mapToInt(part -> part.rows().size()).sum() <= FEW_ROWS
                        ? 10
                        : 3;
    }

    Canvas draw(BiFunction<Integer, Integer, Canvas> canvases) {
        int width = LEFT + WIDTH + 16;
        int parts = layout.parts().stream().mapToInt(this::height).sum();
        int height = Legend.HEIGHT + layout.parts().size() * HEADING + parts + AXIS + Canvas.LINE;
        Canvas canvas = canvases.apply(width, height);
        Legend.draw(canvas, layout.scale(), Captions.of(heat), "page and slice of time", width);
        int y = Legend.HEIGHT;
        for (Part part : layout.parts()) {
            canvas.text(8, y + HEADING - 7, Captions.of(part.band()), Scale.TEXT);
            y += HEADING;
            int end = y + part.rows().size() * rowHeight;
            canvas.rectangle(LEFT - 1, y - 1, WIDTH + 2, end - y + 2, 0xe4e4e4);
            canvas.rectangle(LEFT, y, WIDTH, end - y, Scale.WHITE);
            rows(canvas, part, y);
            y += height(part);
        }
        axis(canvas, y);
        return canvas;
    }

    /** Its rows, and at least one address in full. */
    private int height(Part part) {
        return Math.max(part.rows().size() * rowHeight, Canvas.LINE - 4);
    }

    private void rows(Canvas canvas, Part part, int top) {
        int y = top;
        int labelled = top - Canvas.LINE;
        for (Row row : part.rows()) {
            if (y - labelled >= Canvas.LINE - 3) {
                canvas.text(8, y + 9, Captions.address(row.firstPage(), heat), 0x808080);
                labelled = y;
            }
            row(canvas, row, y);
            y += rowHeight;
        }
    }

    private void row(Canvas canvas, Row row, int y) {
        for (int slice = 0; slice < layout.slices(); slice++) {
            long count = row.counts()[slice];
            if (count > 0) {
                int x = slice * WIDTH / layout.slices();
                int next = (slice + 1) * WIDTH / layout.slices();
                canvas.cell(
                        LEFT + x,
                        y,
                        Math.max(1, next - x),
                        rowHeight,
                        layout.scale().colour(count),
                        String.format(
                                Locale.ROOT,
                                "%s, from access %,d: %,d accesses",
                                Captions.address(row.firstPage(), heat),
                                slice * heat.cells().slice(),
                                count));
            }
        }
    }

    private void axis(Canvas canvas, int y) {
        canvas.text(LEFT, y + 16, "access 0", Scale.TEXT);
        String end =
                String.format(Locale.ROOT, "%,d", layout.slices() * heat.cells().slice());
        canvas.text(LEFT + WIDTH - end.length() * Canvas.LETTER, y + 16, end, Scale.TEXT);
        String middle = "time, in accesses";
        canvas.text(LEFT + (WIDTH - middle.length() * Canvas.LETTER) / 2, y + 16, middle, 0x808080);
    }
}

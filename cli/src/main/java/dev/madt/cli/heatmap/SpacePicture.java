package dev.madt.cli.heatmap;

import dev.madt.cli.heatmap.SpaceLayout.Line;
import dev.madt.cli.heatmap.SpaceLayout.Row;
import java.util.Locale;
import java.util.function.BiFunction;

/** Draws pages as squares, rows of addresses from top to bottom. */
final class SpacePicture {
    private static final int CELL = 11;
    private static final int STEP = CELL + 1;
    private static final int LEFT = 16 * Canvas.LETTER;
    private static final int RIGHT = 16;
    private static final int HEADING = 22;

    private final Heat heat;
    private final SpaceLayout layout;

    SpacePicture(Heat heat) {
        this.heat = heat;
        this.layout = new SpaceLayout(heat);
    }

    Canvas draw(BiFunction<Integer, Integer, Canvas> canvases) {
        int width = LEFT + SpaceLayout.COLUMNS * STEP + RIGHT;
        int height = Legend.HEIGHT + layout.lines().stream().mapToInt(SpacePicture::height).sum() + Canvas.LINE;
        Canvas canvas = canvases.apply(width, height);
        Legend.draw(canvas, layout.scale(), Captions.of(heat), Captions.unit(heat), width);
        int y = Legend.HEIGHT;
        for (Line line : layout.lines()) {
            draw(canvas, line, y);
            y += height(line);
        }
        return canvas;
    }

    private static int height(Line line) {
        return line.heading() != null ? HEADING : line.row() != null ? STEP : Canvas.LINE + 2;
    }

    private void draw(Canvas canvas, Line line, int y) {
        if (line.heading() != null) {
            canvas.text(8, y + HEADING - 7, Captions.of(line.heading()), Scale.TEXT);
        } else if (line.row() != null) {
            row(canvas, line.row(), y);
        } else {
            if (line.untraced()) {
                canvas.rectangle(LEFT, y + 1, SpaceLayout.COLUMNS * STEP - 1, Canvas.LINE, Scale.UNTRACED);
            }
            canvas.text(LEFT + 4, y + 12, line.fold(), Scale.TEXT);
        }
    }

    private void row(Canvas canvas, Row row, int y) {
        canvas.text(8, y + 10, Captions.address(row.firstPage(), heat), 0x808080);
        Scale scale = layout.scale();
        for (int i = 0; i < row.counts().length; i++) {
            long count = row.counts()[i];
            if (count >= 0) {
                int x = LEFT + i * STEP;
                canvas.rectangle(x - 1, y - 1, CELL + 2, CELL + 2, 0xe4e4e4);
                canvas.cell(x, y, CELL, CELL, scale.colour(count), String.format(Locale.ROOT, "%s: %,d accesses",
                        Captions.address(row.firstPage() + i, heat), count));
            }
        }
    }
}

package dev.madt.view.heatmap;

import dev.madt.view.heatmap.SpaceLayout.Line;
import dev.madt.view.heatmap.SpaceLayout.Row;
import java.util.Locale;
import java.util.function.BiFunction;

/** Draws pages as squares, rows of addresses from top to bottom. */
final class SpacePicture {
    private static final int CELL = 11;
    private static final int STEP = CELL + 1;
    private static final int LEFT = 16 * Canvas.LETTER;
    private static final int RIGHT = 16;
    private static final int HEADING = 22;
    private static final int FOLD = 5;
    private static final int TOP = Legend.HEIGHT + 2 * Canvas.LINE;
    private static final int COLUMNS_MARKED = 16;
    private static final int GREY = 0x808080;
    private static final int HOTTEST = 0xe8590c;

    private final Heat heat;
    private final SpaceLayout layout;
    private int hottestX = -1;
    private int hottestY;

    SpacePicture(Heat heat, boolean byAddress) {
        this.heat = heat;
        this.layout = new SpaceLayout(heat, byAddress);
    }

    Canvas draw(BiFunction<Integer, Integer, Canvas> canvases) {
        int width = LEFT + SpaceLayout.COLUMNS * STEP + RIGHT;
        int height =
                TOP + layout.lines().stream().mapToInt(SpacePicture::height).sum() + Canvas.LINE;
        Canvas canvas = canvases.apply(width, height);
        Legend.draw(canvas, layout.scale(), Captions.of(heat), Captions.unit(heat), width);
        head(canvas);
        int y = TOP;
        for (Line line : layout.lines()) {
            draw(canvas, line, y);
            y += height(line);
        }
        outline(canvas);
        return canvas;
    }

    /** The hottest page in words, and how far the pages of a row are from its address. */
    private void head(Canvas canvas) {
        if (layout.hottest() >= 0) {
            long most = layout.scale().most();
            canvas.text(
                    8,
                    Legend.HEIGHT + 2,
                    String.format(
                            Locale.ROOT,
                            "hottest page: %s in %s, %,d %s (outlined)",
                            Captions.address(layout.hottest(), heat),
                            layout.hottestRegion(),
                            most,
                            most == 1 ? "access" : "accesses"),
                    HOTTEST);
        }
        for (int column = 0; column < SpaceLayout.COLUMNS; column += COLUMNS_MARKED) {
            int x = LEFT + column * STEP;
            canvas.rectangle(x, TOP - 8, 1, 6, GREY);
            canvas.text(
                    x + 3,
                    TOP - 2,
                    "+0x" + Long.toHexString((long) column << heat.pageBits()),
                    GREY);
        }
    }

    /** Four bars around the hottest page, on top of its neighbours. */
    private void outline(Canvas canvas) {
        if (hottestX >= 0) {
            int side = CELL + 4;
            canvas.rectangle(hottestX - 2, hottestY - 2, side, 2, HOTTEST);
            canvas.rectangle(hottestX - 2, hottestY + CELL, side, 2, HOTTEST);
            canvas.rectangle(hottestX - 2, hottestY - 2, 2, side, HOTTEST);
            canvas.rectangle(hottestX + CELL, hottestY - 2, 2, side, HOTTEST);
        }
    }

    private static int height(Line line) {
        return line.heading() != null
                ? HEADING
                : line.row() != null ? STEP : line.fold() != null ? FOLD : HEADING;
    }

    private void draw(Canvas canvas, Line line, int y) {
        if (line.heading() != null) {
            canvas.text(8, y + HEADING - 7, Captions.of(line.heading()), Scale.TEXT);
        } else if (line.row() != null) {
            row(canvas, line.row(), y);
        } else if (line.fold() != null) {
            canvas.cell(LEFT, y + FOLD / 2, SpaceLayout.COLUMNS * STEP - 1, 1, GREY, line.fold());
        } else {
            canvas.text(8, y + HEADING - 7, line.rest(), GREY);
        }
    }

    private void row(Canvas canvas, Row row, int y) {
        canvas.text(8, y + 10, Captions.address(row.firstPage(), heat), GREY);
        Scale scale = layout.scale();
        for (int i = 0; i < row.counts().length; i++) {
            long count = row.counts()[i];
            if (count >= 0) {
                int x = LEFT + i * STEP;
                if (row.firstPage() + i == layout.hottest()) {
                    hottestX = x;
                    hottestY = y;
                }
                canvas.rectangle(x - 1, y - 1, CELL + 2, CELL + 2, 0xe4e4e4);
                canvas.cell(
                        x,
                        y,
                        CELL,
                        CELL,
                        scale.colour(count),
                        String.format(
                                Locale.ROOT,
                                "%s: %,d accesses",
                                Captions.address(row.firstPage() + i, heat),
                                count));
            }
        }
    }
}

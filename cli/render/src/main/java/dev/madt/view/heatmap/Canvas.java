package dev.madt.view.heatmap;

import java.io.IOException;
import java.io.OutputStream;

/** Something to draw on. Coordinates are pixels from the top left; colours are 0xRRGGBB. */
interface Canvas {
    /** Width of a character of text, in pixels, and height of a line. */
    int LETTER = 7;

    int LINE = 15;

    void rectangle(int x, int y, int width, int height, int colour);

    /** A rectangle that tells more when pointed at, where the format can. */
    void cell(int x, int y, int width, int height, int colour, String tip);

    /** Text of fixed width; {@code y} is its base line. */
    void text(int x, int y, String text, int colour);

    void write(OutputStream out) throws IOException;
}

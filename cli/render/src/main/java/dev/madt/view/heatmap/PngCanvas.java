package dev.madt.view.heatmap;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import javax.imageio.ImageIO;

/** A picture as PNG. On a machine without fonts it has no text, and {@link #hasText} says so. */
final class PngCanvas implements Canvas {
    private final BufferedImage image;
    private final Graphics2D graphics;
    private boolean text = true;

    PngCanvas(int width, int height) {
        System.setProperty("java.awt.headless", "true");
        ImageIO.setUseCache(false);
        image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        graphics = image.createGraphics();
        rectangle(0, 0, width, height, Scale.WHITE);
    }

    boolean hasText() {
        return text;
    }

    @Override
    public void rectangle(int x, int y, int width, int height, int colour) {
        graphics.setColor(new Color(colour));
        graphics.fillRect(x, y, width, height);
    }

    @Override
    public void cell(int x, int y, int width, int height, int colour, String tip) {
        rectangle(x, y, width, height, colour);
    }

    @Override
    public void text(int x, int y, String words, int colour) {
        if (!text) {
            return;
        }
        try {
            graphics.setFont(new Font(Font.MONOSPACED, Font.PLAIN, 11));
            graphics.setRenderingHint(
                    RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            graphics.setColor(new Color(colour));
            graphics.drawString(words, x, y);
        } catch (RuntimeException | LinkageError | InternalError e) {
            // A Java without its desktop libraries, or a machine without any font: each fails in
            // its own way.
            text = false;
        }
    }

    @Override
    public void write(OutputStream out) throws IOException {
        graphics.dispose();
        ByteArrayOutputStream picture = new ByteArrayOutputStream(); // ImageIO hides why it fails
        ImageIO.write(image, "png", picture);
        picture.writeTo(out);
    }
}

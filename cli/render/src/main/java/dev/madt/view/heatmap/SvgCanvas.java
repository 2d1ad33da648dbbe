package dev.madt.view.heatmap;

import dev.madt.view.toolkit.XmlText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A picture as SVG 1.1; cells have titles, which viewers show as tooltips. */
final class SvgCanvas implements Canvas {
    private final StringBuilder elements = new StringBuilder();

    SvgCanvas(int width, int height) {
        elements.append(String.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" "
                        + "viewBox=\"0 0 %1$d %2$d\" font-family=\"monospace\" font-size=\"11\">%n",
                width, height));
        rectangle(0, 0, width, height, Scale.WHITE);
    }

    @Override
    public void rectangle(int x, int y, int width, int height, int colour) {
        open(x, y, width, height, colour);
        elements.append("/>\n");
    }

    @Override
    public void cell(int x, int y, int width, int height, int colour, String tip) {
        open(x, y, width, height, colour);
        elements.append("><title>").append(XmlText.escaped(tip)).append("</title></rect>\n");
    }

    private void open(int x, int y, int width, int height, int colour) {
        elements.append("<rect x=\"")
                .append(x)
                .append("\" y=\"")
                .append(y)
                .append("\" width=\"")
                .append(width)
                .append("\" height=\"")
                .append(height)
                .append("\" fill=\"")
                .append(hex(colour))
                .append('"');
    }

    @Override
    public void text(int x, int y, String text, int colour) {
        elements.append("<text x=\"")
                .append(x)
                .append("\" y=\"")
                .append(y)
                .append("\" fill=\"")
                .append(hex(colour))
                .append("\">")
                .append(XmlText.escaped(text))
                .append("</text>\n");
    }

    private static String hex(int colour) {
        return String.format("#%06x", colour);
    }

    @Override
    public void write(OutputStream out) throws IOException {
        out.write((elements + "</svg>\n").getBytes(StandardCharsets.UTF_8));
    }
}

package dev.madt.view.heatmap;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Says how a heatmap is written; a file's extension names its format. */
public enum HeatFormat {
    PNG,
    SVG,
    HTML,
    TXT;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(HeatFormat::word).toList();
    }

    /** The format of a file by its extension, or null. */
    public static HeatFormat ofFile(String name) {
        String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(format -> format.word().equals(extension))
                .findFirst()
                .orElse(null);
    }

    /**
     * Writes the picture.
     *
     * @param view how it is arranged
     * @return what the user should know about the picture, or null
     */
    public String write(Heat heat, HeatView view, OutputStream out) throws IOException {
        switch (this) {
            case TXT -> {
                TextMap text = new TextMap(heat, view.byAddress());
                out.write((view.time() ? text.time() : text.space())
                        .getBytes(StandardCharsets.UTF_8));
            }
            case HTML -> HtmlPage.write(heat, view, out);
            case SVG -> picture(heat, view, false).write(out);
            case PNG -> {
                PngCanvas picture = (PngCanvas) picture(heat, view, true);
                picture.write(out);
                return picture.hasText()
                        ? null
                        : "the picture has no text: this Java finds no fonts. Use .svg or .html.";
            }
        }
        return null;
    }

    private static Canvas picture(Heat heat, HeatView view, boolean png) {
        return view.time()
                ? new TimePicture(heat, view.byAddress())
                        .draw((width, height) -> canvas(png, width, height))
                : new SpacePicture(heat, view.byAddress())
                        .draw((width, height) -> canvas(png, width, height));
    }

    private static Canvas canvas(boolean png, int width, int height) {
        return png ? new PngCanvas(width, height) : new SvgCanvas(width, height);
    }
}

package dev.madt.view.heatmap;

import dev.madt.view.heatmap.SpaceLayout.Line;
import dev.madt.view.heatmap.TimeLayout.Part;
import dev.madt.view.heatmap.TimeLayout.Row;
import java.util.Locale;

/** The same pictures in characters that get darker. */
final class TextMap {
    private static final int ADDRESS = 16;
    private static final char UNTOUCHED = '.';

    private final Heat heat;
    private final boolean byAddress;
    private final StringBuilder text = new StringBuilder();

    TextMap(Heat heat, boolean byAddress) {
        this.heat = heat;
        this.byAddress = byAddress;
    }

    String space() {
        SpaceLayout layout = new SpaceLayout(heat, byAddress);
        legend(layout.scale(), Captions.unit(heat));
        for (Line line : layout.lines()) {
            if (line.heading() != null) {
                text.append('\n').append(Captions.of(line.heading())).append('\n');
            } else if (line.fold() != null) {
                text.append(" ".repeat(ADDRESS)).append(line.fold()).append('\n');
            } else if (line.rest() != null) {
                text.append('\n').append(line.rest()).append('\n');
            } else {
                address(line.row().firstPage());
                for (long count : line.row().counts()) {
                    text.append(
                            count < 0
                                    ? ' '
                                    : count == 0 ? UNTOUCHED : layout.scale().shade(count));
                }
                endLine();
            }
        }
        return text.toString();
    }

    String time() {
        TimeLayout layout = new TimeLayout(heat, byAddress);
        legend(layout.scale(), "page and slice of time");
        text.append(String.format(
                Locale.ROOT, "a column is %,d accesses%n", heat.cells().slice()));
        for (Part part : layout.parts()) {
            text.append('\n').append(Captions.of(part.band())).append('\n');
            for (Row row : part.rows()) {
                address(row.firstPage());
                for (long count : row.counts()) {
                    text.append(layout.scale().shade(count));
                }
                endLine();
            }
        }
        return text.toString();
    }

    private void address(long page) {
        String address = Captions.address(page, heat);
        text.append(address).append(" ".repeat(Math.max(1, ADDRESS - address.length())));
    }

    private void endLine() {
        int end = text.length();
        while (text.charAt(end - 1) == ' ') {
            end--;
        }
        text.setLength(end);
        text.append('\n');
    }

    private void legend(Scale scale, String unit) {
        text.append(Captions.of(heat))
                .append('\n')
                .append("accesses per ")
                .append(unit)
                .append(", logarithmic scale:");
        for (long mark : scale.marks()) {
            text.append(String.format(Locale.ROOT, "  %c %,d", scale.shade(mark), mark));
        }
        text.append("  ").append(UNTOUCHED).append(" not accessed\n");
    }
}

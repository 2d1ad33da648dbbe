package dev.madt.testprogs;

import java.util.ArrayList;
import java.util.List;

/** A line of a table in CSV. */
public final class CsvLine {
    private CsvLine() {}

    /** Its cells, some of them in quotes. */
    public static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (char c : line.toCharArray()) {
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}

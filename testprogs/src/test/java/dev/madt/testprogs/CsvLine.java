package dev.madt.testprogs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lines of a table in CSV. */
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

    /** Returns the rows of a table, each by the names of its columns. */
    public static List<Map<String, String>> rows(String csv) {
        List<String> lines = csv.lines().toList();
        List<String> keys = cells(lines.get(0));
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = cells(line);
            Map<String, String> row = new HashMap<>();
            for (int i = 0; i < cells.size(); i++) {
                row.put(keys.get(i), cells.get(i));
            }
            rows.add(row);
        }
        return rows;
    }
}

package dev.madt.testprogs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The accesses of a trace, counted by the linker's names from the lines of {@code madt convert --to
 * csv}, apart from what reports do.
 */
public final class LinkedRows {
    /** Loads, stores and bytes. */
    public record Sums(long loads, long stores, long bytes) implements Comparable<Sums> {
        private static final Sums NONE = new Sums(0, 0, 0);

        private Sums and(boolean load, long size) {
            return new Sums(loads + (load ? 1 : 0), stores + (load ? 0 : 1), bytes + size);
        }

        @Override
        public int compareTo(Sums other) {
            int byLoads = Long.compare(loads, other.loads);
            int byStores = Long.compare(stores, other.stores);
            return byLoads != 0
                    ? byLoads
                    : byStores != 0 ? byStores : Long.compare(bytes, other.bytes);
        }
    }

    private final List<Map<String, String>> accesses = new ArrayList<>();
    /** Of blocks by their numbers: the kind, and the call that made them. */
    private final Map<String, String> sites = new HashMap<>();

    private LinkedRows() {}

    /** @param trace of one process */
    public static LinkedRows of(Path directory, Path trace)
            throws IOException, InterruptedException {
        LinkedRows rows = new LinkedRows();
        Path csv = Files.createTempFile(directory, "events", ".csv");
        MadtRun.madt(
                        directory,
                        "convert",
                        "--to",
                        "csv",
                        "--no-demangle",
                        "--blocks-by",
                        "inner",
                        "-f",
                        "-o",
                        csv.toString(),
                        trace.toString())
                .expect(0);
        List<String> lines = Files.readAllLines(csv);
        List<String> headings = CsvLine.cells(lines.get(0));
        for (String line : lines.subList(1, lines.size())) {
            rows.add(headings, CsvLine.cells(line));
        }
        return rows;
    }

    private void add(List<String> headings, List<String> cells) {
        Map<String, String> event = new HashMap<>();
        for (int i = 0; i < headings.size(); i++) {
            event.put(headings.get(i), cells.get(i));
        }
        String kind = event.get("kind");
        if (kind.equals("L") || kind.equals("S")) {
            accesses.add(event);
        } else if (!event.get("block").isEmpty() && !event.get("code").isEmpty()) {
            String name = event.get("symbol");
            sites.putIfAbsent(
                    event.get("block"),
                    name.substring(0, name.indexOf('@')).replaceAll("[0-9]+$", "") + " of "
                            + event.get("module") + " " + event.get("site"));
        }
    }

    /** The sums of all rows by a key of reports, as the linker's names tell them apart. */
    public List<Sums> by(String key) {
        Map<String, Sums> rows = new TreeMap<>();
        for (Map<String, String> event : accesses) {
            String row = row(key, event);
            if (row != null) {
                rows.put(
                        row,
                        rows.getOrDefault(row, Sums.NONE)
                                .and(
                                        event.get("kind").equals("L"),
                                        Long.parseLong(event.get("size"))));
            }
        }
        return rows.values().stream().sorted().toList();
    }

    /** Null for what has no row. */
    private String row(String key, Map<String, String> event) {
        String block = event.get("block");
        String site = block.isEmpty() ? null : sites.getOrDefault(block, "unseen " + block);
        String code = event.get("module") + " " + event.get("function");
        return switch (key) {
            case "function" -> code;
            case "line" -> code + " " + event.get("file") + ":" + event.get("line");
            case "module" -> event.get("module");
            case "site" -> site;
            case "symbol" ->
                (site == null ? event.get("symbol") : site) + " in " + event.get("region");
            default -> throw new IllegalArgumentException(key);
        };
    }
}

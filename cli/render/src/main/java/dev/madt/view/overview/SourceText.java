package dev.madt.view.overview;

import dev.madt.view.toolkit.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Holds the text of source lines whose code accessed data, and of those near them, as far as the
 * files are where the compiler saw them.
 */
final class SourceText {
    /** Lines in front of one and behind it. */
    private static final int NEAR = 8;

    private static final long LONGEST_FILE = 8 << 20;
    private static final int LONGEST_LINE = 200;
    private static final int ROOM = 400_000;

    private final Map<String, TreeSet<Integer>> wanted = new LinkedHashMap<>();

    /** @param lines rows of lines, the most important first */
    SourceText(List<Row> lines) {
        for (Row line : lines) {
            int number = number(line);
            if (number > 0 && !line.source().isEmpty()) {
                TreeSet<Integer> numbers =
                        wanted.computeIfAbsent(line.source(), absent -> new TreeSet<>());
                for (int i = Math.max(1, number - NEAR); i <= number + NEAR; i++) {
                    numbers.add(i);
                }
            }
        }
    }

    private static int number(Row line) {
        String name = line.name();
        String digits = name.substring(name.lastIndexOf(':') + 1);
        return digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : 0;
    }

    /** Returns an object: for each path one that has the texts of lines by their numbers. */
    String json() {
        StringBuilder json = new StringBuilder("{");
        for (Map.Entry<String, TreeSet<Integer>> file : wanted.entrySet()) {
            String[] lines = read(file.getKey());
            if (lines.length > 0) {
                json.append(json.length() > 1 ? ",\n" : "\n");
                json.append(JsonText.quoted(file.getKey())).append(":{");
                add(json, lines, file.getValue());
                json.append('}');
            }
        }
        return json.append('}').toString();
    }

    private static void add(StringBuilder json, String[] lines, TreeSet<Integer> numbers) {
        String before = "";
        for (int number : numbers) {
            if (number > lines.length || json.length() > ROOM) {
                return;
            }
            String line = lines[number - 1].stripTrailing();
            json.append(before).append('"').append(number).append("\":");
            json.append(JsonText.quoted(
                    line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) + "…" : line));
            before = ",";
        }
    }

    private static String[] read(String name) {
        try {
            Path path = Path.of(name);
            return Files.isRegularFile(path) && Files.size(path) <= LONGEST_FILE
                    ? new String(Files.readAllBytes(path), StandardCharsets.UTF_8).split("\n", -1)
                    : new String[0];
        } catch (IOException | InvalidPathException | SecurityException e) {
            return new String[0];
        }
    }
}

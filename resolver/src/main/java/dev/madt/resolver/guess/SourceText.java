package dev.madt.resolver.guess;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Statements of source files, where the files are still there. A few files are kept. */
public final class SourceText {
    private static final int MOST_FILES = 64;
    private static final long LARGEST = 4 << 20;
    private static final int MOST_LINES = 4;
    private static final int MOST_CONTINUED = 39;

    private final Map<String, List<String>> files = new HashMap<>();

    /**
     * The lines of the statement around a line, joined, as far as its ends can be told; empty if
     * the file is gone.
     */
    public String statement(String file, int line) {
        List<String> lines = file == null ? List.of() : lines(file);
        if (line < 1 || line > lines.size()) {
            return "";
        }
        int first = line - 1;
        while (first > 0 && line - first < MOST_LINES && !ends(lines.get(first - 1))) {
            first--;
        }
        int last = line - 1;
        while (last + 1 < lines.size() && last - line < MOST_LINES && !ends(lines.get(last))) {
            last++;
        }
        StringBuilder text = new StringBuilder();
        for (String one : lines.subList(first, last + 1)) {
            text.append(withoutComment(one).strip()).append(' ');
        }
        return text.toString();
    }

    /**
     * The statement of Fortran around a line, its continued lines joined, without comments; empty
     * if the file is gone.
     */
    public String fortran(String file, int line) {
        List<String> lines = file == null ? List.of() : lines(file);
        if (line < 1 || line > lines.size()) {
            return "";
        }
        int first = line - 1;
        while (first > 0
                && line - first < MOST_CONTINUED
                && FortranLine.continues(lines, first - 1)) {
            first--;
        }
        StringBuilder text = new StringBuilder();
        for (int at = first; at < lines.size() && at - first < 2 * MOST_CONTINUED; at++) {
            text.append(FortranLine.text(lines.get(at))).append(' ');
            if (!FortranLine.continues(lines, at)) {
                break;
            }
        }
        return text.toString();
    }

    private static boolean ends(String line) {
        String text = withoutComment(line).strip();
        return text.isEmpty()
                || text.startsWith("#")
                || ";{}:".indexOf(text.charAt(text.length() - 1)) >= 0;
    }

    private static String withoutComment(String line) {
        int comment = line.indexOf("//");
        return (comment < 0 ? line : line.substring(0, comment)).replaceAll("/\\*.*?(\\*/|$)", " ");
    }

    private List<String> lines(String file) {
        List<String> known = files.get(file);
        if (known == null) {
            if (files.size() >= MOST_FILES) {
                files.clear();
            }
            known = read(file);
            files.put(file, known);
        }
        return known;
    }

    private static List<String> read(String file) {
        try {
            Path path = Path.of(file);
            boolean readable = Files.isRegularFile(path) && Files.size(path) <= LARGEST;
            return readable
                    ? new String(Files.readAllBytes(path), StandardCharsets.UTF_8)
                            .lines()
                            .toList()
                    : List.of();
        } catch (IOException | RuntimeException e) {
            return List.of(); // the source is not here, or not to be read: nothing can be guessed
        }
    }
}

package dev.madt.testprogs;

import dev.madt.cli.Main;
import dev.madt.console.Messages;
import dev.madt.console.ResultStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A command that only reads traces, run in the JVM of the tests as in a folder of its own: names of
 * files in it are made absolute, and are what the test called them in all that the command says.
 */
final class ReadingHere {
    private static final Set<String> READERS = Set.of(
            "cache",
            "check",
            "convert",
            "defects",
            "diff",
            "dump",
            "flame",
            "heatmap",
            "info",
            "locks",
            "points",
            "print",
            "races",
            "report",
            "reuse",
            "sharing",
            "sql",
            "timeline",
            "view");

    /** Without {@code -o} these choose a name of their own, in the current folder. */
    private static final Set<String> NAMING = Set.of("heatmap", "view");

    private final Path directory;
    private final String[] words;
    private final Map<String, String> names = new LinkedHashMap<>();

    ReadingHere(Path directory, List<String> words) {
        this.directory = directory.toAbsolutePath();
        this.words = new String[words.size()];
        for (int i = 0; i < this.words.length; i++) {
            this.words[i] = namesFile(words, i) ? absolute(words.get(i)) : words.get(i);
        }
    }

    /** Returns whether the command reads traces that it names, and nothing of its process. */
    static boolean fits(List<String> words) {
        return READERS.contains(words.get(0))
                && words.stream().skip(1).anyMatch(ReadingHere::isTrace)
                && !words.contains("--")
                && (!NAMING.contains(words.get(0)) || words.contains("-o"));
    }

    private static boolean isTrace(String word) {
        return word.contains(".madt") && !word.startsWith("-");
    }

    private static boolean namesFile(List<String> words, int index) {
        return isTrace(words.get(index))
                || words.get(index - (index == 0 ? 0 : 1)).equals("-o")
                        && !words.get(index).equals("-");
    }

    private String absolute(String word) {
        String name = directory.resolve(word).toString();
        if (!name.equals(word)) {
            names.put(name, word);
        }
        return name;
    }

    MadtRun run() {
        ByteArrayOutputStream results = new ByteArrayOutputStream();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int status = run(results, said);
        return new MadtRun(status, asNamed(results.toByteArray()), text(said));
    }

    /** Returns what both outputs show on one terminal. */
    String shown() {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        run(both, both);
        return new String(asNamed(both.toByteArray()), StandardCharsets.UTF_8);
    }

    private int run(OutputStream results, OutputStream said) {
        PrintStream errors = new PrintStream(said, true, StandardCharsets.UTF_8);
        ResultStream.redirect(results);
        try {
            return Main.run(words, new Messages(errors), errors);
        } finally {
            ResultStream.release();
        }
    }

    /** Every byte is a character of Latin-1, as in what a process has said. */
    private String text(ByteArrayOutputStream said) {
        return new String(asNamed(said.toByteArray()), StandardCharsets.ISO_8859_1);
    }

    private byte[] asNamed(byte[] bytes) {
        if (names.isEmpty()) {
            return bytes;
        }
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        for (Map.Entry<String, String> name : new ArrayList<>(names.entrySet())) {
            text = text.replace(latin(name.getKey()), latin(name.getValue()));
        }
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String latin(String name) {
        return new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}

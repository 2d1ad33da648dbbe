package dev.madt;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * The glossary of ARCHITECTURE.md and the identifiers of the product are of one mind: each word of
 * the glossary is a part of some identifier, and none has a word that the glossary says not to use.
 */
class GlossaryTest {
    private static final Path HOME = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Pattern COMMENTS_AND_TEXTS = Pattern.compile(
            "(?s)/\\*.*?\\*/|//[^\n]*|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*'");
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern HUMPS =
            Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+");

    /**
     * Identifiers, as their words, that have a word of the last column and name something else: a
     * program that runs, the command {@code run}, a {@link Runnable}.
     */
    private static final Set<String> OTHERS = Set.of(
            "run",
            "runs",
            "run command",
            "run failed",
            "run options",
            "run reports",
            "run summary",
            "run traces");

    /** A row: the word, and those that are not to be used for it. */
    private record Row(String word, List<String> not) {}

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        boolean inside = false;
        for (String line : Files.readAllLines(HOME.resolve("ARCHITECTURE.md"))) {
            inside = line.equals("## Words") || inside && !line.startsWith("## ");
            String[] cells = line.split("\\s*\\|\\s*", -1);
            if (inside
                    && cells.length == 5
                    && !cells[1].equals("word")
                    && !cells[1].isBlank()
                    && !cells[1].startsWith("---")) {
                for (String word : cells[1].replaceAll("\\(.*\\)", "").split(",")) {
                    rows.add(new Row(
                            word.strip(),
                            Stream.of(cells[3].split(","))
                                    .map(String::strip)
                                    .filter(not -> !not.isEmpty())
                                    .toList()));
                }
            }
        }
        return rows;
    }

    /** Returns the identifiers of some folders, each as its words in small letters. */
    private static Set<String> identifiers(String... folders) throws IOException {
        Set<String> all = new TreeSet<>();
        for (String folder : folders) {
            try (Stream<Path> files = Files.walk(HOME.resolve(folder))) {
                for (Path file : files.filter(GlossaryTest::isSource).toList()) {
                    String code = COMMENTS_AND_TEXTS
                            .matcher(Files.readString(file).replaceAll("(?s)\"\"\".*?\"\"\"", ""))
                            .replaceAll(" ");
                    IDENTIFIER
                            .matcher(code)
                            .results()
                            .forEach(found -> all.add(" "
                                    + HUMPS.matcher(found.group())
                                            .replaceAll(" ")
                                            .toLowerCase() + " "));
                }
            }
        }
        return all;
    }

    private static boolean isSource(Path file) {
        String name = HOME.relativize(file).toString();
        return name.matches(".*/src/main/java/.*\\.java|madt-native/.*\\.[ch]")
                && !name.matches("madt-native/(target|test|bench|.*/test)/.*");
    }

    @Test
    void shouldNameThingsAsTheGlossaryDoes() throws IOException {
        Set<String> identifiers = identifiers("tracker", "resolver", "cli", "madt-native");
        assertTrue(identifiers.size() > 5_000, "identifiers: " + identifiers.size());
        List<Row> rows = rows();
        assertTrue(rows.size() > 20, "rows: " + rows);
        List<Executable> checks = new ArrayList<>();
        for (Row row : rows) {
            checks.add(() -> assertTrue(
                    identifiers.stream().anyMatch(name -> has(name, row.word())),
                    "no identifier has the word " + row.word()));
            for (String not : row.not()) {
                checks.add(() -> assertEquals(
                        List.of(),
                        identifiers.stream()
                                .filter(name -> has(name, not) && !OTHERS.contains(name.strip()))
                                .toList(),
                        () -> "not " + not + " but " + row.word()));
            }
        }
        assertAll(checks);
    }

    /** Checks that where records are written and read, nothing is called a run. */
    @Test
    void shouldCallNoRecordARun() throws IOException {
        assertEquals(
                List.of(),
                identifiers("tracker", "madt-native").stream()
                        .filter(name -> has(name, "run"))
                        .toList());
    }

    private static boolean has(String identifier, String word) {
        String small = word.toLowerCase().replace('-', ' ');
        return identifier.contains(" " + small + " ") || identifier.contains(" " + small + "s ");
    }
}

package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documents fit a terminal, and the files that they name are there. */
class DocumentsIT {
    private static final int COLUMNS = 100;

    /** A file of the repository in backquotes; not a pattern, nor what a build makes. */
    private static final Pattern NAMED = Pattern.compile(
            "`((?:\\.ci|cli|dist|docs|madt-native|resolver|testprogs|tracker)/[^`\\s…*<>]+)`");

    private static List<Path> documents() throws IOException {
        try (Stream<Path> root = Files.list(MadtRun.root());
                Stream<Path> docs = Files.list(MadtRun.root().resolve("docs"))) {
            List<Path> found = Stream.concat(root, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
            assertTrue(found.size() > 8, found::toString);
            return found;
        }
    }

    /** Says what is wrong in the lines of a document, with the number of each. */
    private interface Finder {
        List<String> wrong(String line, boolean code);
    }

    private static List<String> find(Finder finder) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path document : documents()) {
            boolean code = false;
            int number = 0;
            for (String line : Files.readAllLines(document)) {
                number++;
                code ^= line.startsWith("```");
                for (String wrong : finder.wrong(line, code)) {
                    found.add(document.getFileName() + ":" + number + ": " + wrong);
                }
            }
        }
        return found;
    }

    /** Tables, code and addresses of pictures are as wide as they have to be. */
    private static List<String> wide(String line, boolean code) {
        boolean free = code || line.strip().startsWith("|") || line.startsWith("![");
        return free || line.codePointCount(0, line.length()) <= COLUMNS ? List.of() : List.of(line);
    }

    private static List<String> missing(String line) {
        Matcher named = NAMED.matcher(line);
        return named.results()
                .map(match -> match.group(1))
                .filter(name -> !(name + "/").contains("/target/")
                        && !name.contains("NAME")
                        && !Files.exists(MadtRun.root().resolve(name)))
                .toList();
    }

    @Test
    void shouldHaveLinesThatFit() throws IOException {
        assertEquals(List.of(), find(DocumentsIT::wide));
    }

    @Test
    void shouldNameFilesThatExist() throws IOException {
        assertEquals(List.of(), find((line, code) -> missing(line)));
        assertEquals(
                List.of("docs/NONE.md"),
                missing("see `docs/NONE.md`, `docs/FORMAT.md` and `cli/…/Main.java`"));
    }
}

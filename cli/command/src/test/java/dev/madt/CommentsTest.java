package dev.madt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks how comments of declarations begin: with a verb, such as "Returns whether". */
class CommentsTest {
    private static final Path HOME = Path.of("..", "..").toAbsolutePath().normalize();
    private static final String QUESTION =
            "(?:Whether|What|Where|Those|Who|Whose|How|Which|When)\\b";
    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*[\\s*]*+(\\S+[^\n]*)");

    /** Finds a comment at the left margin that a function follows, its name and parenthesis. */
    private static final Pattern FUNCTION =
            Pattern.compile("(?m)^/\\*[\\s*]*+(\\S+[^\n]*)(?:\n \\*[^\n]*)*+\n"
                    + "(?!#|typedef|enum \\w+ \\{|struct \\w+ \\{)[A-Za-z_][\\w *]*\\b\\w+\\(");

    private static List<Path> files(String... folders) throws IOException {
        List<Path> all = new ArrayList<>();
        for (String folder : folders) {
            try (Stream<Path> files = Files.walk(HOME.resolve(folder))) {
                all.addAll(files.filter(Files::isRegularFile)
                        .filter(file -> !file.toString().contains("/target/"))
                        .toList());
            }
        }
        return all;
    }

    /** Returns how many comments there are, and adds those that begin with a question. */
    private static int look(List<Path> files, String name, Pattern comment, List<String> questions)
            throws IOException {
        int count = 0;
        for (Path file : files) {
            if (!file.toString().matches(name)) {
                continue;
            }
            Matcher found = comment.matcher(Files.readString(file));
            while (found.find()) {
                count++;
                if (found.group(1).matches(QUESTION + ".*")) {
                    questions.add(HOME.relativize(file) + ": " + found.group(1));
                }
            }
        }
        return count;
    }

    @Test
    void shouldBeginWithAVerbInJava() throws IOException {
        List<String> questions = new ArrayList<>();
        int count = look(
                files("tracker", "resolver", "cli", "testprogs"),
                ".*/src/.*\\.java",
                JAVADOC,
                questions);
        assertEquals(List.of(), questions);
        assertTrue(count > 3_000, "comments: " + count);
    }

    @Test
    void shouldBeginWithAVerbAtFunctionsOfC() throws IOException {
        List<String> questions = new ArrayList<>();
        int count = look(files("madt-native"), ".*\\.[ch]", FUNCTION, questions);
        assertEquals(List.of(), questions);
        assertTrue(count > 800, "comments: " + count);
    }
}

package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recipe;
import dev.madt.testprogs.Transcript;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Follows the documents as a reader would: writes their programs, types their commands, and sees
 * whether it gets what they show.
 */
class RecipesIT {
    private static final String CALLS = "docs/CALLS.md";
    private static final String QUICKSTART = "docs/QUICKSTART.md";
    /** One madt, of whose words a shell makes nothing else. */
    private static final Pattern PLAIN = Pattern.compile("madt( ([\\w.,:/=+-]+|'[^']*'))+");

    private static final Pattern WORD = Pattern.compile("'([^']*)'|[^ ]+");
    private static final List<String> DOCUMENTS = List.of(
            "docs/RECIPES.md",
            QUICKSTART,
            "README.md",
            "docs/POINTS.md",
            "docs/LOCKS.md",
            "docs/CACHES.md",
            CALLS);
    private static final int LIMIT_SECONDS = 600;
    /** Questions that the document is to answer. */
    private static final int LEAST = 10;
    /** Commands of a recipe behind the one that records. */
    private static final int MOST_COMMANDS = 2;

    @TempDir
    Path directory;

    static Stream<Arguments> recipes() throws IOException {
        Stream.Builder<Arguments> all = Stream.builder();
        for (String document : DOCUMENTS) {
            Recipe.of(MadtRun.root().resolve(document))
                    .forEach(recipe -> all.add(Arguments.of(document, recipe)));
        }
        return all.build();
    }

    @Test
    void shouldAnswerTheQuestionsInTwoCommands() throws IOException {
        List<Recipe> recipes = Recipe.of(MadtRun.root().resolve(DOCUMENTS.get(0)));
        assertTrue(recipes.size() >= LEAST, recipes.toString());
        for (Recipe recipe : recipes) {
            long commands = recipe.steps().stream()
                    .map(Recipe.Step::command)
                    .filter(command ->
                            command.startsWith("madt ") && !command.startsWith("madt run "))
                    .count();
            assertTrue(
                    commands >= 1 && commands <= MOST_COMMANDS,
                    recipe + " has " + commands + " commands");
            assertTrue(recipe.files().size() >= 1, recipe + " has no program");
        }
    }

    /** No command of the page stands where it is not followed. */
    @Test
    void shouldFollowAllCommandsOfCalls() throws IOException {
        Path document = MadtRun.root().resolve(CALLS);
        long typed = Files.readAllLines(document).stream()
                .filter(line -> line.startsWith("$ "))
                .count();
        long followed = Recipe.of(document).stream()
                .mapToLong(recipe -> recipe.steps().size())
                .sum();
        assertTrue(typed >= LEAST);
        assertEquals(typed, followed);
    }

    @ParameterizedTest
    @MethodSource("recipes")
    void shouldPrintWhatTheDocumentShows(String document, Recipe recipe) throws Exception {
        for (List<Recipe.SourceFile> files : List.of(recipe.earlier(), recipe.files())) {
            for (Recipe.SourceFile file : files) {
                Files.writeString(directory.resolve(file.name()), file.text());
            }
        }
        for (Recipe.Step step : recipe.steps()) {
            List<String> printed = shown(step.command(), document).lines().toList();
            if (!Transcript.agrees(step.output(), printed)) {
                fail(document + ":" + step.at() + ": " + step.command() + " printed\n"
                        + String.join("\n", printed) + "\ninstead of\n"
                        + String.join("\n", step.output()) + "\n");
            }
        }
    }

    /**
     * Returns what a command line prints. One command of madt runs in a JVM that is there, but in
     * the soak profile and in the document that most begin with.
     */
    private String shown(String command, String document) throws Exception {
        boolean typed = Tier.SOAK
                || document.equals(QUICKSTART)
                || !PLAIN.matcher(command).matches();
        String shown = typed ? null : MadtRun.shown(directory, words(command), environment());
        return shown == null ? type(command) : shown.replace(directory.toString(), "/home/you");
    }

    /** Returns one with a command {@code madt} and nothing unusual. */
    private static Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>(System.getenv());
        environment.keySet().retainAll(List.of("JAVA_HOME", "TMPDIR", "XDG_CACHE_HOME"));
        environment.put("HOME", System.getProperty("user.home"));
        environment.put("PATH", MadtRun.root() + ":/usr/bin:/bin");
        return environment;
    }

    private static List<String> words(String command) {
        return WORD.matcher(command.substring("madt ".length()))
                .results()
                .map(word -> word.group(1) == null ? word.group() : word.group(1))
                .toList();
    }

    /** Returns what a command line prints, errors among it. */
    private String type(String command) throws Exception {
        Path printed = Files.createTempFile("recipe", ".txt");
        try {
            ProcessBuilder shell = new ProcessBuilder("/bin/bash", "-c", command)
                    .directory(directory.toFile())
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile());
            shell.environment().clear();
            shell.environment().putAll(environment());
            Process process = shell.start();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new IOException(command + " did not end within " + LIMIT_SECONDS + " s");
            }
            return new String(Files.readAllBytes(printed), StandardCharsets.UTF_8)
                    .replace(directory.toString(), "/home/you");
        } finally {
            Files.delete(printed);
        }
    }
}

package dev.madt.testprogs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A section of a document that can be followed: files, and commands with what they print. A fenced
 * block below a line that ends in a file's name and a colon is that file; in a block of the
 * language {@code console} a line behind {@code $} is a command, and what follows is its output.
 *
 * @param title the section's heading
 * @param earlier the files of all sections before it
 */
public record Recipe(
        String title, List<SourceFile> earlier, List<SourceFile> files, List<Step> steps) {
    private static final Pattern HEADING = Pattern.compile("## (.*)");
    private static final Pattern NAME = Pattern.compile(".*`([\\w.-]+)`:");
    private static final String FENCE = "```";

    /** A file that a reader of the document writes. */
    public record SourceFile(String name, String text) {}

    /**
     * A command and the lines that the document shows of its output.
     *
     * @param at number of the command's line in the document, from 1
     */
    public record Step(int at, String command, List<String> output) {}

    @Override
    public String toString() {
        return title;
    }

    /**
     * The sections of a document that have commands, and what stands in front of the first section
     * under the document's name.
     */
    public static List<Recipe> of(Path document) throws IOException {
        List<Recipe> recipes = new ArrayList<>();
        List<String> lines = Files.readAllLines(document);
        Recipe recipe = new Recipe(
                document.getFileName().toString(), List.of(), new ArrayList<>(), new ArrayList<>());
        recipes.add(recipe);
        String before = "";
        for (int i = 0; i < lines.size(); i++) {
            Matcher heading = HEADING.matcher(lines.get(i));
            if (heading.matches()) {
                recipe = recipe.next(heading.group(1));
                recipes.add(recipe);
            } else if (lines.get(i).startsWith(FENCE)) {
                int end = i + 1;
                while (!lines.get(end).equals(FENCE)) {
                    end++;
                }
                recipe.block(
                        lines.get(i).substring(FENCE.length()),
                        before,
                        lines.subList(i + 1, end),
                        i + 2);
                i = end;
            }
            before = lines.get(i).isBlank() ? before : lines.get(i);
        }
        recipes.removeIf(each -> each.steps.isEmpty());
        return recipes;
    }

    /** The section behind this one, without what stands in it. */
    private Recipe next(String heading) {
        List<SourceFile> all = new ArrayList<>(earlier);
        all.addAll(files);
        return new Recipe(heading, all, new ArrayList<>(), new ArrayList<>());
    }

    private void block(String language, String before, List<String> lines, int at) {
        Matcher name = NAME.matcher(before);
        if (language.equals("console")) {
            console(lines, at);
        } else if (name.matches()) {
            files.add(new SourceFile(name.group(1), String.join("\n", lines) + "\n"));
        }
    }

    private void console(List<String> lines, int at) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("$ ")) {
                steps.add(new Step(at + i, lines.get(i).substring(2), new ArrayList<>()));
            } else {
                steps.get(steps.size() - 1).output.add(lines.get(i));
            }
        }
    }
}

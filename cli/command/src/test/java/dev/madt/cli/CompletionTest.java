package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.console.Messages;
import dev.madt.manual.Command;
import dev.madt.manual.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CompletionTest {
    @TempDir
    Path folder;

    private static Stream<Command> commands() {
        return Main.COMMANDS.stream();
    }

    private Path completion(Shell shell) throws IOException {
        return Files.writeString(
                folder.resolve("madt." + shell.word()), shell.completion(Main.COMMANDS));
    }

    /** Returns what a shell prints for a script, in the folder of the test. */
    private String shell(String... command) throws Exception {
        MadtProcess.Outcome outcome =
                MadtProcess.finish(new ProcessBuilder(command).directory(folder.toFile()));
        assertEquals(0, outcome.status(), outcome.err());
        return outcome.out();
    }

    private static void assumeThere(Shell shell) {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of("/usr/bin", shell.word())), "no " + shell.word());
    }

    @ParameterizedTest
    @EnumSource(Shell.class)
    void shouldKnowEveryCommandAndOption(Shell shell) throws Exception {
        List<String> lines = shell.completion(Main.COMMANDS).lines().toList();
        for (Command command : Main.COMMANDS) {
            String text =
                    switch (shell) {
                        case BASH ->
                            lines.stream()
                                    .filter(line ->
                                            line.startsWith("\t" + command.name() + ") words="))
                                    .findFirst()
                                    .orElseThrow()
                                    .replaceAll("[' ]", "  ");
                        case ZSH ->
                            lines.stream()
                                    .dropWhile(line -> !line.equals("\t" + command.name() + ")"))
                                    .takeWhile(line -> !line.equals("\t\t;;"))
                                    .collect(Collectors.joining("\n"))
                                    .replaceAll("'\\*'(-[^'=+]*)[=+]?'", " $1 ");
                        case FISH ->
                            lines.stream()
                                    .filter(line ->
                                            line.startsWith("complete -c madt -n '__madt_options "
                                                    + command.name() + "'"))
                                    .map(line -> line.replaceFirst(" -[so] (\\S+)", " -$1 ")
                                            .replaceFirst(" -l (\\S+)", " --$1 "))
                                    .collect(Collectors.joining("\n"));
                    };
            for (Shell.CompletedOption option : Shell.CompletedOption.of(command)) {
                option.spellings()
                        .forEach(form -> assertTrue(
                                text.contains(" " + form + " "),
                                command.name() + " " + form + "\n" + text));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Shell.class)
    void shouldLeaveNoPlaceholderAndNoErrorOfSyntax(Shell shell) throws Exception {
        Path file = completion(shell);
        assertEquals(
                List.of(),
                Files.readString(file)
                        .lines()
                        .filter(line -> line.matches(".*@[A-Z]+@.*"))
                        .toList());
        assumeThere(shell);
        assertEquals("", shell(shell.word(), "-n", file.toString()));
    }

    /** The message that refuses another word lists those that are offered, and no more. */
    @ParameterizedTest
    @MethodSource("commands")
    void shouldOfferTheWordsThatTheCommandTakes(Command command) {
        for (Map.Entry<String, List<String>> option : command.words().entrySet()) {
            boolean reads = command.name().equals("flame"); // a trace's places are words, too
            List<String> arguments = new ArrayList<>(List.of(
                    command.name(),
                    "--" + option.getKey(),
                    "no-such-word",
                    reads ? "../../docs/example.madt" : "nothing.madt"));
            boolean records = command.name().equals("run") || command.name().equals("trace");
            if (records && option.getKey().equals("format")) {
                arguments.addAll(1, List.of("--report", "symbol")); // which it belongs to
            }
            if (command.name().equals("convert") && !option.getKey().equals("to")) {
                arguments.addAll(1, List.of("--to", "csv")); // which comes first
            }
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            PrintStream errors = new PrintStream(said, true, StandardCharsets.UTF_8);
            assertEquals(
                    command.usageStatus(),
                    Main.run(arguments.toArray(String[]::new), new Messages(errors), errors));
            String message = said.toString(StandardCharsets.UTF_8)
                    .replaceFirst(", not 'no-such-word'.*", "")
                    .replaceFirst(", or a place with a stack in .*", "")
                    .replaceFirst("(?s)^.*\n(?=madt: )", "") // what it says of the trace
                    .replaceFirst(".* is (a list of )?", "")
                    .replaceAll("(?<=:)[A-Z]+", "") // what a user puts there
                    .replaceFirst(" and letters of .*", "");
            assertEquals(
                    new TreeSet<>(option.getValue()),
                    new TreeSet<>(Arrays.asList(message.trim().split(", | or "))),
                    command.name() + " " + option);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "madt rep | report",
                "madt run --engine s | splice",
                "madt run --engine = s | splice",
                "madt run -q --no-f | --no-follow",
                "madt report --by = pag | page",
                "madt report --format j | json",
                "madt bench pip | pipeline",
                "madt help --completion z | zsh",
                "madt help --man conv | convert",
                "madt help --c | --completion",
                "madt info n | name.madt",
                "madt info --all f | folder",
                "madt run -o trace chgr | chgrp",
                "madt run -q -- chgr | chgrp",
            })
    void shouldCompleteInBash(String typed, String completed) throws Exception {
        Files.createFile(folder.resolve("name.madt"));
        Files.createFile(folder.resolve("name.txt"));
        Files.createDirectory(folder.resolve("folder"));
        String[] words = typed.split(" ");
        String script = ". " + completion(Shell.BASH) + "; compopt() { :; }; COMP_WORDS=(" + typed
                + "); COMP_CWORD=" + (words.length - 1) + "; _madt madt " + words[words.length - 1]
                + "; printf '%s\\n' \"${COMPREPLY[@]}\" | sort -u";
        assertEquals(completed, shell("bash", "-c", script).trim());
    }

    /** Checks that what belongs to the program is not madt's. */
    @Test
    void shouldLeaveTheOptionsOfTheProgramToIt() throws Exception {
        String script = ". "
                + completion(Shell.BASH)
                + "; compopt() { echo left to \"$@\"; }; COMP_WORDS=(madt run -q ls --st);"
                + " COMP_CWORD=4; _madt madt --st; echo \"${COMPREPLY[*]}\"";
        assertEquals("left to -o default", shell("bash", "-c", script).trim());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "madt rep | report",
                "madt run --engine s | splice",
                "madt run --engine=s | --engine=splice",
                "madt run -q --no-f | --no-follow",
                "madt bench pip | pipeline",
                "madt help --completion z | zsh",
                "madt info n | name.madt",
                "madt run -q -- chgr | chgrp",
                "madt run -o n chgr | chgrp",
            })
    void shouldCompleteInFish(String typed, String completed) throws Exception {
        assumeThere(Shell.FISH);
        Files.createFile(folder.resolve("name.madt"));
        Files.createFile(folder.resolve("name.txt"));
        String found = shell(
                "fish",
                "--no-config",
                "-c",
                "source " + completion(Shell.FISH) + "; complete -C '" + typed + "'");
        assertEquals(
                List.of(completed),
                found.lines().map(line -> line.split("\t")[0]).toList());
    }
}

package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.console.Operands;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.manual.Manual;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ManualTest {
    private static final int WIDTH = 80;
    private static final int OVERVIEW_LINES = 44;
    private static final int COMMAND_LINES = 63;

    private static void assertFits(String text, int lines) {
        assertTrue(text.lines().count() <= lines, () -> text.lines().count() + " lines:\n" + text);
        text.lines()
                .forEach(line -> assertTrue(
                        line.length() <= WIDTH, () -> line.length() + " columns: " + line));
    }

    static Stream<String> commands() {
        return Main.COMMANDS.stream().map(Command::name);
    }

    private static Command command(String name) {
        return Main.COMMANDS.stream()
                .filter(command -> command.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldFitATerminal() {
        String overview = Manual.overview(Main.COMMANDS);
        assertFits(overview, OVERVIEW_LINES);
        commands().forEach(name -> assertTrue(overview.contains("\n  " + name + " "), name));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldFitATerminalWithACommand(String name) {
        assertFits(Manual.of(command(name)), COMMAND_LINES);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldTellOfEachOptionOnce(String name) {
        Command command = command(name);
        List<String> lines = Manual.of(command).lines().toList();
        for (Option option : Manual.options(command).getOptions()) {
            if (option.hasLongOpt()) {
                String start = "  (-., )?--" + option.getLongOpt() + "( .*)?";
                assertEquals(
                        1,
                        lines.stream().filter(line -> line.matches(start)).count(),
                        option.getLongOpt());
            }
        }
        for (HelpSection section : command.sections()) {
            section.options()
                    .forEach(option -> assertNotNull(
                            Manual.options(command).getOption(option),
                            section.title() + ": " + option));
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldGiveExamplesThatCanBeTyped(String name) throws Exception {
        Command command = command(name);
        assertFalse(command.examples().isEmpty());
        for (String example : command.examples()) {
            List<String> words = Arrays.asList(example.split(" "));
            assertEquals(List.of("madt", name), words.subList(0, 2));
            CommandLine line =
                    Main.parse(command, words.subList(2, words.size()).toArray(String[]::new));
            assertEquals(command.operands() == Operands.NONE, line.getArgList().isEmpty(), example);
        }
    }
}

package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.manual.Command;
import dev.madt.manual.CommandPage;
import dev.madt.manual.Manual;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.cli.Option;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CommandPageTest {
    private static Stream<Command> commands() {
        return Main.COMMANDS.stream();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldTellOfEveryOptionOnce(Command command) {
        List<String> lines = CommandPage.of(command)
                .lines()
                .filter(line -> line.startsWith("\\fB"))
                .toList();
        for (Option option : Manual.options(command).getOptions()) {
            if (option.hasLongOpt()) {
                String name = "\\-\\-" + option.getLongOpt().replace("-", "\\-") + "\\fR";
                assertEquals(
                        1, lines.stream().filter(line -> line.contains(name)).count(), name);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldHaveTheSectionsOfAManualPage(Command command) {
        String page = CommandPage.of(command);
        for (String section : List.of(
                "NAME",
                "SYNOPSIS",
                "DESCRIPTION",
                "OPTIONS",
                "\"EXIT STATUS\"",
                "EXAMPLES",
                "\"SEE ALSO\"")) {
            assertTrue(page.contains("\n.SH " + section + "\n"), section);
        }
        assertTrue(
                page.contains("\nmadt\\-" + command.name() + " \\- "),
                "what whatis(1) finds it by");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldHoldNoTextThatRoffTakesForARequest(Command command) {
        List<String> known =
                List.of(".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".BR", ".I", ".nf", ".fi");
        CommandPage.of(command)
                .lines()
                .filter(line -> line.startsWith(".") || line.startsWith("'"))
                .forEach(line -> assertTrue(known.contains(line.split(" ")[0]), line));
    }
}

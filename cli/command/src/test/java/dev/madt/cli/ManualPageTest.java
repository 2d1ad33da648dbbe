package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.manual.Command;
import dev.madt.manual.Manual;
import dev.madt.manual.ManualPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.Option;
import org.junit.jupiter.api.Test;

class ManualPageTest {
    private static final Path DOCS =
            Path.of(System.getProperty("basedir", "."), "..", "..", "docs").normalize();

    /** The commands and options of a manual page, in their order. */
    private static List<String> options(String page) {
        return page.lines()
                .filter(line -> line.startsWith(".SS ") || line.startsWith("\\fB"))
                .toList();
    }

    /** The remedy when this fails: {@code ./madt help --man > docs/madt.1}. */
    @Test
    void shouldHaveTheOptionsOfTheManualInTheDocuments() throws Exception {
        assertEquals(
                options(Files.readString(DOCS.resolve("madt.1"))),
                options(ManualPage.of(Main.COMMANDS)),
                "./madt help --man > docs/madt.1 renews it");
    }

    @Test
    void shouldTellOfEveryOptionOfEveryCommand() throws Exception {
        String page = ManualPage.of(Main.COMMANDS);
        for (Command command : Main.COMMANDS) {
            int start = page.indexOf(".SS madt " + command.name());
            assertTrue(start > 0, command.name());
            int end = page.indexOf("\n.S", start);
            String section = page.substring(start, end);
            for (Option option : Manual.options(command).getOptions()) {
                String name = option.hasLongOpt()
                        ? "\\-\\-" + option.getLongOpt().replace("-", "\\-")
                        : "\\-" + option.getOpt();
                assertTrue(section.contains(name), command.name() + " " + name);
                assertTrue(option.getDescription().length() > 3, command.name() + " " + name);
            }
        }
    }

    /** Each line of text is no request of roff: those that begin with a period are known ones. */
    @Test
    void shouldHoldNoTextThatRoffTakesForARequest() throws Exception {
        List<String> known =
                List.of(".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".BR", ".I", ".RI", ".RB", ".br");
        ManualPage.of(Main.COMMANDS)
                .lines()
                .filter(line -> line.startsWith(".") || line.startsWith("'"))
                .forEach(line -> assertTrue(known.contains(line.split(" ")[0]), line));
        assertFalse(
                ManualPage.of(Main.COMMANDS).matches("(?s).*@[A-Z]+@.*"), "a placeholder is left");
    }
}

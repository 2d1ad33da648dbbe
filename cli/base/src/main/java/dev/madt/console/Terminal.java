package dev.madt.console;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/**
 * Says whether a stream is a terminal, told by what its descriptor leads to; and whether text is to
 * be coloured.
 */
public final class Terminal {
    public static final List<String> WHEN = List.of("auto", "always", "never");

    /** Characters in a line of what does not go to a terminal. */
    public static final int USUAL_WIDTH = 120;

    /** Tables in less are of no use. */
    private static final int LEAST = 30;

    private Terminal() {}

    public static boolean standardInput() {
        return isTerminal(0);
    }

    public static boolean standardOutput() {
        return isTerminal(1);
    }

    public static boolean standardError() {
        return isTerminal(2);
    }

    private static boolean isTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/")
                    || target.startsWith("/dev/tty")
                    || target.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }

    public static Options addTo(Options options) {
        return options.addOption(Option.builder()
                .longOpt("color")
                .hasArg()
                .argName("WHEN")
                .desc("auto (default: on a terminal, unless NO_COLOR is set), always or never")
                .get());
    }

    /** Characters in a line of standard output: COLUMNS, or what the terminal has, or 120. */
    public static int width() {
        int told = width(System.getenv("COLUMNS"));
        return told > 0 ? told : standardOutput() ? ofTerminal() : USUAL_WIDTH;
    }

    private static int width(String text) {
        try {
            int width = text == null ? 0 : Integer.parseInt(text.strip());
            return width <= 0 ? 0 : Math.max(LEAST, width);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /**
     * Returns whether standard output may have characters such as {@code ▌}: not where the locale
     * is not of UTF-8. Where none is set, files and pipes have them, as names do.
     */
    public static boolean hasBlocks() {
        return hasBlocks(System.getenv(), standardOutput());
    }

    static boolean hasBlocks(Map<String, String> environment, boolean terminal) {
        return isUnicode(environment) || !terminal && locale(environment).isEmpty();
    }

    static boolean isUnicode(Map<String, String> environment) {
        return locale(environment).toLowerCase(Locale.ROOT).replace("-", "").contains("utf8");
    }

    /** Returns the locale of characters; empty if none is set. */
    private static String locale(Map<String, String> environment) {
        return Stream.of("LC_ALL", "LC_CTYPE", "LANG")
                .map(name -> environment.getOrDefault(name, ""))
                .filter(locale -> !locale.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** Returns what stty says of the terminal: its rows and columns. */
    private static int ofTerminal() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/proc/self/fd/1"))
                    .redirectError(Redirect.DISCARD)
                    .start();
            String[] size = new String(
                            stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .strip()
                    .split(" ");
            int width = size.length == 2 ? width(size[1]) : 0;
            return width > 0 ? width : USUAL_WIDTH;
        } catch (IOException e) {
            return USUAL_WIDTH;
        }
    }

    /** Returns whether standard output gets colours. */
    public static boolean coloured(CommandLine line) throws Failure {
        String when = Choice.of(line, "color", WHEN, "auto");
        String no = System.getenv("NO_COLOR");
        return when.equals("always")
                || when.equals("auto") && (no == null || no.isEmpty()) && standardOutput();
    }
}

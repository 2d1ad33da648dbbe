package dev.madt.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** Whether a stream is a terminal, told by what its descriptor leads to; and whether text is to be coloured. */
public final class Terminal {
    public static final List<String> WHEN = List.of("auto", "always", "never");

    private Terminal() {}

    static boolean standardOutput() {
        return isTerminal(1);
    }

    public static boolean standardError() {
        return isTerminal(2);
    }

    private static boolean isTerminal(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }

    public static Options addTo(Options options) {
        return options.addOption(Option.builder().longOpt("color").hasArg().argName("WHEN")
                .desc("auto (default: on a terminal, unless NO_COLOR is set), always or never").get());
    }

    /** Whether standard output gets colours. */
    public static boolean coloured(CommandLine line) throws Failure {
        String when = Choice.of(line, "color", WHEN, "auto");
        String no = System.getenv("NO_COLOR");
        return when.equals("always") || when.equals("auto") && (no == null || no.isEmpty()) && standardOutput();
    }
}

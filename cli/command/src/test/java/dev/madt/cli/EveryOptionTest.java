package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.bench.SyntheticTrace;
import dev.madt.console.Failure;
import dev.madt.manual.Command;
import dev.madt.options.RunOptions;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.cli.Option;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each option of each command, by itself: it is done, or refused in words. */
class EveryOptionTest {
    /** Commands that do not read a trace, or do not end. */
    private static final Set<String> OTHERS =
            Set.of("bench", "cfg", "ctl", "doctor", "events", "functions", "top");

    /** Values of options that have no fixed words, by what the help calls them. */
    private static final Map<String, List<String>> VALUES = Map.ofEntries(
            Map.entry("A,B,C", List.of("loads,stores")),
            Map.entry("ADDRESS", List.of("0x404000")),
            Map.entry("BYTES", List.of("64")),
            Map.entry("CALL", List.of("main+5", "*")),
            Map.entry("COLUMN", List.of("loads")),
            Map.entry("DIR", List.of("/usr")),
            Map.entry("EXPR", List.of("arg0 > 1")),
            Map.entry("FILE", List.of("/dev/null")),
            Map.entry("FORM|NAME", List.of("python", "get(1)=ret,put(0)")),
            Map.entry("FUNC", List.of("work")),
            Map.entry("GET=FREE[:N]", List.of("get=put:0")),
            Map.entry("GLOB", List.of("*")),
            Map.entry("HOW", List.of("line")),
            Map.entry("KINDS", List.of("accesses")),
            Map.entry("LIST", List.of("1K,2K", "loads")),
            Map.entry("N", List.of("0", "2")),
            Map.entry("NAME", List.of("splice", "table")),
            Map.entry("PERCENT", List.of("1")),
            Map.entry("PID", List.of("1")),
            Map.entry("RATE", List.of("100/s")),
            Map.entry("SIZE", List.of("1M")),
            Map.entry("SIZE,WAYS,LINE", List.of("32K,8,64")),
            Map.entry("SIZE|TIME", List.of("1M", "1s")),
            Map.entry("TID", List.of("4242")),
            Map.entry("TIME", List.of("10ms")),
            Map.entry("TRACE", List.of("t.madt")),
            Map.entry("WHEN", List.of("1s")),
            Map.entry("URL", List.of("local[*]")),
            Map.entry("WHAT", List.of("calls")));

    @TempDir
    static Path directory;

    private static Path trace;

    @BeforeAll
    static void makeTrace() throws Exception {
        trace = directory.resolve("t.madt");
        SyntheticTrace.write(trace, 1_013);
    }

    static Stream<String> commands() {
        return Main.COMMANDS.stream().map(Command::name).filter(name -> !OTHERS.contains(name));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldNotFailWithin(String name) throws Exception {
        Command command = Main.COMMANDS.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        for (Option option : command.options().getOptions()) {
            for (List<String> values : values(command, option)) {
                List<String> words = new ArrayList<>(List.of(
                        option.getLongOpt() == null
                                ? "-" + option.getOpt()
                                : "--" + option.getLongOpt()));
                words.addAll(values);
                if (name.equals("run") || name.equals("trace")) {
                    read(command, words);
                } else {
                    execute(command, words, option.getOpt());
                }
            }
        }
    }

    private static List<List<String>> values(Command command, Option option) {
        if (option.getArgs() > 1) {
            return List.of(List.of("main", "count"));
        }
        if (!option.hasArg()) {
            return List.of(List.of());
        }
        List<String> fixed = command.words().get(option.getLongOpt());
        List<String> values = fixed == null ? VALUES.get(option.getArgName()) : fixed;
        List<List<String>> all = new ArrayList<>();
        if (option.hasOptionalArg() || option.getArgName().startsWith("[")) {
            all.add(List.of());
        } else {
            assertNotNull(values, () -> "no value of " + option.getArgName() + " in this test");
        }
        if (values != null) {
            values.forEach(value -> all.add(List.of(value)));
        }
        return all;
    }

    private static void read(Command command, List<String> words) throws Exception {
        words.add("ls");
        try {
            assertNotNull(RunOptions.of(Main.parse(command, words.toArray(String[]::new))));
        } catch (Failure e) {
            assertFalse(e.getMessage().isEmpty(), words.toString());
        }
    }

    private static void execute(Command command, List<String> words, String option) {
        words.add(0, command.name());
        words.add(trace.toString());
        if (command.options().hasOption("o") && !"o".equals(option)) {
            words.addAll(1, List.of("-o", directory.resolve("out").toString()));
            if (!"f".equals(option)) {
                words.add(1, "-f");
            }
        }
        if (command.name().equals("sql") && !words.contains("--query")) {
            words.add("select 1");
        } else if (command.name().equals("diff")) {
            words.add(trace.toString());
        }
        PrintStream out = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        try {
            assertSaid(MadtProcess.here(words.toArray(String[]::new)), words);
        } finally {
            System.setOut(out);
        }
    }

    private static void assertSaid(MadtProcess.Outcome outcome, List<String> words) {
        assertFalse(outcome.err().contains("internal error"), words + ": " + outcome.err());
        assertTrue(
                Set.of(0, 1, 2).contains(outcome.status())
                        && (outcome.status() == 0 || outcome.err().startsWith("madt: ")),
                words + ": " + outcome.status() + ", " + outcome.err());
    }
}

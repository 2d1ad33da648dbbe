package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arguments and results of calls, against what the functions print of themselves. */
class ArgumentsIT {
    private static final Pattern LOGGED = Pattern.compile("([BX]) ([^(=]+(?:=(?==))?).*");
    private static final Pattern ENTERED = Pattern.compile("B\\$\\d+:(.*?\\)),[^)]*");
    private static final Pattern LEFT = Pattern.compile("X\\$\\d+:([^,]*).*");
    private static final Pattern BLOCK = Pattern.compile("<malloc\\d+@main\\+\\d+>");
    /** Holds what a compiler adds to the parameters of a constructor. */
    private static final Pattern ADDED = Pattern.compile(", (?:__vtt_parm|vtt)=[^,]*");

    private static final Pattern TEXT = Pattern.compile("called=0x[0-9a-f]+");

    @TempDir
    Path directory;

    private Path trace;

    private List<String> traced(String source, String options, String... build) throws Exception {
        Path program = directory.resolve("args");
        trace = directory.resolve("args.madt");
        List<String> command = new ArrayList<>(List.of(build));
        command.addAll(List.of("-o", program.toString()));
        command.add(MadtRun.root().resolve("testprogs/calls").resolve(source).toString());
        MadtRun.command(directory, command).expect(0);
        List<String> madt = new ArrayList<>(List.of("trace", "-qf", "-o", trace.toString()));
        madt.addAll(List.of(options.split(" ")));
        madt.addAll(List.of("--", program.toString()));
        List<String> printed = lines(madt.toArray(String[]::new));
        MadtRun.madt(directory, "check", trace.toString()).expect(0);
        return printed;
    }

    private List<String> lines(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text().lines().toList();
    }

    /** The calls of a trace as the programs print them. */
    private List<String> found(Set<String> functions) throws Exception {
        List<String> found = new ArrayList<>();
        for (String line : lines("print", "--demangle", trace.toString())) {
            Matcher entered = ENTERED.matcher(line);
            Matcher left = LEFT.matcher(line);
            String call = entered.matches()
                    ? "B " + entered.group(1)
                    : left.matches() ? "X " + left.group(1) : "";
            call = ADDED.matcher(call).replaceFirst("");
            call = BLOCK.matcher(TEXT.matcher(call).replaceFirst("called=CALLED"))
                    .replaceAll("<block>");
            if (functions.contains(function(call))) {
                found.add(call);
            }
        }
        return found;
    }

    private static String function(String call) {
        Matcher logged = LOGGED.matcher(call);
        return logged.matches() ? logged.group(2) : "";
    }

    @ParameterizedTest
    @CsvSource({
        "args.c, gcc, -O3 -DTAIL -gdwarf-4, tsc",
        "args.c, clang, -O1, none",
        "args.cpp, g++, -O2, tsc",
    })
    @SoakCases({
        "args.c, gcc, -O0, tsc",
        "args.c, gcc, -O2 -DTAIL, none",
        "args.cpp, g++, -O0, none",
        "args.c, clang, -O1, tsc",
        "args.cpp, clang++, -O2, none"
    })
    void shouldRecordWhatFunctionsSay(String source, String compiler, String flags, String time)
            throws Exception {
        List<String> build = new ArrayList<>(List.of(compiler, "-g"));
        build.addAll(List.of(flags.split(" ")));
        List<String> said = traced(
                source,
                "--args args:* --calls args:* --time " + time,
                build.toArray(String[]::new));
        Set<String> functions = new TreeSet<>();
        said.forEach(line -> functions.add(function(line)));
        assertTrue(functions.size() > 6, functions.toString());
        assertEquals(String.join("\n", said), String.join("\n", found(functions)));
        assertEquals(
                lines("print", "--raw", trace.toString()),
                MadtRun.command(
                                directory,
                                List.of(
                                        "python3",
                                        MadtRun.root().resolve("docs/reader.py").toString(),
                                        trace.toString()))
                        .expect(0)
                        .text()
                        .lines()
                        .toList());
    }

    /**
     * Checks that where a compiler may pass arguments of a static function in its own way, none is
     * wrong.
     */
    @ParameterizedTest
    @CsvSource("gcc")
    @SoakCases("clang")
    void shouldTellNothingWrongOfStaticFunctions(String compiler) throws Exception {
        List<String> said = traced(
                "args.c",
                "--args args:* --calls args:*",
                compiler,
                "-g",
                "-O2",
                "-DTAIL",
                "-DOWN=static");
        Set<String> functions = new TreeSet<>();
        said.forEach(line -> functions.add(function(line)));
        List<String> found = found(functions);
        List<String> entered = entered(said);
        assertEquals(entered.size(), entered(found).size(), found.toString());
        int values = 0;
        for (int i = 0; i < entered.size(); i++) {
            String one = entered(found).get(i);
            String pattern = Pattern.quote(one).replace("?", "\\E.*\\Q");
            assertTrue(entered.get(i).matches(pattern), entered.get(i) + " " + one);
            values += one.split("=[^?]", -1).length - 1;
        }
        assertTrue(values > 10, values + " values in " + found);
        for (String left : found) {
            boolean known = left.startsWith("X") && !left.endsWith("=?");
            assertTrue(!known || said.contains(left), left);
        }
    }

    private static List<String> entered(List<String> calls) {
        return calls.stream().filter(call -> call.startsWith("B")).toList();
    }

    /**
     * Checks that what has no debug information has registers, and what is not named has neither.
     */
    @Test
    void shouldShowRegistersWithoutDebugInformation() throws Exception {
        traced("args.c", "--args land --args narrow --calls args:*", "gcc", "-O1");
        List<String> found = lines("print", trace.toString());
        assertTrue(
                found.stream().anyMatch(line -> line.matches("B\\$\\d+:land\\(rdi=0x7, rsi=0x.*")),
                found.toString());
        assertTrue(
                found.stream()
                        .anyMatch(line -> line.matches("B\\$\\d+:narrow\\(rdi=0x[0-9a-f]*ff(|ffff),"
                                + " rsi=0x[0-9a-f]*ff, .*, r9=0x[0-9a-f]*ee6b2800\\),main,.*")),
                found.toString());
        assertTrue(
                found.stream().anyMatch(line -> line.matches("X\\$\\d+:land=0xfffffff9,.*")),
                found.toString());
        assertTrue(
                found.stream().anyMatch(line -> line.matches("B\\$\\d+:hop,main,.*")),
                found.toString());
        assertTrue(
                found.stream().anyMatch(line -> line.matches("X\\$\\d+:hop,.*")), found.toString());
    }
}

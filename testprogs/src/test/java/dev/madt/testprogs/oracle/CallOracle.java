package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The oracle of calls: a program is built twice, plain and with {@code -finstrument-functions},
 * which logs. The calls of its own functions that MadT finds in the plain one are those of the log,
 * element by element.
 *
 * <p>Both builds have the same calls: nothing is inlined, becomes a jump, or is left out because
 * the compiler found out that it has no effect (which the calls of the log have).
 */
final class CallOracle {
    private static final List<String> SAME_CALLS = List.of(
            "-w",
            "-I/usr/include/csmith",
            "-fno-inline",
            "-fno-optimize-sibling-calls",
            "-fno-ipa-pure-const",
            "-fno-ipa-modref",
            "-fno-ipa-cp",
            "-fno-ipa-sra",
            "-fno-ipa-icf",
            "-fno-partial-inlining");

    private static final Pattern LINE = Pattern.compile(" *([BX])\\$\\d+:([^,?]+)(,.*)?\\??");
    private static final Pattern UNNAMED = Pattern.compile("func@0x([0-9a-f]+)");

    private final Path directory;
    private final List<String> build;
    /** Of the program by itself. */
    private int status;

    /** @param build compiler and options */
    CallOracle(Path directory, List<String> build) {
        this.directory = directory;
        this.build = build;
    }

    /** Compares the calls of one program; returns how many there are, all equal. */
    int agree(Path source) throws Exception {
        List<String> theirs = logged(source);
        Path plain = compile(source, "plain", List.of());
        Set<String> own = new HashSet<>(functions(directory.resolve("plain.o")).values());
        Map<Long, String> names = functions(plain);
        List<String> ours = new ArrayList<>();
        for (boolean stripped : new boolean[] {false, true}) {
            if (stripped) {
                command("strip", plain.toString());
            }
            ours = traced(plain, own, names);
            assertEquals("", difference(ours, theirs), source + (stripped ? ", stripped" : ""));
        }
        return ours.size();
    }

    /** Calls as the program itself logs them. */
    private List<String> logged(Path source) throws Exception {
        Path program = compile(source, "logged", List.of("-finstrument-functions"));
        Map<Long, String> names = functions(program);
        Path log = directory.resolve("calls.log");
        List<String> command = List.of("env", "CALL_LOG=" + log, program.toString());
        status = MadtRun.command(directory, command).status();
        List<String> calls = new ArrayList<>();
        for (String line : Files.readAllLines(log)) {
            String name = names.get(Long.parseLong(line.substring(2), 16));
            calls.add(line.charAt(0) + " " + name);
        }
        return calls;
    }

    /** Calls of the program's own functions as MadT finds them. */
    private List<String> traced(Path program, Set<String> own, Map<Long, String> names)
            throws Exception {
        Path trace = directory.resolve("plain.madt");
        MadtRun.madt(
                        directory,
                        "trace",
                        "-q",
                        "-f",
                        "-o",
                        trace.toString(),
                        "--",
                        program.toString())
                .expect(status);
        List<String> calls = new ArrayList<>();
        MadtRun.madt(directory, "print", trace.toString())
                .expect(0)
                .text()
                .lines()
                .forEach(line -> {
                    Matcher call = LINE.matcher(line);
                    if (call.matches()) {
                        String name = named(call.group(2), names);
                        if (own.contains(name)) {
                            calls.add(call.group(1) + " " + name);
                        }
                    }
                });
        return calls;
    }

    /**
     * A function that only the unwind table lists, by its name before the symbols were stripped.
     */
    private static String named(String function, Map<Long, String> names) {
        Matcher unnamed = UNNAMED.matcher(function);
        return unnamed.matches()
                ? names.getOrDefault(Long.parseLong(unnamed.group(1), 16), function)
                : function;
    }

    private Path compile(Path source, String name, List<String> more) throws Exception {
        Path object = directory.resolve(name + ".o");
        Path program = directory.resolve(name);
        List<String> command = new ArrayList<>(build);
        command.addAll(SAME_CALLS);
        command.addAll(more);
        command.addAll(List.of("-c", source.toString(), "-o", object.toString()));
        command(command.toArray(String[]::new));
        command = new ArrayList<>(build);
        command.add(object.toString());
        if (!more.isEmpty()) {
            command.add(MadtRun.root().resolve("testprogs/calls/log.c").toString());
        }
        command.addAll(List.of("-o", program.toString(), "-lm", "-lpthread"));
        command(command.toArray(String[]::new));
        return program;
    }

    /** Functions of an ELF file, by address. */
    private Map<Long, String> functions(Path file) throws Exception {
        Map<Long, String> functions = new HashMap<>();
        String symbols = command("nm", "--defined-only", file.toString());
        symbols.lines().forEach(line -> {
            String[] parts = line.split(" ");
            if (parts.length == 3 && "TtWw".contains(parts[1])) {
                boolean relocatable = file.toString().endsWith(".o");
                functions.put(
                        relocatable ? (long) functions.size() : Long.parseLong(parts[0], 16),
                        parts[2]);
            }
        });
        return functions;
    }

    private String command(String... arguments) throws IOException, InterruptedException {
        return MadtRun.command(directory, List.of(arguments)).expect(0).text();
    }

    private static String difference(List<String> ours, List<String> theirs) {
        int common = Math.min(ours.size(), theirs.size());
        int i = 0;
        while (i < common && ours.get(i).equals(theirs.get(i))) {
            i++;
        }
        if (i == common && ours.size() == theirs.size()) {
            return "";
        }
        return "element " + i + " of " + ours.size() + " (MadT) and " + theirs.size()
                + " (log): MadT " + around(ours, i) + "; log " + around(theirs, i);
    }

    private static List<String> around(List<String> calls, int i) {
        return calls.subList(Math.max(0, i - 3), Math.min(calls.size(), i + 4));
    }
}

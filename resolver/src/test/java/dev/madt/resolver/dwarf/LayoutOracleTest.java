package dev.madt.resolver.dwarf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.CommandOutput;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.local.Variable;
import dev.madt.resolver.type.ArrayType;
import dev.madt.resolver.type.FieldPath;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Types and paths of global variables, against gdb: what {@code ptype /o} prints, and the address
 * of every path.
 */
class LayoutOracleTest {
    private static final int MOST_BYTES = 700;

    @TempDir
    Path folder;

    @BeforeAll
    static void needGdb() throws Exception {
        Assumptions.assumeTrue(
                SampleProgram.installed("gdb")
                        && CommandOutput.lines("gdb", "-nx", "-batch", "-ex", "python print(6 * 7)")
                                .contains("42"),
                "no gdb with Python");
    }

    static Stream<SampleProgram> programs() {
        return SampleProgram.all("layouts.c", "layouts.cpp", "globals.c", "inlined.cpp");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-gdwarf-4 -fdebug-types-section",
                "-gdwarf-5 -fdebug-types-section",
                "-gdwarf-5 dwz",
                "-gdwarf-3"
            })
    void shouldFindTypesThatAreKeptElsewhere(String way) throws Exception {
        boolean dwz = way.endsWith("dwz");
        Assumptions.assumeTrue(!dwz || SampleProgram.installed("dwz"), "no dwz");
        String[] options = way.replace(" dwz", "").split(" ");
        for (String source : new String[] {"layouts.c", "layouts.cpp"}) {
            Path program =
                    new SampleProgram(source, "gcc", "-O0", options[0]).build(folder, options);
            if (dwz) {
                Path other = Files.copy(program, folder.resolve("other-" + source));
                Path third = Files.copy(program, folder.resolve("third-" + source));
                CommandOutput.lines(
                        "dwz",
                        "-m",
                        folder.resolve("common-" + source).toString(),
                        program.toString(),
                        other.toString(),
                        third.toString());
            }
            compareLayouts(program, 9);
        }
    }

    static Stream<SampleProgram> everyProgram() throws IOException {
        return SampleProgram.allAnd("layouts.c", "layouts.cpp", "globals.c", "inlined.cpp");
    }

    /**
     * Some test programs have no global at all; where there are any, gdb must know most of them.
     */
    @ParameterizedTest
    @MethodSource("everyProgram")
    void shouldLayOutGlobalsAsTheDebuggerDoes(SampleProgram sample) throws Exception {
        Path program = sample.build(folder);
        int least =
                sample.source().equals("layouts.c") ? 20 : (variables(program).size() + 1) / 2;
        compareLayouts(program, least);
    }

    private void compareLayouts(Path program, int least) throws Exception {
        List<Variable> variables = variables(program);
        List<String> expected = gdb(
                program,
                variables.stream().map(variable -> "fields " + variable.name()).toList());
        int compared = 0;
        for (int i = 0; i < variables.size(); i++) {
            if (!expected.get(i).startsWith("error")) {
                assertEquals(
                        expected.get(i),
                        layout(variables.get(i).type()),
                        variables.get(i).name());
                compared++;
            }
        }
        assertTrue(compared >= least, compared + " of " + variables);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldNameEveryByteByAPathToItsAddress(SampleProgram sample) throws Exception {
        Path program = sample.build(folder);
        List<Variable> variables = variables(program);
        List<String> named = gdb(
                program,
                variables.stream().map(variable -> "address " + variable.name()).toList());
        List<String> questions = new ArrayList<>();
        List<Long> addresses = new ArrayList<>();
        for (int i = 0; i < variables.size(); i++) {
            if (!named.get(i).startsWith("error")) {
                ask(variables.get(i), questions, addresses);
            }
        }
        compare(sample, questions, addresses, gdb(program, questions));
    }

    private static void ask(Variable variable, List<String> questions, List<Long> addresses) {
        for (long offset = 0; offset < Math.min(variable.type().size(), MOST_BYTES); offset++) {
            for (String path : spread(FieldPath.of(variable.type(), offset, 1))) {
                int plus = path.lastIndexOf('+');
                long behind = plus < 0 ? 0 : Long.parseLong(path.substring(plus + 1));
                questions.add(
                        "address " + variable.name() + (plus < 0 ? path : path.substring(0, plus)));
                addresses.add(variable.start() + offset - behind);
            }
        }
    }

    /** Each of the paths that one with braces stands for. */
    private static List<String> spread(String path) {
        int brace = path.indexOf('{');
        if (brace < 0) {
            return path.contains("…") ? List.of() : List.of(path);
        }
        List<String> all = new ArrayList<>();
        int depth = 0;
        int start = brace + 1;
        int end = path.lastIndexOf('}');
        for (int i = start; i <= end; i++) {
            char c = path.charAt(i);
            if (i == end || depth == 0 && "|,".indexOf(c) >= 0) {
                all.addAll(spread(path.substring(0, brace) + path.substring(start, i)));
                start = i + 1;
            }
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        }
        return all;
    }

    private static void compare(
            SampleProgram sample,
            List<String> questions,
            List<Long> addresses,
            List<String> answers) {
        int compared = 0;
        for (int i = 0; i < answers.size(); i++) {
            String answer = answers.get(i);
            if (!answer.startsWith("error")) {
                assertEquals(addresses.get(i), Long.parseLong(answer), questions.get(i));
                compared++;
            } else {
                boolean impossible = answer.contains("bit-field")
                        || answer.contains("reference")
                        || questions.get(i).contains("._vptr");
                assertTrue(impossible, questions.get(i) + ": " + answer);
            }
        }
        System.out.println(
                sample + ": " + compared + " of " + questions.size() + " bytes compared");
        assertTrue(compared > questions.size() / 2, compared + " of " + questions.size());
    }

    private static List<Variable> variables(Path program) throws Exception {
        List<String> warnings = new ArrayList<>();
        DebugInfo info = DebugInfo.open(program, warnings::add);
        List<Variable> variables = new ArrayList<>();
        for (ElfSymbol symbol : ElfModule.open(program).dataSymbols()) {
            Variable variable = info.variable(symbol.address());
            if (variable != null && variable.start() == symbol.address()) {
                variables.add(variable);
                boolean open = symbol.name().equals("open");
                assertEquals(
                        symbol.size(),
                        open ? symbol.size() : variable.type().size(),
                        symbol.toString());
            }
        }
        assertEquals(List.of(), warnings);
        return variables;
    }

    private List<String> gdb(Path program, List<String> questions) throws Exception {
        Path input = Files.write(folder.resolve("expressions"), questions);
        List<String> answers = CommandOutput.lines(
                        "env",
                        "EXPRESSIONS=" + input,
                        "gdb",
                        "-nx",
                        "-batch",
                        "-ex",
                        "set debuginfod enabled off",
                        "-ex",
                        "set language " + (isC(program) ? "c" : "c++"),
                        "-x",
                        "src/test/resources/layout.py",
                        program.toString())
                .stream()
                .filter(line -> line.startsWith("="))
                .map(line -> line.substring(1))
                .toList();
        assertEquals(questions.size(), answers.size());
        return answers;
    }

    private static boolean isC(Path program) throws Exception {
        return CommandOutput.lines("nm", program.toString()).stream()
                .noneMatch(line -> line.contains(" _Z"));
    }

    private static String layout(Type type) {
        Type bare = type.bare();
        if (bare instanceof ArrayType array) {
            return "[" + (array.isOpen() ? 1 : array.count()) + "]" + layout(array.element());
        }
        if (!(bare instanceof RecordType record)) {
            return Long.toString(bare.size());
        }
        return record.fields().stream()
                .map(field -> (field.base() ? "" : field.name()) + ":"
                        + (field.offset() * 8 + field.bitOffset()) + ":" + field.bitSize() + ":"
                        + layout(field.type()))
                .collect(Collectors.joining(" ", record.size() + "{", "}"));
    }
}

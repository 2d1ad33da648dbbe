package dev.madt.resolver.dwarf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.CommandOutput;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.local.Variable;
import dev.madt.resolver.type.FieldPath;
import dev.madt.resolver.type.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Variables of Fortran: their types' names, and the address of every path, against gdb. */
class FortranLayoutTest {
    private static final int MOST_BYTES = 420;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"-O0 -gdwarf-5", "-O2 -gdwarf-5", "-O0 -gdwarf-4", "-O2 -gdwarf-3"})
    void shouldNameEveryByteByAPathToItsAddress(String options) throws Exception {
        List<Variable> variables = variables(build(options));
        List<String> questions = new ArrayList<>();
        List<Long> addresses = new ArrayList<>();
        for (Variable variable : variables) {
            ask(variable, questions, addresses);
        }
        List<String> answers = gdb(folder.resolve("program"), questions);
        int compared = 0;
        for (int i = 0; i < answers.size(); i++) {
            if (!answers.get(i).startsWith("error")) {
                assertEquals(addresses.get(i), Long.parseLong(answers.get(i)), questions.get(i));
                compared++;
            }
        }
        assertTrue(compared > questions.size() * 2 / 3, compared + " of " + questions.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-O0 -gdwarf-5", "-O2 -gdwarf-4"})
    void shouldNameTypesAsDeclarationsDo(String options) throws Exception {
        Map<String, Type> types = new TreeMap<>();
        for (Variable variable : variables(build(options))) {
            types.put(variable.name().replaceAll(".*::", ""), variable.type());
        }
        assertEquals("real(kind=8)(3,5)", types.get("field").name());
        assertEquals("integer(kind=4)(-1:2,0:3,2:4)", types.get("cube").name());
        assertEquals("type(point)(4)", types.get("points").name());
        assertEquals("type(point)", types.get("one").name());
        assertEquals("character(len=7)(3)", types.get("words").name());
        assertEquals("complex(kind=8)(2,2)", types.get("waves").name());
        assertEquals("logical(kind=4)(-3:-1)", types.get("flags").name());
        assertEquals("real(kind=8)(:,:)", types.get("open").name());
        assertEquals("type(inner)(:)", types.get("heap").name());
        assertEquals("", FieldPath.of(types.get("open"), 0, 88));
        assertEquals(".base_addr", FieldPath.of(types.get("open"), 0, 8));
        assertEquals(".dim[1].upper_bound", FieldPath.of(types.get("open"), 80, 8));
        assertEquals(64, types.get("heap").size());
    }

    private Path build(String options) throws Exception {
        Assumptions.assumeTrue(
                SampleProgram.installed("gfortran") && SampleProgram.installed("gdb"),
                "no gfortran or no gdb");
        Path program = folder.resolve("program");
        List<String> command = new ArrayList<>(List.of("gfortran", "-g", "-o", program.toString()));
        command.addAll(List.of(options.split(" ")));
        command.add(Path.of("src/test/fortran/storage.f90").toString());
        command.add("-J" + folder);
        CommandOutput.lines(command.toArray(String[]::new));
        return program;
    }

    private static List<Variable> variables(Path program) throws Exception {
        List<String> warnings = new ArrayList<>();
        DebugInfo info = DebugInfo.open(program, warnings::add);
        List<Variable> variables = new ArrayList<>();
        for (ElfSymbol symbol : ElfModule.open(program).dataSymbols()) {
            Variable variable = info.symbol(symbol.address(), symbol.size());
            if (variable != null && !symbol.name().contains("MOD___")) {
                assertEquals(symbol.size(), variable.type().size(), symbol.name());
                variables.add(variable);
            }
        }
        assertEquals(List.of(), warnings);
        assertTrue(variables.size() >= 15, variables.toString());
        return variables;
    }

    /** Descriptors are no variables for the debugger, which follows them. */
    private static void ask(Variable variable, List<String> questions, List<Long> addresses) {
        for (long offset = 0; offset < Math.min(variable.type().size(), MOST_BYTES); offset++) {
            String path = FieldPath.of(variable.type(), offset, 1);
            int plus = path.lastIndexOf('+');
            String place = plus < 0 ? path : path.substring(0, plus);
            if (!place.contains(".") && !place.contains("{")) {
                questions.add("address " + variable.name() + place);
                addresses.add(variable.start()
                        + offset
                        - (plus < 0 ? 0 : Long.parseLong(path.substring(plus + 1))));
            }
        }
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
                        "set language fortran",
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
}

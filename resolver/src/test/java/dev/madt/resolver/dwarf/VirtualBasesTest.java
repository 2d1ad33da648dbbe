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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Members of virtual bases, against the offsets that the program itself prints. */
class VirtualBasesTest {
    private static final String SOURCE =
            """
            #include <cstdio>
            struct Top { virtual ~Top() {} long base; };
            struct One : virtual Top { long one; };
            struct Two : virtual Top { long two; };
            struct Both : One, Two { long own; };
            struct Narrow : One, Two { int own; };
            struct Small { int base; };
            struct Tail : virtual Small { int own; };
            struct Wide { alignas(32) long base; };
            struct Far : virtual Wide { long own; };
            struct Empty {};
            struct None : virtual Empty { long own; };
            struct Near { virtual ~Near() {} };
            struct Primary : virtual Near { long own; };
            struct Many : virtual Small, virtual Top { long own; };
            struct More : Many { long more; };
            struct Holder { Both held; long last; };
            Both both; Narrow narrow; Tail tail; Far far; None none; Primary primary; Many many;
            More more; Holder holder; One one;
            template <typename T> void show(const char *name, T *whole, void *part, int size,
                    const char *path) {
                printf("%s %ld %d %s\\n", name, (char *)part - (char *)whole, size, path);
            }
            #define SHOW(v, m) show(#v, &v, &v.m, sizeof v.m, "." #m)
            #define HIDDEN(v, m) show(#v, &v, &v.m, sizeof v.m, "+")
            int main() {
                SHOW(both, one); SHOW(both, two); SHOW(both, own); SHOW(both, base);
                SHOW(narrow, two); SHOW(narrow, own); SHOW(narrow, base);
                SHOW(tail, own); SHOW(tail, base); SHOW(one, one); SHOW(one, base);
                SHOW(far, own); HIDDEN(far, base); SHOW(none, own); SHOW(primary, own);
                SHOW(many, own); HIDDEN(many, Small::base); HIDDEN(many, Top::base);
                SHOW(more, own); SHOW(more, more); HIDDEN(more, Small::base);
                HIDDEN(more, Top::base);
                SHOW(holder, held.base); SHOW(holder, last); SHOW(holder, held.own);
            }
            """;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"g++, -gdwarf-5", "g++, -gdwarf-4", "clang++, -gdwarf-5"})
    void shouldNameNoMemberThatDoesNotHoldThePlace(String compiler, String dwarf) throws Exception {
        Assumptions.assumeTrue(SampleProgram.compilers().contains(compiler.replace("++", ""))
                || compiler.equals("g++"));
        Path source = Files.writeString(folder.resolve("virtual.cpp"), SOURCE);
        Path program = folder.resolve("program");
        CommandOutput.lines(compiler, "-g", dwarf, "-o", program.toString(), source.toString());
        Map<String, Type> types = new HashMap<>();
        DebugInfo info = DebugInfo.open(program, warning -> {});
        for (ElfSymbol symbol : ElfModule.open(program).dataSymbols()) {
            Variable variable = info.variable(symbol.address());
            if (variable != null) {
                types.put(variable.name(), variable.type());
            }
        }
        List<String> lines = CommandOutput.lines(program.toString());
        assertTrue(lines.size() > 20, lines.toString());
        for (String line : lines) {
            String[] cells = line.split(" ");
            long offset = Long.parseLong(cells[1]);
            Type type = types.get(cells[0]);
            String path = cells[3].equals("+") ? "+" + offset : cells[3];
            assertEquals(path, FieldPath.of(type, offset, Long.parseLong(cells[2])), line);
        }
    }
}

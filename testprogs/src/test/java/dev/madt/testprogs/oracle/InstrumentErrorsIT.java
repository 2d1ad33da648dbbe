package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Places and expressions that are wrong: what is said of them, and that nothing is run. */
class InstrumentErrorsIT {
    @TempDir
    static Path built;

    @TempDir
    Path directory;

    /** Builds it in each way once. */
    private static Path program(String... build) throws Exception {
        Path program = built.resolve("points" + String.join("", build));
        if (Files.exists(program)) {
            return program;
        }
        List<String> command = new ArrayList<>(List.of("gcc", "-g", "-pthread"));
        command.addAll(List.of(build));
        command.addAll(List.of(
                "-o",
                program.toString(),
                MadtRun.root().resolve("testprogs/instruments/points.c").toString()));
        MadtRun.command(built, command).expect(0);
        return program;
    }

    private MadtRun run(List<String> options, String... program) throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "-qf", "-o", "t.madt"));
        words.addAll(options);
        words.add("--");
        words.addAll(List.of(program));
        return MadtRun.told(directory, words.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ad | count | no function .* Did you mean 'add'
                    add: | count | a function is missing here
                    add:return:more | count | behind a function comes
                    add+1x | count | no function
                    add+0x3 | count | no instruction of 'add' begins at this distance
                    add:block(999) | count | has no block 999
                    add:block(1 | count | a '\\)' is missing here
                    add:block(x) | count | 'x' is no number
                    add:line(9999) | count | comes from line 9999
                    points.c:9999 | count | no code .* comes from this line
                    add:return:after | count | :after stands behind a block
                    add | cont | no action is called 'cont'.* did you mean 'count'
                    add | log "%d | has no
                    add | log "%d" | places for 1 values, and 0 are given
                    add | log "%y" arg0 | values are written
                    add | log reg(rxx) | no register is called 'rxx'
                    add | log reg(rdi | a '\\)' is missing
                    add | log 1 + | an expression is missing here
                    add | log ret | ret is known where a function returns
                    add:return | log arg0 | arg0 is known where a function is entered
                    add | stack 99 | a number of callers, from 1 to 63
                    add | stack 2; sum 1 by stack 3 | one number of callers.* another action has 2
                    add | hist stack | no variable is called 'stack'
                    add | sum | an expression is missing here
                    add | count extra | missing here
                    add | log 99999999999999999999 | no number of 64 bits
                    add | log txt | no variable is called 'txt' here. Did you mean 'text'
                    weigh | log item->weigth | no member 'weigth'. Did you mean 'weight'
                    flagged | log flags->lox | struct flags has no member 'lox'.*Did you mean 'low'
                    weigh | log item.weight | this is a pointer: say ->weight
                    weigh | log *item | name a member of it
                    weigh | log deep->next | what stands in front of -> is no pointer
                    weigh | log item->value[0] | neither a pointer nor an array
                    weigh | log item->next->next->next->next->value | takes more than 3 loads
                    weigh | log str(item->name, 99) | a text has 1 to 64 bytes
                    weigh | log str(deep) | is no pointer
                    weigh | log reg(rdi)->value | has no type
                    """)
    void shouldRefuseWhatIsWrong(String place, String action, String wanted) throws Exception {
        Path program = program("-O0");
        Files.deleteIfExists(directory.resolve("t.madt"));
        MadtRun refused = run(List.of("--at", place, action), program.toString());
        assertEquals(125, refused.status(), refused.errors());
        assertTrue(
                Pattern.compile(wanted).matcher(refused.errors()).find(),
                () -> refused.errors() + " is not " + wanted);
        assertTrue(refused.errors().contains("^"), refused.errors());
        assertEquals("", refused.text());
        assertFalse(Files.exists(directory.resolve("t.madt")));
    }

    /** Names of templates are many for one, and what was inlined has no code. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    at | Did you mean 'Matrix<double>::at' or 'Matrix<int>::at'\\?
                    Matrix::at | Did you mean 'Matrix<double>::at' or 'Matrix<int>::at'\\?
                    Matrix<long>::at | Did you mean 'Matrix<double>::at' or 'Matrix<int>::at'\\?
                    Matrix<int>::et | Did you mean 'Matrix<int>::at'\\?
                    largest | Did you mean 'largest<.*>'\\?
                    half | 'half' was inlined .*, FILE:LINE: it begins at templates.cc:1\\.
                    shop::twice | 'shop::twice' was inlined .* begins at templates.cc:2\\.
                    twice:line(2) | 'twice' was inlined .* begins at templates.cc:2\\.
                    """)
    void shouldTellWhatTemplatesAndInlinedFunctionsAreCalled(String place, String wanted)
            throws Exception {
        Files.writeString(
                directory.resolve("templates.cc"),
                """
                static inline int half(int n) { return n / 2; }
                namespace shop { static inline int twice(int n) { return n * 2; } }
                template <class T> struct Matrix {
                    T cells[4];
                    __attribute__((noinline)) T at(int i) { return cells[i] + shop::twice(i); }
                };
                template <class T> __attribute__((noinline)) T largest(T a, T b)
                {
                    return a < b ? b : a;
                }
                Matrix<int> whole;
                Matrix<double> real;
                int main(int count, char **)
                {
                    return whole.at(count) + (int)real.at(count) + half(largest(count, 3)) == 99;
                }
                """);
        MadtRun.command(directory, List.of("g++", "-O1", "-g", "-o", "templates", "templates.cc"))
                .expect(0);
        MadtRun refused = run(List.of("--at", place, "count"), "./templates");
        assertEquals(125, refused.status(), refused.errors());
        assertTrue(
                Pattern.compile(wanted).matcher(refused.errors()).find(),
                () -> refused.errors() + " is not " + wanted);
        assertEquals(
                0,
                run(List.of("--at", "Matrix<int>::at", "count"), "./templates").status());
    }

    /** Says why nothing is known of variables that are split off in the way of DWARF 4. */
    @Test
    void shouldTellSplitDebugInformation() throws Exception {
        Files.writeString(
                directory.resolve("parts.c"),
                "__attribute__((noinline)) int use(int *p) { return *p; }\n"
                        + "int main(int count, char **words) { return use(&count) - 1; }\n");
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-O1",
                                "-gdwarf-4",
                                "-gsplit-dwarf",
                                "-o",
                                "parts",
                                "parts.c"))
                .expect(0);
        String wanted = "the debug information of parts is in ";
        MadtRun refused = run(List.of("--at", "use", "log p"), "./parts");
        assertEquals(125, refused.status(), refused.errors());
        assertTrue(refused.errors().contains("--at: " + wanted), refused.errors());
        String told = MadtRun.told(directory, "run", "-f", "-o", "t.madt", "--", "./parts")
                .expect(0)
                .errors();
        assertEquals(2, told.split(Pattern.quote(wanted), -1).length, told);
        assertTrue(told.contains("variables and types are not"), told);
    }

    @Test
    void shouldNeedEngineSplice() throws Exception {
        MadtRun refused = run(List.of("--engine", "trap", "--at", "main", "count"), "/bin/true");
        assertEquals(125, refused.status());
        assertTrue(refused.errors().contains("--at does not go with --engine trap"));
    }
}

package dev.madt.resolver.elf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.resolver.CommandOutput;
import dev.madt.resolver.elf.StaticOperand.Form;
import dev.madt.resolver.elf.StaticOperand.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Static probes: readelf and objdump judge. */
class StaticProbesTest {
    private static final Pattern LOCATION =
            Pattern.compile("\\s*Location: 0x([0-9a-f]+), Base: .*, Semaphore: 0x([0-9a-f]+)");

    private static final String SOURCE =
            """
            #include <madt.h>

            static const char *const words[] = { "one", "two", "three" };

            __attribute__((noinline)) long work(int count, double x)
            {
                long sum = 0;
                short small = (short)(count - 6);
                float half = (float)x / 2;

                MADT_EVENT(begin);
                for (int i = 0; i < count; i++) {
                    sum += i * (long)x;
                    MADT_EVENT(step, i, x, words[i % 3]);
                }
                MADT_EVENT(all, small, (unsigned char)count, sum, half, &sum, words[1]);
                return sum;
            }

            int main(int count, char **arguments)
            {
                (void)arguments;
                return (int)work(count + 2, 1.5) & 1;
            }
            """;

    @TempDir
    Path folder;

    private static List<StaticProbe> of(Path file) throws Exception {
        return StaticProbes.of(ElfImage.open(file));
    }

    /** The library of C++ has probes without semaphores, gcc's programs some, python3 with them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
                "/usr/bin/gcc",
                "/usr/bin/python3"
            })
    void shouldReadWhatReadelfReads(String file) throws Exception {
        List<String> expected = new ArrayList<>();
        String provider = "";
        String name = "";
        String place = "";
        for (String line : CommandOutput.lines("readelf", "-n", file)) {
            Matcher location = LOCATION.matcher(line);
            if (line.startsWith("    Provider: ")) {
                provider = line.substring(14);
            } else if (line.startsWith("    Name: ")) {
                name = line.substring(10);
            } else if (location.matches()) {
                place = Long.parseLong(location.group(1), 16) + " "
                        + Long.parseLong(location.group(2), 16);
            } else if (line.startsWith("    Arguments: ")) {
                expected.add(provider + ":" + name + " " + place + " "
                        + line.substring(15).strip().split(" +").length);
            }
        }
        assertFalse(expected.isEmpty());
        assertEquals(
                expected,
                of(Path.of(file)).stream()
                        .map(probe -> probe.provider() + ":" + probe.name() + " " + probe.address()
                                + " " + probe.semaphore() + " "
                                + probe.operands().size())
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({
        "8@%rdi, REGISTER, 8, UNSIGNED, 7, 0, -2, -2",
        "-4@%eax, REGISTER, 4, SIGNED, 0, 0, 0x1fffffffe, -2",
        "4@%r13d, REGISTER, 4, UNSIGNED, 13, 0, -1, 0xffffffff",
        "1@%bh, REGISTER, 1, UNSIGNED, 3, 8, 0x1234, 0x12",
        "-2@%r9w, REGISTER, 2, SIGNED, 9, 0, 0x18000, -32768",
        "-4@-20(%rbp), MEMORY, 4, SIGNED, 5, -20, 7, 7",
        "8@(%rsp), MEMORY, 8, UNSIGNED, 4, 0, 9, 9",
        "-4@$-3, CONSTANT, 4, SIGNED, -1, -3, 0, -3",
        "4:1@$4294967293, CONSTANT, 4, SIGNED, -1, 4294967293, 0, -3",
        "8:3@%rcx, REGISTER, 8, TEXT, 1, 0, 4096, 4096",
        "8f@%xmm0, OTHER, 8, FLOAT, -1, 0, 1, 1",
        "8@%rax:%rdx, OTHER, 8, UNSIGNED, -1, 0, 1, 1",
        "4@counter+8(%rip), OTHER, 4, UNSIGNED, -1, 0, 1, 1",
        "nonsense, OTHER, 0, UNSIGNED, -1, 0, 1, 1"
    })
    void shouldKnowWhereAValueIs(
            String text,
            Kind kind,
            int bytes,
            Form form,
            int register,
            long number,
            String bits,
            String value) {
        StaticOperand operand = StaticOperand.of(text);
        assertEquals(new StaticOperand(kind, bytes, form, register, number), operand);
        assertEquals(Long.decode(value), operand.value(Long.decode(bits)));
    }

    /** Of any compiler, one jump of two bytes over room that nobody comes to. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "gcc -O0",
                "gcc -O2 -fno-inline",
                "gcc -O2 -no-pie -fno-pie",
                "gcc -std=c99 -pedantic-errors -O1",
                "g++ -O2 -x c++",
                "g++ -O0 -std=c++98 -x c++",
                "clang -O2",
                "clang -O0 -x c++"
            })
    void shouldReadTriggersOfEachBuild(String compiler) throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin", compiler.split(" ")[0])),
                compiler + ": not installed");
        Path source = Files.writeString(folder.resolve("triggers.c"), SOURCE);
        Path program = folder.resolve("triggers");
        List<String> command = new ArrayList<>(List.of(compiler.split(" ")));
        command.addAll(1, List.of("-Wall", "-Wextra", "-Werror", "-o", program.toString()));
        command.addAll(2, List.of("-I", System.getProperty("madt.home") + "/madt-native/include"));
        command.add(source.toString());
        CommandOutput.lines(command.toArray(String[]::new));
        List<String> code = CommandOutput.lines("objdump", "-d", "-w", program.toString());
        List<StaticProbe> probes = of(program);
        for (String name : List.of("begin", "step", "all")) {
            assertTrue(probes.stream().anyMatch(probe -> probe.name().equals(name)), name);
        }
        for (StaticProbe probe : probes) {
            List<String> there = code.stream()
                    .filter(line ->
                            line.strip().startsWith(Long.toHexString(probe.address()) + ":"))
                    .toList();
            assertEquals(1, there.size(), probe.toString());
            assertTrue(there.get(0).matches(".*\teb 07 +\tjmp .*"), there.get(0));
            List<Form> forms =
                    switch (probe.name()) {
                        case "begin" -> List.of();
                        case "step" -> List.of(Form.SIGNED, Form.FLOAT, Form.TEXT);
                        default ->
                            List.of(
                                    Form.SIGNED,
                                    probe.operands().get(1).form(),
                                    Form.SIGNED,
                                    Form.FLOAT,
                                    Form.POINTER,
                                    Form.TEXT);
                    };
            assertEquals(
                    forms, probe.operands().stream().map(StaticOperand::form).toList());
            assertTrue(probe.operands().stream().noneMatch(one -> one.kind() == Kind.OTHER));
        }
    }
}

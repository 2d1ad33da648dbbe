package dev.madt.resolver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.elf.ElfSymbol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small programs built for the test: aliases, stubs, separate debug files, damaged files. */
class ElfModuleTest {
    private static final String SOURCE =
            """
            #include <stdlib.h>
            #include <string.h>
            int longer_name(int a) { return a * 3; }
            extern int alias(int a) __attribute__((alias("longer_name")));
            extern int al(int a) __attribute__((weak, alias("longer_name")));
            static __attribute__((noinline)) int hidden(int a) { return longer_name(a) + 1; }
            int table[13] = {1, 2};
            static long quiet[7];
            __thread int own = 5;
            __asm__(".text\\n.globl bare_label\\nbare_label: nop\\nnop\\nnop\\nret\\n");
            int main(int argc, char **argv) {
                char *p = malloc(37);
                memset(p, argc, 37);
                quiet[argc] = hidden(argc) + own + p[3];
                free(p);
                return (int) quiet[1] + table[argc];
            }
            """;

    @TempDir
    Path folder;

    private static ElfSymbol data(ElfModule module, String name) {
        return module.dataSymbols().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static ElfSymbol code(ElfModule module, String name) {
        return module.functions().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    @Test
    void shouldTellLocalSymbolsOfOneNameApart(@TempDir Path folder) throws Exception {
        Path first = Files.writeString(
                folder.resolve("first.c"),
                """
                        static int count = 3; static int only = 4; int shared = 5;
                        static __attribute__((noinline)) int step(int a) { return a + count++; }
                        int second(int a); int main(int argc, char **argv) { return step(argc) + \
                        second(argc) + only++ + shared; }
                        """);
        Path second = Files.writeString(
                folder.resolve("second.c"),
                """
                        static int count = 7; static int shared = 8;
                        static __attribute__((noinline)) int step(int a) { return a * count++ + \
                        shared++; }
                        int second(int a) { return step(a); }
                        """);
        Path program = folder.resolve("two");
        CommandOutput.lines(
                "gcc", "-O1", "-o", program.toString(), first.toString(), second.toString());
        ElfModule module = ElfModule.open(program);
        List<String> data = module.dataSymbols().stream().map(ElfSymbol::name).toList();
        List<String> functions =
                module.functions().stream().map(ElfSymbol::name).toList();
        assertTrue(
                data.containsAll(List.of(
                        "first.c::count", "second.c::count", "only", "shared", "second.c::shared")),
                data + "");
        assertTrue(
                functions.containsAll(List.of("first.c::step", "second.c::step", "main", "second")),
                functions + "");
    }

    @Test
    void shouldShowTheShortestGlobalAlias() throws Exception {
        ElfModule module = ElfModule.open(CommandOutput.compile(folder, "aliases", SOURCE));
        ElfSymbol shown = code(module, "alias");
        assertNotNull(shown);
        assertEquals(shown, module.function(shown.address()));
        assertEquals(shown, module.function(shown.end() - 1));
        assertTrue(module.functionNames(shown.address())
                .containsAll(List.of("alias", "longer_name", "al")));
        assertNotNull(code(module, "hidden"));
        ElfSymbol label = code(module, "bare_label");
        assertNotNull(label);
        assertEquals("bare_label", module.function(label.address() + 3).name());
    }

    @Test
    void shouldListVariablesButNotThreadLocalOnes() throws Exception {
        ElfModule module = ElfModule.open(CommandOutput.compile(folder, "variables", SOURCE));
        assertEquals(52, data(module, "table").size());
        assertEquals(56, data(module, "quiet").size());
        assertEquals(".data", module.regionName(data(module, "table").address()));
        assertEquals(".bss", module.regionName(data(module, "quiet").address()));
        assertNull(data(module, "own"));
    }

    /** Assembler programs say neither that something is data nor how large it is. */
    @Test
    void shouldNameDataByLabels() throws Exception {
        String source =
                """
                __asm__(".data\\n.globl shared\\nshared: .quad 1\\ncounter: .quad 2\\n"
                        "pair: .quad 3, 4\\n.type known, @object\\n.size known, 16\\n"
                        "known: .quad 5\\ninner: .quad 6\\nlast: .skip 100\\n.text\\n");
                int main(void) { return 0; }
                """;
        ElfModule module = ElfModule.open(CommandOutput.compile(folder, "labels", source));
        assertEquals(8, data(module, "shared").size());
        assertEquals(8, data(module, "counter").size());
        assertEquals(16, data(module, "pair").size());
        assertEquals(16, data(module, "known").size());
        assertEquals(100, data(module, "last").size());
        assertNull(data(module, "inner"));
        assertNull(data(module, "data_start"));
        assertNull(data(module, "__bss_start"));
        assertTrue(data(module, "__dso_handle").end() <= data(module, "shared").address());
    }

    @Test
    void shouldListThreadLocalVariablesByTheirOffsets() throws Exception {
        String source =
                """
                __thread long first[3] = { 5 };
                static __thread int second __attribute__((used));
                __thread char third[7];
                int main(void) { return third[0]; }
                """;
        ElfModule module = ElfModule.open(CommandOutput.compile(folder, "locals", source));
        Map<String, Long> sizes = new TreeMap<>();
        long last = -1;
        for (ElfSymbol variable : module.threadVariables()) {
            assertTrue(variable.address() > last && variable.end() <= module.threadStorage());
            last = variable.address();
            sizes.put(variable.name(), variable.size());
        }
        assertEquals(Map.of("first", 24L, "second", 4L, "third", 7L), sizes);
        ElfModule none = ElfModule.open(
                CommandOutput.compile(folder, "none", "int main(void) { return 0; }"));
        assertEquals(0, none.threadStorage());
        assertEquals(List.of(), none.threadVariables());
    }

    @Test
    void shouldNameStubsOfFixedProgramsAndOfControlFlowProtectedOnes() throws Exception {
        for (List<String> options : List.of(
                List.of("-no-pie"),
                List.of("-fcf-protection=full", "-Wl,-z,ibt,-z,ibtplt"),
                List.of("-fcf-protection=full", "-Wl,-z,ibtplt", "-Wl,-z,now"))) {
            Path program =
                    CommandOutput.compile(folder, "stubs", SOURCE, options.toArray(String[]::new));
            assertNotNull(code(Analysed.open(program), "malloc@plt"), options.toString());
        }
        ElfModule none = Analysed.open(CommandOutput.compile(folder, "noplt", SOURCE, "-fno-plt"));
        assertNull(code(none, "malloc@plt"));
    }

    @Test
    void shouldListTheLibrariesThatAModuleNeeds() throws Exception {
        Path program = CommandOutput.compile(folder, "needs", SOURCE, "-Wl,--no-as-needed", "-lm");
        assertEquals(List.of("libm.so.6", "libc.so.6"), ElfModule.open(program).needed());
        assertEquals(
                List.of(),
                ElfModule.open(CommandOutput.compile(folder, "static", SOURCE, "-static"))
                        .needed());
    }

    @Test
    void shouldFindTheDebugFileByBuildIdAndByLink() throws Exception {
        Path program = CommandOutput.compile(folder, "whole", SOURCE, "-Wl,--build-id");
        Path debug = folder.resolve("whole.debug");
        CommandOutput.lines("objcopy", "--only-keep-debug", program.toString(), debug.toString());
        Path stripped = folder.resolve("stripped");
        CommandOutput.lines("strip", "-o", stripped.toString(), program.toString());
        Path root = folder.resolve("debug");
        assertNull(code(ElfModule.open(stripped, root), "hidden"));

        String id = java.util.HexFormat.of().formatHex(ElfModule.open(program).buildId());
        Path byId =
                root.resolve(".build-id/" + id.substring(0, 2) + "/" + id.substring(2) + ".debug");
        Files.createDirectories(byId.getParent());
        Files.copy(debug, byId);
        assertSameNames(ElfModule.open(program), ElfModule.open(stripped, root));
        Files.delete(byId);

        CommandOutput.lines("objcopy", "--add-gnu-debuglink=" + debug, stripped.toString());
        for (Path place : List.of(
                folder.resolve("whole.debug"),
                folder.resolve(".debug/whole.debug"),
                root.resolve(folder.toRealPath().toString().substring(1)).resolve("whole.debug"))) {
            Files.createDirectories(place.getParent());
            if (!debug.equals(place)) {
                Files.move(debug, place);
                debug = place;
            }
            assertSameNames(ElfModule.open(program), ElfModule.open(stripped, root));
        }
        byte[] changed = Files.readAllBytes(debug);
        changed[changed.length - 1] ^= 1;
        Files.write(debug, changed);
        assertNull(code(ElfModule.open(stripped, root), "hidden"), "the checksum does not agree");
    }

    private static void assertSameNames(ElfModule expected, ElfModule found) {
        assertEquals(expected.dataSymbols(), found.dataSymbols());
        assertEquals(expected.functions(), found.functions());
        assertNotNull(code(found, "hidden"));
    }

    @Test
    void shouldRefuseWhatIsNoElfFileWithItsName() throws Exception {
        Path text = Files.writeString(folder.resolve("text"), "#!/bin/sh\n" + "echo\n".repeat(50));
        IOException failure = assertThrows(IOException.class, () -> ElfModule.open(text));
        assertTrue(failure.getMessage().contains("text: not an ELF file"), failure.getMessage());
        Path empty = Files.createFile(folder.resolve("empty"));
        assertThrows(IOException.class, () -> ElfModule.open(empty));
        assertThrows(IOException.class, () -> ElfModule.open(folder.resolve("absent")));
        assertThrows(IOException.class, () -> ElfModule.open(folder));
    }

    @Test
    void shouldFailWithAnIoExceptionOrReadOnWhenBytesAreDamaged() throws Exception {
        Path program = CommandOutput.compile(folder, "damaged", SOURCE);
        byte[] sound = Files.readAllBytes(program);
        Random random = new Random(20_261_121);
        int refused = 0;
        for (int round = 0; round < 701; round++) {
            byte[] bytes = sound.clone();
            int headers = (int) java.nio.ByteBuffer.wrap(sound)
                    .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                    .getLong(40);
            for (int i = 0; i < 3; i++) {
                int place =
                        switch (random.nextInt(3)) {
                            case 0 -> random.nextInt(0x300);
                            case 1 -> headers + random.nextInt(sound.length - headers);
                            default -> random.nextInt(sound.length);
                        };
                bytes[place] = (byte) random.nextInt(256);
            }
            if (round % 7 == 0) {
                bytes = java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length));
            }
            refused += refusals(Files.write(folder.resolve("bad"), bytes));
        }
        System.out.println("damaged files: " + refused + " of 701 refused");
        assertTrue(refused > 100, "only " + refused);
    }

    private static int refusals(Path file) {
        try {
            ElfModule module = ElfModule.open(file);
            module.function(0x1000);
            return 0;
        } catch (IOException e) {
            assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
            assertFalse(e.getMessage().contains("Exception"), e.getMessage());
            return 1;
        }
    }
}

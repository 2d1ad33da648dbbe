package dev.madt.resolver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.elf.ElfSymbol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModuleSymbolsTest {
    private static final int ADDRESSES = 10_007;

    /** Aliases, a symbol within another, one without size, data, an allocator, odd names. */
    private static final String SOURCE =
            """
            asm(".text; .globl outer, inner, bare; .type outer, @function; outer: nop; nop;"
                ".type inner, @function; inner: nop; nop; .size inner, . - inner;"
                "nop; .size outer, . - outer; bare: nop; nop; nop");
            asm(".globl \\"odd,name\\"; .type \\"odd,name\\", @function; \\"odd,name\\": ret;"
                ".size \\"odd,name\\", 1");
            int numbers[7]; extern int other[7] __attribute__((alias("numbers")));
            static __attribute__((noinline)) int hidden(int n) { return numbers[n]; }
            void *malloc(unsigned long n) { return (char *)numbers + n + hidden((int)n); }
            int main(void) { return hidden(3); }
            """;

    private static final String ALLOCATOR =
            """
            static char memory[1 << 20], *next = memory;
            static __attribute__((noinline)) void *cut(unsigned long n) { return next += n; }
            void *malloc(unsigned long n) { return cut(n); }
            void *calloc(unsigned long n, unsigned long size) { return cut(n * size); }
            void *realloc(void *p, unsigned long n) { (void)p; return cut(n); }
            void free(void *p) { (void)p; }
            """;

    @TempDir
    Path folder;

    private Path kept;
    private String tables;
    private int made;

    private ElfModule open(Path file) throws IOException {
        return ElfModule.open(
                file,
                (module, word, maker) -> {
                    kept = folder.resolve("kept." + word);
                    tables = word;
                    if (!Files.exists(kept)) {
                        maker.make(kept);
                        made++;
                    }
                    return kept;
                },
                (module, id) -> Analysed.functions(module));
    }

    private void compare(Path file) throws IOException {
        ElfModule read = Analysed.open(file);
        for (int times = 0; times < 2; times++) {
            ElfModule stored = open(file);
            assertEquals(1, made);
            assertTrue(ModuleSymbols.isSound(kept));
            assertEquals(read.functions(), stored.functions());
            assertEquals(read.dataSymbols(), stored.dataSymbols());
            assertEquals(read.allocator(), stored.allocator());
            assertEquals(read.bringsAllocator(), stored.bringsAllocator());
            List<ElfSymbol> functions = read.functions();
            Random random = new Random(4_711);
            for (int i = 0; i < ADDRESSES; i++) {
                ElfSymbol near = functions.get(random.nextInt(functions.size()));
                long address = near.address() + random.nextInt(97) - 48;
                assertEquals(read.function(address), stored.function(address));
                assertEquals(
                        read.functionNames(near.address()), stored.functionNames(near.address()));
            }
        }
    }

    @Test
    void shouldKeepTheSymbolsOfAProgram() throws Exception {
        Path program = CommandOutput.compile(folder, "program", SOURCE);
        compare(program);
        ElfModule module = open(program);
        assertTrue(module.bringsAllocator());
        Set<String> names = new HashSet<>();
        module.functions().forEach(function -> names.add(function.name()));
        assertTrue(
                names.containsAll(Set.of("outer", "inner", "bare", "odd\\x2cname", "hidden")),
                names.toString());
    }

    @Test
    void shouldKeepTheSymbolsOfTheLibrary() throws Exception {
        compare(Path.of("/lib/x86_64-linux-gnu/libc.so.6"));
        assertNotEquals(null, open(Path.of("/lib/x86_64-linux-gnu/libc.so.6")).allocator());
    }

    private static boolean isAllocator(ElfModule module, String name) {
        ElfSymbol function = module.functions().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        return module.allocator() != null && module.allocator().contains(function.address());
    }

    @Test
    void shouldTakeALibraryThatExportsLittleButAnAllocatorForOne() throws Exception {
        String[] shared = {"-shared", "-fPIC", "-nostdlib"};
        Path library = CommandOutput.compile(folder, "liballocator.so", ALLOCATOR, shared);
        compare(library);
        assertTrue(isAllocator(open(library), "cut"));
        assertTrue(isAllocator(open(library), "malloc"));
        Path mixed = CommandOutput.compile(
                folder,
                "libmixed.so",
                ALLOCATOR + "int one(void) { return 1; } int two(void) { return 2; }",
                shared);
        assertEquals(null, open(mixed).allocator());
    }

    @Test
    void shouldTakeOfAProgramOnlyTheFunctionsOfAllocatorsThatAreKnown() throws Exception {
        String main = "int main(void) { return cut(3) == 0; }";
        String known =
                """
                void *mi_malloc(unsigned long n) { return cut(n); }
                void _mi_page_free(void) {}
                void mi_collect(void) {}
                """;
        Path program = CommandOutput.compile(folder, "known", ALLOCATOR + known + main);
        compare(program);
        ElfModule module = open(program);
        for (String name : List.of("mi_malloc", "_mi_page_free", "mi_collect")) {
            assertTrue(isAllocator(module, name), name);
        }
        assertFalse(isAllocator(module, "main"));
        String other = known.replace("mi_malloc", "mi_open");
        Path index = CommandOutput.compile(folder, "other", ALLOCATOR + other + main);
        assertEquals(null, open(index).allocator());
        Path plain = CommandOutput.compile(folder, "plain", ALLOCATOR + main);
        assertEquals(null, open(plain).allocator());
        CommandOutput.lines("strip", plain.toString());
        assertEquals(null, open(plain).allocator());
    }

    @Test
    void shouldTellStrippedFilesApart() throws Exception {
        Path program = CommandOutput.compile(folder, "program", SOURCE);
        open(program);
        String before = tables;
        CommandOutput.lines("strip", program.toString());
        open(program);
        assertNotEquals(before, tables);
    }

    @Test
    void shouldSeeAnyDamage() throws Exception {
        open(CommandOutput.compile(folder, "program", SOURCE));
        byte[] sound = Files.readAllBytes(kept);
        Path damaged = folder.resolve("damaged");
        for (int at = 0; at < sound.length; at += at < 64 ? 1 : 13) {
            byte[] bytes = sound.clone();
            bytes[at] ^= 0x41;
            Files.write(damaged, bytes);
            assertFalse(ModuleSymbols.isSound(damaged), "byte " + at);
        }
        for (int size : new int[] {0, 63, 64, sound.length / 2, sound.length - 1}) {
            Files.write(damaged, Arrays.copyOf(sound, size));
            assertFalse(ModuleSymbols.isSound(damaged), size + " bytes");
        }
        assertFalse(ModuleSymbols.isSound(folder.resolve("none")));
    }
}

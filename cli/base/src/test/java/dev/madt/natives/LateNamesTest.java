package dev.madt.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.madt.resolver.ElfModule;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.demangle.LateNames;
import dev.madt.resolver.demangle.NameBook;
import dev.madt.resolver.elf.ElfSymbol;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class LateNamesTest {
    private static final Path FOLDER = Path.of("/usr/lib/x86_64-linux-gnu");
    private static final int ROUNDS = 100;

    private record Symbol(String name, String label) {}

    private static List<Symbol> symbols(String... libraries) throws Exception {
        List<Symbol> symbols = new ArrayList<>();
        for (String library : libraries) {
            Path file = FOLDER.resolve(library);
            Assumptions.assumeTrue(Files.exists(file), "no " + file);
            for (ElfSymbol symbol : ElfModule.open(file).functions()) {
                symbols.add(new Symbol(symbol.name(), "[" + library + "]"));
            }
        }
        return symbols;
    }

    /** Of two libraries, which have names in common, three symbols at a time. */
    @Test
    void shouldShowSomeSymbolsAsABookOfAllDoes() throws Exception {
        List<Symbol> symbols = symbols("libstdc++.so.6", "libc.so.6", "libm.so.6");
        Demangler source = CxxDemangler.create();
        NameBook whole = new NameBook(source);
        LateNames late = new LateNames(source);
        for (Symbol symbol : symbols) {
            whole.symbol(symbol.name(), symbol.label());
            late.learn(symbol.name(), symbol.label());
        }
        Random random = new Random(7);
        for (int round = 0; round < ROUNDS; round++) {
            Map<Symbol, String> expected = new LinkedHashMap<>();
            for (int i = 0; i < 3; i++) {
                Symbol symbol = symbols.get(random.nextInt(symbols.size()));
                expected.put(symbol, whole.demangle(symbol.name(), symbol.label()));
                assertEquals(symbol.name(), late.demangle(symbol.name(), symbol.label()));
            }
            Demangler book = late.book(
                    "prog", expected.keySet().stream().map(Symbol::name).toList());
            Map<Symbol, String> shown = new LinkedHashMap<>();
            expected.keySet().forEach(it -> shown.put(it, book.demangle(it.name(), it.label())));
            assertEquals(expected, shown);
            assertFalse(shown.values().stream().anyMatch(String::isEmpty));
        }
    }
}

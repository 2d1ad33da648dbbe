package dev.madt.resolver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.elf.ElfSymbol;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The symbols of real libraries and programs, against what readelf and objdump say of the same
 * files.
 */
class SymbolOracleTest {
    private static final String LIBC = "/lib/x86_64-linux-gnu/libc.so.6";
    /**
     * libc's link-time warnings lie in sections that are not loaded; their addresses mean nothing.
     */
    private static final String NOT_LOADED = "__evoke_link_warning_";

    private static final String CXX = "/usr/lib/x86_64-linux-gnu/libstdc++.so.6";

    /** A line of {@code readelf -sW}. */
    private record Listed(long address, long size, String type, String section, String name) {}

    private static List<Listed> listed(Path file) throws Exception {
        List<Listed> all = new java.util.ArrayList<>();
        for (String line : CommandOutput.lines("readelf", "-sW", file.toString())) {
            String[] fields = line.strip().split("\\s+");
            if (fields.length >= 8
                    && fields[0].matches("\\d+:")
                    && !fields[6].equals("UND")
                    && !fields[6].equals("ABS")) {
                long size = fields[2].startsWith("0x")
                        ? Long.decode(fields[2])
                        : Long.parseLong(fields[2]);
                String name = fields[7].replaceFirst("(?<=.)@.*", "");
                all.add(new Listed(
                        Long.parseUnsignedLong(fields[1], 16), size, fields[3], fields[6], name));
            }
        }
        return all;
    }

    private static Path debugFileOf(ElfModule module) {
        String id = java.util.HexFormat.of().formatHex(module.buildId());
        return Path.of("/usr/lib/debug/.build-id", id.substring(0, 2), id.substring(2) + ".debug");
    }

    private static List<Listed> known(String file, ElfModule module) throws Exception {
        List<Listed> all = listed(Path.of(file));
        Path debug = debugFileOf(module);
        if (Files.exists(debug)) {
            all.addAll(listed(debug));
        }
        return all;
    }

    /** Without the file that tells local symbols of one name apart. */
    private static String bare(String name) {
        return name.replaceFirst("^.*::", "");
    }

    private static Map<Long, Set<String>> namesByAddress(List<Listed> symbols, String... types) {
        Map<Long, Set<String>> names = new TreeMap<>();
        for (Listed symbol : symbols) {
            if (List.of(types).contains(symbol.type())) {
                names.computeIfAbsent(symbol.address(), address -> new HashSet<>())
                        .add(symbol.name());
            }
        }
        return names;
    }

    @ParameterizedTest
    @ValueSource(strings = {LIBC, CXX, "/bin/bash", "/usr/bin/perl"})
    void shouldNameEveryFunctionAsReadelfDoes(String file) throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of(file)), "no " + file);
        ElfModule module = Analysed.open(Path.of(file));
        List<Listed> symbols = known(file, module);
        Map<Long, Set<String>> names = namesByAddress(symbols, "FUNC", "IFUNC", "NOTYPE");
        int compared = 0;
        for (Listed symbol : symbols) {
            if (!symbol.type().equals("FUNC") && !symbol.type().equals("IFUNC")) {
                continue;
            }
            assertNamed(module, names, symbol.address(), symbol.address());
            assertTrue(
                    module.functionNames(symbol.address()).stream()
                            .map(SymbolOracleTest::bare)
                            .anyMatch(symbol.name()::equals),
                    symbol.toString());
            if (symbol.size() > 1) {
                assertCovered(module, names, symbol, symbol.address() + symbol.size() / 2);
                assertCovered(module, names, symbol, symbol.address() + symbol.size() - 1);
            }
            compared++;
        }
        System.out.println(file + ": " + compared + " functions compared");
        assertTrue(compared > (file.equals("/usr/bin/perl") ? 500 : 1000), "only " + compared);
    }

    private static void assertNamed(
            ElfModule module, Map<Long, Set<String>> names, long address, long start) {
        ElfSymbol found = module.function(address);
        assertNotNull(found, () -> "0x" + Long.toHexString(address));
        assertEquals(
                start, found.address(), () -> "0x" + Long.toHexString(address) + " gives " + found);
        assertTrue(names.get(start).contains(bare(found.name())), found.toString());
    }

    /**
     * The innermost sized function around the address, which is not always the one that was looked
     * at.
     */
    private static void assertCovered(
            ElfModule module, Map<Long, Set<String>> names, Listed outer, long address) {
        ElfSymbol found = module.function(address);
        assertNotNull(found, outer::toString);
        assertTrue(names.get(found.address()).contains(bare(found.name())), found.toString());
        if (found.address() != outer.address()) {
            assertTrue(
                    found.address() > outer.address() && address < found.end(),
                    found + " inside " + outer);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {LIBC, CXX, "/bin/bash", "/usr/bin/perl"})
    void shouldListEveryVariableAsReadelfDoes(String file) throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of(file)), "no " + file);
        ElfModule module = Analysed.open(Path.of(file));
        Map<Long, ElfSymbol> found = new HashMap<>();
        module.dataSymbols().forEach(symbol -> found.put(symbol.address(), symbol));
        Map<Long, Set<String>> names = new HashMap<>();
        Map<Long, Long> sizes = new HashMap<>();
        for (Listed symbol : known(file, module)) {
            if (symbol.type().equals("OBJECT")
                    && symbol.size() > 0
                    && !symbol.name().startsWith(NOT_LOADED)) {
                names.computeIfAbsent(symbol.address(), address -> new HashSet<>())
                        .add(symbol.name());
                sizes.merge(symbol.address(), symbol.size(), Math::max);
            }
        }
        for (Map.Entry<Long, Set<String>> expected : names.entrySet()) {
            ElfSymbol symbol = found.get(expected.getKey());
            assertNotNull(symbol, expected::toString);
            assertTrue(
                    expected.getValue().contains(bare(symbol.name())),
                    symbol + " is none of " + expected);
            assertEquals(sizes.get(expected.getKey()), symbol.size(), symbol::toString);
        }
        System.out.println(file + ": " + names.size() + " variables compared");
        assertTrue(names.size() > 10, "only " + names.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {LIBC, CXX, "/bin/bash", "/usr/bin/perl", "/usr/bin/git"})
    void shouldNameStubsAsObjdumpDoes(String file) throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of(file)), "no " + file);
        ElfModule module = Analysed.open(Path.of(file));
        int compared = 0;
        for (String line : CommandOutput.lines(
                "objdump",
                "-d",
                "--no-show-raw-insn",
                "-j",
                ".plt",
                "-j",
                ".plt.got",
                "-j",
                ".plt.sec",
                file)) {
            if (line.matches("[0-9a-f]+ <.*@plt>:")) {
                long address = Long.parseUnsignedLong(line.substring(0, line.indexOf(' ')), 16);
                String name = line.substring(line.indexOf('<') + 1, line.length() - 2);
                compared += compareStub(
                        module, address, name.replaceFirst("(?<=.)@@?[A-Z0-9_.a-z]+(?=@plt)", ""));
            }
        }
        System.out.println(file + ": " + compared + " stubs compared");
        assertTrue(compared >= 10, "only " + compared);
    }

    private static int compareStub(ElfModule module, long address, String name) {
        ElfSymbol stub = module.function(address);
        assertNotNull(stub, name);
        assertEquals(address, stub.address(), name);
        if (name.startsWith("*ABS*+0x")) {
            long resolver = Long.parseUnsignedLong(name.substring(8, name.indexOf('@')), 16);
            List<String> resolvers = module.functionNames(resolver);
            String bare = stub.name().substring(0, stub.name().length() - 4);
            assertTrue(
                    resolvers.isEmpty() ? stub.name().equals(name) : resolvers.contains(bare),
                    stub + " for " + name);
        } else {
            assertEquals(name, stub.name());
        }
        return 1;
    }
}

package dev.madt.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.ElfModule;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.elf.ElfSymbol;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CxxDemanglerTest {
    private static final Path LIBRARY = Path.of("/usr/lib/x86_64-linux-gnu/libstdc++.so.6");

    @Test
    void shouldDemangleTheNamesOfTheCxxRuntimeAsCxxfiltDoes(@TempDir Path folder) throws Exception {
        Assumptions.assumeTrue(Files.exists(LIBRARY), "no " + LIBRARY);
        List<String> names = ElfModule.open(LIBRARY).functions().stream()
                .map(ElfSymbol::name)
                .filter(name -> name.startsWith("_Z") && name.indexOf('@') < 0)
                .toList();
        Path input = Files.write(folder.resolve("names"), names);
        Process filter = new ProcessBuilder("c++filt", "-i")
                .redirectInput(input.toFile())
                .start();
        List<String> expected =
                new String(filter.getInputStream().readAllBytes()).lines().toList();
        Demangler demangler = CxxDemangler.create();
        assertEquals(expected, names.stream().map(demangler::demangle).toList());
        assertTrue(names.size() > 1000, names.size() + " names");
    }

    @Test
    void shouldLeaveOtherNames() {
        Demangler demangler = CxxDemangler.create();
        for (String name : List.of("main", "_Zgarbage", "", "_", "_Z", "_R", "table")) {
            assertEquals(name, demangler.demangle(name));
        }
        assertEquals(
                "core::fmt::write", demangler.demangle("_ZN4core3fmt5write17h0123456789abcdefE"));
    }
}

package dev.madt.resolver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.trace.code.CodeFunctions;
import dev.madt.trace.layout.SharedLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks where functions begin and end: names stand for the analyser's ranges, and these are what
 * readelf and objdump list.
 */
class FunctionRangesTest {
    private static final Path NOWHERE = Path.of("/nonexistent");
    private static final Path LIBRARIES = Path.of("/usr/lib/x86_64-linux-gnu");
    private static final Pattern CIE = Pattern.compile("([0-9a-f]+) [0-9a-f]+ [0-9a-f]+ CIE.*");
    private static final Pattern AUGMENTATION = Pattern.compile(" +Augmentation: +\"(.*)\"");
    private static final Pattern FDE =
            Pattern.compile(".* FDE cie=([0-9a-f]+) pc=([0-9a-f]+)\\.\\.([0-9a-f]+)");
    private static final Pattern STUB = Pattern.compile("([0-9a-f]+) <(.*@plt)>:");

    /** Twenty of them and a few programs, as far as they are there. */
    static Stream<Path> modules() {
        Stream<Path> libraries = Stream.of(
                        "c.so.6",
                        "m.so.6",
                        "stdc++.so.6",
                        "gcc_s.so.1",
                        "z.so.1",
                        "lzma.so.5",
                        "selinux.so.1",
                        "pcre2-8.so.0",
                        "acl.so.1",
                        "tinfo.so.6",
                        "crypt.so.1",
                        "gmp.so.10",
                        "lz4.so.1",
                        "gpg-error.so.0",
                        "udev.so.1",
                        "uuid.so.1",
                        "cap.so.2",
                        "audit.so.1",
                        "pam.so.0",
                        "resolv.so.2",
                        "zstd.so.1",
                        "nettle.so.8",
                        "gcrypt.so.20",
                        "crypto.so.3",
                        "Zydis.so.4.0")
                .map(name -> LIBRARIES.resolve("lib" + name));
        Stream<Path> programs =
                Stream.of("/bin/ls", "/usr/bin/perl", "/usr/sbin/nginx").map(Path::of);
        return Stream.concat(libraries, programs).filter(Files::exists);
    }

    private static String range(long start, long end) {
        return String.format("%x..%x", start, end);
    }

    private static Set<String> rows(CodeFunctions functions, int kind) {
        Set<String> rows = new TreeSet<>();
        for (int row = 0; row < functions.count(); row++) {
            if (functions.is(row, kind)) {
                rows.add(range(functions.start(row), functions.end(row)));
            }
        }
        return rows;
    }

    @ParameterizedTest
    @MethodSource("modules")
    void shouldBeTheSameForNamesAndForTheAnalyser(Path file) throws Exception {
        CodeFunctions functions = Analysed.functions(file);
        ElfModule module = Analysed.open(file, NOWHERE);
        for (ElfSymbol named : module.functions()) {
            long end = functions.endOf(named.address());
            if (end > named.address()) {
                assertEquals(range(named.address(), end), range(named.address(), named.end()));
            }
        }
        for (int row = 0; row < functions.count(); row++) {
            if (functions.is(row, SharedLayout.FUNCTION_ENTRY)) {
                ElfSymbol named = module.function(functions.start(row));
                assertNotNull(named, file + " " + Long.toHexString(functions.start(row)));
                assertEquals(functions.start(row), named.address(), named::toString);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("modules")
    void shouldBeWhatReadelfListsAsSymbols(Path file) throws Exception {
        Set<String> listed = new TreeSet<>();
        for (String line : CommandOutput.lines("readelf", "-sW", file.toString())) {
            String[] fields = line.strip().split("\\s+");
            if (fields.length >= 7
                    && Set.of("FUNC", "IFUNC").contains(fields[3])
                    && !fields[6].equals("UND")) {
                long start = Long.parseUnsignedLong(fields[1], 16);
                listed.add(range(start, start + Long.decode(fields[2])));
            }
        }
        assertEquals(listed, rows(Analysed.functions(file), SharedLayout.FUNCTION_SYMBOL));
    }

    @ParameterizedTest
    @MethodSource("modules")
    void shouldBeWhatReadelfListsOfTheUnwindTable(Path file) throws Exception {
        Set<String> listed = new TreeSet<>();
        Set<String> signals = new TreeSet<>();
        String common = "";
        for (String line :
                CommandOutput.linesAtAnyStatus("readelf", "--debug-dump=frames", file.toString())) {
            Matcher cie = CIE.matcher(line);
            Matcher augmentation = AUGMENTATION.matcher(line);
            Matcher fde = FDE.matcher(line);
            if (cie.matches()) {
                common = shortened(cie.group(1));
            } else if (augmentation.matches() && augmentation.group(1).contains("S")) {
                signals.add(common);
            } else if (fde.matches() && !signals.contains(shortened(fde.group(1)))) {
                long start = Long.parseUnsignedLong(fde.group(2), 16);
                long end = Long.parseUnsignedLong(fde.group(3), 16);
                if (end > start) {
                    listed.add(range(start, end));
                }
            }
        }
        assertTrue(!listed.isEmpty(), file.toString());
        assertEquals(listed, rows(Analysed.functions(file), SharedLayout.FUNCTION_UNWIND));
    }

    /** readelf prints one number with eight digits and with sixteen. */
    private static String shortened(String number) {
        return Long.toHexString(Long.parseUnsignedLong(number, 16));
    }

    @ParameterizedTest
    @MethodSource("modules")
    void shouldBeWhereObjdumpShowsStubs(Path file) throws Exception {
        CodeFunctions functions = Analysed.functions(file);
        ElfModule module = Analysed.open(file, NOWHERE);
        Set<Long> stubs = new TreeSet<>();
        for (int row = 0; row < functions.count(); row++) {
            if (functions.is(row, SharedLayout.FUNCTION_STUB) && functions.where(row) != 0) {
                stubs.add(functions.start(row));
            }
        }
        Set<Long> shown = new TreeSet<>();
        for (String line : CommandOutput.lines(
                "objdump", "-d", "-j", ".plt", "-j", ".plt.got", "-j", ".plt.sec", file + "")) {
            Matcher stub = STUB.matcher(line);
            if (stub.matches()) {
                long address = Long.parseUnsignedLong(stub.group(1), 16);
                shown.add(address);
                ElfSymbol named = module.function(address);
                assertNotNull(named, line);
                assertEquals(address, named.address(), line);
                assertTrue(named.name().endsWith("@plt"), named + " " + line);
            }
        }
        Assumptions.assumeTrue(!shown.isEmpty(), file + " has no PLT");
        assertEquals(shown, stubs);
    }
}

package dev.madt.resolver.dwarf;

import dev.madt.resolver.CommandOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Says what llvm-symbolizer and addr2line say of addresses, one process for all of them. */
final class Symbolizer {
    /** A level of a chain: function, {@code file:line}. */
    record Level(String function, String place) {}

    private Symbolizer() {}

    /** The chains of llvm-symbolizer, innermost function first. */
    static List<List<Level>> llvm(Path program, List<Long> addresses)
            throws IOException, InterruptedException {
        List<List<Level>> chains = new ArrayList<>();
        List<Level> chain = new ArrayList<>();
        List<String> lines = run(
                addresses,
                "llvm-symbolizer",
                "--no-demangle",
                "--inlines",
                "-e",
                program.toString());
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).isEmpty()) {
                chains.add(List.copyOf(chain));
                chain.clear();
            } else {
                String place = lines.get(i + 1);
                chain.add(new Level(lines.get(i++), place.substring(0, place.lastIndexOf(':'))));
            }
        }
        return chains;
    }

    /** The chains of addr2line. */
    static List<List<Level>> binutils(Path program, List<Long> addresses)
            throws IOException, InterruptedException {
        List<List<Level>> chains = new ArrayList<>();
        List<Level> chain = null;
        List<String> lines =
                run(addresses, "addr2line", "-a", "-i", "-f", "-e", program.toString());
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("0x")) {
                chain = new ArrayList<>();
                chains.add(chain);
            } else {
                String place = lines.get(i + 1).replaceFirst(" \\(discriminator \\d+\\)", "");
                chain.add(new Level(lines.get(i++), place));
            }
        }
        return chains;
    }

    private static List<String> run(List<Long> addresses, String... command)
            throws IOException, InterruptedException {
        Path input = Files.createTempFile("madt-addresses", ".txt");
        try {
            Files.write(
                    input,
                    addresses.stream()
                            .map(address -> "0x" + Long.toHexString(address))
                            .toList());
            return CommandOutput.lines("sh", "-c", String.join(" ", command) + " < " + input);
        } finally {
            Files.delete(input);
        }
    }
}

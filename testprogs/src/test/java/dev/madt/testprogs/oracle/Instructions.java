package dev.madt.testprogs.oracle;

import dev.madt.testprogs.Disassembly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Single instructions of large modules, by objdump: the few that a rule is asked about. Kept for
 * all tests.
 */
final class Instructions {
    private record Key(Path module, long address) {}

    private static final Map<Key, String> TEXTS = new ConcurrentHashMap<>();
    /** The longest instruction; prefixes that objdump splits off are not shorter. */
    private static final int LONGEST = 15;

    private Instructions() {}

    /** The instruction at an address of a file, as {@link Disassembly} has it. */
    static String text(Path module, long address) throws IOException {
        String text = TEXTS.get(new Key(module, address));
        if (text == null) {
            text = disassemble(module, address);
            TEXTS.put(new Key(module, address), text);
        }
        return text;
    }

    private static String disassemble(Path module, long address) throws IOException {
        Process objdump = new ProcessBuilder(
                        "objdump",
                        "-d",
                        "--no-show-raw-insn",
                        "-w",
                        "--start-address=" + address,
                        "--stop-address=" + (address + LONGEST),
                        module.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(objdump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Disassembly.parse(output.lines().toList()).at(address);
    }
}

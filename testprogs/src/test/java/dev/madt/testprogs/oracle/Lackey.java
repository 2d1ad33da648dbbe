package dev.madt.testprogs.oracle;

import dev.madt.testprogs.Access;
import dev.madt.testprogs.Disassembly;
import dev.madt.testprogs.ProgramFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program under Valgrind's Lackey, the oracle. A machine without Valgrind fails the test:
 * the set-up installs it.
 */
final class Lackey {
    private Lackey() {}

    static List<Access> trace(ProgramFile program, Disassembly disassembly)
            throws IOException, InterruptedException {
        return trace(program, disassembly, false);
    }

    /** {@code withStack}: the accesses to the stack too. */
    static List<Access> trace(ProgramFile program, Disassembly disassembly, boolean withStack)
            throws IOException, InterruptedException {
        Path log = Files.createTempFile("lackey", ".log");
        try {
            Process valgrind = new ProcessBuilder(
                            "valgrind",
                            "--tool=lackey",
                            "--trace-mem=yes",
                            "--vex-iropt-level=0",
                            "--trace-symtab=yes",
                            "--trace-syscalls=yes",
                            "--log-file=" + log,
                            program.path().toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!valgrind.waitFor(10, TimeUnit.MINUTES)) {
                valgrind.destroyForcibly();
                throw new IOException("Lackey did not end within 10 minutes on " + program.path());
            }
            if (valgrind.exitValue() != 0) {
                throw new IOException(
                        "Lackey ended with status " + valgrind.exitValue() + " on " + program.path()
                                + "; its log is "
                                + Files.copy(
                                        log,
                                        Path.of("target", "lackey-failed.log"),
                                        StandardCopyOption.REPLACE_EXISTING));
            }
            return LackeyLog.read(log, program, disassembly.function("main"), withStack);
        } finally {
            Files.delete(log);
        }
    }
}

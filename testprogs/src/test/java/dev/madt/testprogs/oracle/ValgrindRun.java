package dev.madt.testprogs.oracle;

import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a program under a tool of Valgrind's, or alone, in the environment in which all witnesses
 * run: glibc chooses the same functions, whatever the processor, and oracle/frames.c stands before
 * them under Valgrind. A machine without Valgrind fails the test: the set-up installs it.
 */
final class ValgrindRun {
    /**
     * Holds what glibc may not use: Valgrind 3.19 has no AVX-512 and no transactions, and its
     * processor is an Intel whatever this one is. So what glibc prefers for one vendor is chosen
     * here, and limits that it derives from the sizes of caches. Nor has Valgrind restartable
     * sequences.
     */
    static final String TUNABLES =
            "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD,-ERMS,-FSRM,-RTM,"
                    + "-Prefer_ERMS,-Prefer_FSRM,-Prefer_No_VZEROUPPER,"
                    + "-Prefer_PMINUB_for_stringop,-Slow_BSF,-Slow_SSE4_2,-Fast_Copy_Backward,"
                    + "-Fast_Rep_String,-Fast_Unaligned_Copy,-Fast_Unaligned_Load:"
                    + "glibc.cpu.x86_data_cache_size=32768:"
                    + "glibc.cpu.x86_shared_cache_size=1048576:"
                    + "glibc.cpu.x86_non_temporal_threshold=786432:glibc.pthread.rseq=0";

    /** Five seconds on a quiet machine, for a C++ program. */
    private static final int LIMIT_SECONDS = 600;

    private static final Path FRAMES = MadtRun.program("oracle/libframes.so");

    private ValgrindRun() {}

    /** The command with the tunables and more variables. */
    static List<String> inEnvironment(List<String> command, String... variables) {
        List<String> whole = new ArrayList<>(List.of("env", "GLIBC_TUNABLES=" + TUNABLES));
        whole.addAll(List.of(variables));
        whole.addAll(command);
        return whole;
    }

    /**
     * Reads and writes of each instruction from main on: {@link CallgrindCounts} reads the file.
     */
    static MadtRun callgrind(Path directory, Path program, Path file)
            throws IOException, InterruptedException {
        return valgrind(
                directory,
                program,
                "--tool=callgrind",
                "--dump-instr=yes",
                "--cache-sim=yes",
                "--zero-before=main",
                "--skip-plt=no",
                "--compress-strings=no",
                "--compress-pos=no",
                "--callgrind-out-file=" + file,
                "--log-file=" + file + ".log");
    }

    /** All accesses: {@link LackeyThreads} reads the log. */
    static MadtRun lackey(Path directory, Path program, Path log)
            throws IOException, InterruptedException {
        return valgrind(
                directory,
                program,
                "--tool=lackey",
                "--trace-mem=yes",
                "--trace-symtab=yes",
                "--trace-syscalls=yes",
                "--trace-sched=yes",
                "--log-file=" + log);
    }

    private static MadtRun valgrind(Path directory, Path program, String... options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("valgrind", "--vex-iropt-level=0"));
        command.addAll(List.of(options));
        command.add(program.toString());
        return MadtRun.command(
                directory, inEnvironment(command, "LD_PRELOAD=" + FRAMES), LIMIT_SECONDS);
    }
}

package dev.madt.testprogs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A program that nobody wrote: csmith's for a seed. */
final class RandomProgram {
    private RandomProgram() {}

    /**
     * Makes and builds it.
     *
     * @param build compiler and options
     */
    static Path build(Path directory, int seed, List<String> build) throws Exception {
        Path source = directory.resolve("random.c");
        Path program = directory.resolve("random");
        MadtRun.command(directory, List.of("csmith", "--seed", Integer.toString(seed), "-o", source.toString())).expect(0);
        List<String> command = new ArrayList<>(build);
        Collections.addAll(command, "-w", "-I/usr/include/csmith", source.toString(), "-o", program.toString());
        MadtRun.command(directory, command).expect(0);
        return program;
    }
}

package dev.madt.testprogs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A program that nobody wrote: csmith's for a seed. */
public final class RandomProgram {
    /**
     * Every level, instructions that Valgrind does not know, no position independence, no symbols,
     * nothing aligned.
     */
    private static final List<String> BUILDS = List.of(
            "gcc -O0",
            "gcc -O1",
            "gcc -O2",
            "gcc -O3",
            "gcc -Os",
            "gcc -O3 -march=native",
            "gcc -O2 -fno-pie -no-pie",
            "gcc -O2 -s",
            "clang -O2",
            "gcc -O1 -fno-omit-frame-pointer",
            "clang -O0",
            "gcc -O0 -fno-pie -no-pie",
            "gcc -O2 -flto -falign-functions=1 -falign-loops=1 -falign-jumps=1",
            "clang -O3 -march=native");

    private RandomProgram() {}

    /** Compilers and options take turns: those for a seed. */
    public static List<String> turn(int seed) {
        return List.of(BUILDS.get(Math.floorMod(seed, BUILDS.size())).split(" "));
    }

    /**
     * Makes and builds it.
     *
     * @param build compiler and options
     */
    public static Path build(Path directory, int seed, List<String> build) throws Exception {
        Path source = directory.resolve("random.c");
        Path program = directory.resolve("random");
        MadtRun.command(
                        directory,
                        List.of(
                                "csmith",
                                "--seed",
                                Integer.toString(seed),
                                "-o",
                                source.toString()))
                .expect(0);
        List<String> command = new ArrayList<>(build);
        Collections.addAll(
                command,
                "-w",
                "-I/usr/include/csmith",
                source.toString(),
                "-o",
                program.toString());
        MadtRun.command(directory, command).expect(0);
        return program;
    }
}

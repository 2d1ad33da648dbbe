package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** As {@link ChainsIT}, of other compilers and languages, and of programs that Debian ships. */
@Soak
class ChainsSoakIT {
    private static final int MOST = 10_000;
    private static final int LEAST = 30;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gcc -O0 -fomit-frame-pointer",
                "gcc -O3",
                "gcc -Os",
                "gcc -O2 -flto",
                "clang -O0",
                "clang -O2"
            })
    void shouldEqualGdbInC(String compiler) throws Exception {
        assumeThere("/usr/bin/" + compiler.split(" ")[0]);
        compare(List.of(ChainedPrograms.c(directory, compiler.split(" "))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "g++ -O0",
                "g++ -O3 -flto -mavx2",
                "g++ -Os -fomit-frame-pointer",
                "clang++ -O2 -mavx2",
                "clang++ -O0"
            })
    void shouldEqualGdbInCxx(String compiler) throws Exception {
        assumeThere("/usr/bin/" + compiler.split(" ")[0]);
        compare(List.of(ChainedPrograms.cxx(directory, compiler.split(" "))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-O0", "-O2", "-O3"})
    void shouldEqualGdbInFortran(String level) throws Exception {
        assumeThere("/usr/bin/gfortran");
        compare(List.of(ChainedPrograms.built(
                directory, "chained.f90", ChainedPrograms.FORTRAN, level, "gfortran")));
    }

    @Test
    void shouldEqualGdbInRust() throws Exception {
        String path = System.getenv("PATH");
        Assumptions.assumeTrue(
                List.of(path.split(":")).stream()
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "rustc"))),
                "no rustc");
        compare(List.of(ChainedPrograms.built(
                directory, "chained.rs", ChainedPrograms.RUST, "-O", "rustc")));
    }

    /** Its runtime maps memory at other times in each run: what its C does is compared. */
    @Test
    void shouldEqualGdbInGo() throws Exception {
        assumeThere("/usr/bin/go");
        find(List.of(ChainedPrograms.go(directory)), "MCRF");
    }

    static List<List<String>> programs() {
        return List.of(
                ChainedPrograms.SQLITE,
                List.of("/usr/bin/python3", "-I", "-S", "-c", "print(sorted([3, 1, 2]))"),
                List.of("/usr/bin/perl", "-e", "print join ',', map { $_ x 3 } 1 .. 100"),
                List.of("/usr/bin/bc", "-l", "/dev/null"),
                List.of("/usr/bin/lua5.4", "-e", "t = {} for i = 1, 100 do t[i] = i .. '' end"));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldEqualGdbInProgramsOfDebian(List<String> command) throws Exception {
        assumeThere(command.get(0));
        compare(command);
    }

    @Test
    void shouldEqualGdbInGit() throws Exception {
        assumeThere("/usr/bin/git");
        MadtRun.command(
                        directory,
                        List.of(
                                "sh",
                                "-c",
                                "git init -q r && cd r && for i in 1 2 3 4 5; do seq $i 40 > f$i;"
                                        + " git add . && git -c user.name=a -c user.email=a@b"
                                        + " commit -qm \"$i\"; done"))
                .expect(0);
        compare(List.of(
                "/usr/bin/git",
                "-C",
                directory.resolve("r").toString(),
                "-c",
                "safe.directory=*",
                "log",
                "--stat"));
    }

    /** One of its libraries allocates as often as the clock has it. */
    @Test
    void shouldEqualGdbInFfmpeg() throws Exception {
        List<String> command = List.of(
                "/usr/bin/ffmpeg",
                "-v",
                "error",
                "-nostats",
                "-f",
                "lavfi",
                "-i",
                "testsrc=duration=1:size=64x64:rate=5",
                "-f",
                "null",
                "-");
        assumeThere(command.get(0));
        find(command, "MCRFPEU");
    }

    private void find(List<String> command, String kinds) throws Exception {
        tell(command, new ChainOracle(directory).find(command, MOST, kinds));
    }

    private static void assumeThere(String program) {
        Assumptions.assumeTrue(Files.isExecutable(Path.of(program)), "no " + program);
    }

    private void compare(List<String> command) throws Exception {
        tell(command, new ChainOracle(directory).compare(command, MOST));
    }

    private void tell(List<String> command, int compared) throws Exception {
        int cut = new ChainOracle(directory).cut();
        System.out.printf(
                "%s: %,d chains, %,d cut short%n", String.join(" ", command), compared, cut);
        assertTrue(compared >= LEAST, compared + " calls");
        assertTrue(1000L * cut <= compared, cut + " are cut short");
    }
}

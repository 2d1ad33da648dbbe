package dev.madt.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The C sources of the tests, compiled on first use into target/test-programs. */
public final class NativeProgram {
    private static final Path OUT = Path.of("target", "test-programs").toAbsolutePath();
    private static final Path LAYOUT =
            Path.of("..", "..", "madt-native", "include", "madt_layout.h");

    private NativeProgram() {}

    public static Path program(String name, String... options)
            throws IOException, InterruptedException {
        return build(name, OUT.resolve(name + String.join("", options)), options);
    }

    static Path library(String name) throws IOException, InterruptedException {
        return build(name, OUT.resolve("lib" + name + ".so"), "-shared", "-fPIC");
    }

    private static boolean isNewer(Path made, Path source) throws IOException {
        return Files.getLastModifiedTime(made).compareTo(Files.getLastModifiedTime(source)) > 0;
    }

    private static synchronized Path build(String name, Path out, String... options)
            throws IOException, InterruptedException {
        Path source = Path.of("src", "test", "c", name + ".c").toAbsolutePath();
        if (Files.exists(out) && isNewer(out, source) && isNewer(out, LAYOUT)) {
            return out;
        }
        Files.createDirectories(OUT);
        List<String> command = new ArrayList<>(List.of(
                "gcc",
                "-std=c11",
                "-D_GNU_SOURCE",
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-I" + LAYOUT.getParent(),
                "-pthread",
                source.toString(),
                "-o",
                out.toString()));
        command.addAll(List.of(options));
        MadtProcess.Outcome outcome = MadtProcess.finish(new ProcessBuilder(command));
        if (outcome.status() != 0) {
            throw new IOException(outcome.err());
        }
        return out;
    }
}

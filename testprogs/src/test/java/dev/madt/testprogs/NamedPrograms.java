package dev.madt.testprogs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Assumptions;

/**
 * Programs of names/, which have several functions, variables and types of one name. Those of C++
 * are built with the other test programs, others when they are asked for.
 */
public final class NamedPrograms {
    /** Programs of C++. */
    public static final List<String> CPP = List.of(
            "templates",
            "namespaces",
            "lambdas",
            "hidden",
            "local",
            "overloads",
            "headers",
            "modules",
            "sorted",
            "smart",
            "threads",
            "counts");

    /** Programs of Fortran and Rust. */
    public static final List<String> OTHERS = List.of(
            "modules.f90",
            "allocated.f90",
            "common.f90",
            "generics.rs",
            "traits.rs",
            "closures.rs");

    /** Programs of Go, whose library is built with them. */
    public static final List<String> GO = List.of("generics.go", "closures.go");

    private static final Map<String, Path> BUILT = new ConcurrentHashMap<>();

    private NamedPrograms() {}

    /** The program of a source file, or of C++. */
    public static Path of(String name) {
        return name.contains(".")
                ? BUILT.computeIfAbsent(name, NamedPrograms::build)
                : MadtRun.program("names").resolve(name);
    }

    private static Path build(String name) {
        try {
            Path folder = Files.createTempDirectory("madt-names");
            String source =
                    MadtRun.root().resolve("testprogs/names").resolve(name).toString();
            Path program = folder.resolve(name.replace('.', '_'));
            List<String> command = new ArrayList<>(compiler(name, folder));
            Assumptions.assumeTrue(
                    MadtRun.command(folder, List.of("sh", "-c", "command -v " + command.get(0)))
                                    .status()
                            == 0,
                    () -> command.get(0) + " is not installed");
            command.addAll(List.of("-o", program.toString(), source));
            MadtRun.command(folder, withEnvironment(command, folder)).expect(0);
            return program;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> compiler(String name, Path folder) {
        return switch (name.substring(name.indexOf('.') + 1)) {
            case "f90" -> List.of("gfortran", "-g", "-O0", "-J", folder.toString());
            case "rs" ->
                List.of(
                        "rustc",
                        "-g",
                        "-Z",
                        "unstable-options",
                        "-C",
                        "symbol-mangling-version="
                                + (name.equals("closures.rs") ? "legacy" : "v0"));
            default -> List.of("go", "build", "-buildmode=pie", "-ldflags=-linkmode=external");
        };
    }

    private static List<String> withEnvironment(List<String> command, Path folder) {
        List<String> words = new ArrayList<>(List.of(
                "env",
                "RUSTC_BOOTSTRAP=1", // for the older names
                "GO111MODULE=off",
                "CGO_ENABLED=1",
                "GOCACHE=" + folder.resolve("cache")));
        words.addAll(command);
        return words;
    }
}

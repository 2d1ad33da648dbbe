package dev.madt.resolver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The output of a tool that the tests trust: nm, readelf, objdump, gcc. A tool that fails fails the
 * test.
 */
public final class CommandOutput {
    private CommandOutput() {}

    public static List<String> lines(String... command) throws IOException, InterruptedException {
        return lines(false, command);
    }

    /** The same of readelf, which ends with 1 where it lacks what a file links to. */
    public static List<String> linesAtAnyStatus(String... command)
            throws IOException, InterruptedException {
        return lines(true, command);
    }

    private static List<String> lines(boolean atAnyStatus, String... command)
            throws IOException, InterruptedException {
        Path errors = Files.createTempFile("madt-tool", ".err");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
            builder.environment().put("LC_ALL", "C");
            Process process = builder.start();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            if (status != 0 && !atAnyStatus) {
                throw new IOException(String.join(" ", command) + ": status " + status + ", "
                        + Files.readString(errors));
            }
            return output.lines().toList();
        } finally {
            Files.delete(errors);
        }
    }

    /** Compiles a C source text and returns the program. */
    public static Path compile(Path folder, String name, String source, String... options)
            throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve(name + ".c"), source);
        Path program = folder.resolve(name);
        List<String> command = new java.util.ArrayList<>(
                List.of("gcc", "-g", "-O1", "-fno-builtin", "-o", program.toString()));
        command.addAll(List.of(options));
        command.add(file.toString());
        lines(command.toArray(String[]::new));
        return program;
    }
}

package dev.madt.cli;

import dev.madt.console.Messages;
import dev.madt.console.ResultStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs madt in a JVM of its own, as users do, with {@code no_shim} and {@code no_code} in the place
 * of the native libraries.
 */
public final class MadtProcess {
    /** Says what a finished process left. */
    public record Outcome(int status, String out, String err) {}

    private static final int LIMIT_SECONDS = 600;

    private MadtProcess() {}

    /** The command line that starts madt with these arguments. */
    public static List<String> command(String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-MaxFDLimit",
                "--enable-native-access=ALL-UNNAMED", // else newer Java warns
                "-Dmadt.libmadt.so=" + NativeProgram.library("no_shim"),
                "-Dmadt.home=" + System.getProperty("madt.home"),
                "-Dmadt.libmadtcode.so=" + NativeProgram.library("no_code"),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.madt.cli.Main"));
        command.addAll(List.of(arguments));
        return command;
    }

    public static Outcome run(String... arguments) throws IOException, InterruptedException {
        return finish(new ProcessBuilder(command(arguments)));
    }

    /** Runs madt in this JVM, as far as it needs nothing of a process. */
    static Outcome here(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
        ResultStream.redirect(out);
        try {
            int status = Main.run(arguments, new Messages(errors), errors);
            return new Outcome(
                    status,
                    out.toString(StandardCharsets.UTF_8),
                    err.toString(StandardCharsets.UTF_8));
        } finally {
            ResultStream.release();
        }
    }

    /** Starts any command and takes its output. */
    public static Outcome finish(ProcessBuilder builder) throws IOException, InterruptedException {
        Path out = Files.createTempFile("madt-test", ".out");
        Path err = Files.createTempFile("madt-test", ".err");
        try {
            Process process = builder.redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(
                        "no end after " + LIMIT_SECONDS + " s: " + Files.readString(err));
            }
            return new Outcome(
                    process.exitValue(),
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }
}

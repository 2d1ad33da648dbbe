package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A madt command that ended with status 0.
 *
 * @param peak the launcher's VmHWM in KiB as it was last seen
 */
public record MeasuredRun(String output, String errors, long peak) {
    private static final int LIMIT_MINUTES = 60;

    /** Runs {@code ./madt ARGUMENTS} in the given directory. */
    public static MeasuredRun madt(Path directory, List<String> arguments)
            throws IOException, InterruptedException {
        Path output = directory.resolve("out.txt");
        Path errors = directory.resolve("errors.txt");
        List<String> command = new ArrayList<>(List.of(MadtRun.launcher().toString()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(LIMIT_MINUTES);
        long peak = 0;
        do {
            peak = Math.max(peak, peak(process.pid()));
            assertTrue(System.nanoTime() < end, () -> "a command hangs: " + command);
        } while (!process.waitFor(20, TimeUnit.MILLISECONDS));
        String said = Files.readString(errors);
        assertEquals(0, process.exitValue(), () -> command + ": " + said);
        return new MeasuredRun(Files.readString(output), said, peak);
    }

    private static long peak(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0; // it has ended
        }
    }
}

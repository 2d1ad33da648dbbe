package dev.madt.testprogs;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process of {@link WarmMadt}, which runs a command in a fifth of the time that the launcher
 * needs. Each thread of the tests takes one that nobody uses, or starts one. It is as the launcher
 * would start it but for the main class, and ends with this JVM, or after a number of commands:
 * what they leave in it is not without a limit.
 */
final class WarmLauncher {
    private static final int MOST_COMMANDS = 200;
    private static final String JAVA = "JAVA_HOME";

    private static final Deque<WarmLauncher> IDLE = new ArrayDeque<>();
    private static Path environment;
    private static boolean built;

    private final Process process;
    private final DataOutputStream commands;
    private final DataInputStream statuses;
    private int left = MOST_COMMANDS;
    /** Names the programs that were running when the time was over; null before. */
    private volatile String running;

    private WarmLauncher() throws IOException {
        process = new ProcessBuilder(java())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        commands = new DataOutputStream(process.getOutputStream());
        statuses = new DataInputStream(process.getInputStream());
    }

    private static List<String> java() throws IOException {
        Path target = MadtRun.root().resolve("cli/command/target");
        Path zstd;
        try (Stream<Path> files = Files.list(target.resolve("lib/linux/amd64"))) {
            zstd = files.filter(file -> file.toString().endsWith(".so"))
                    .findFirst()
                    .orElseThrow();
        }
        return List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx1g",
                "-XX:-UsePerfData",
                "-XX:-MaxFDLimit",
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.io=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.fs=ALL-UNNAMED",
                "-Dmadt.home=" + MadtRun.root(),
                "-DZstdNativePath=" + zstd,
                "-Djffi.boot.library.path=" + target.resolve("lib/jni/x86_64-Linux"),
                "-cp",
                target.resolve("madt.jar") + ":"
                        + MadtRun.root().resolve("testprogs/target/test-classes"),
                WarmMadt.class.getName());
    }

    /**
     * Runs a command, without input.
     *
     * @param words behind {@code madt}
     * @param environment the file with the variables, see {@link #file}
     * @param output what standard output goes to; errors as well, if both are one file
     * @param limit seconds
     * @return its status
     * @throws IOException if it has not ended in time, with what was running
     */
    static int run(
            Path directory,
            List<String> words,
            Path environment,
            Path output,
            Path errors,
            int limit)
            throws IOException, InterruptedException {
        WarmLauncher launcher = take();
        Thread guard = new Thread(() -> launcher.endAfter(limit), "limit of " + words);
        guard.setDaemon(true);
        guard.start();
        try {
            launcher.commands.writeUTF(directory.toAbsolutePath().toString());
            launcher.commands.writeUTF(environment.toString());
            launcher.commands.writeUTF(output.toString());
            launcher.commands.writeUTF(errors.toString());
            launcher.commands.writeInt(words.size());
            for (String word : words) {
                launcher.commands.writeUTF(word);
            }
            launcher.commands.flush();
            int status = launcher.statuses.readInt();
            guard.interrupt();
            guard.join();
            launcher.giveBack();
            return status;
        } catch (EOFException e) {
            throw new IOException(words + " " + launcher.end(), e);
        }
    }

    private void endAfter(int limit) {
        try {
            TimeUnit.SECONDS.sleep(limit);
            running = "did not end within " + limit + " s; running: " + MadtRun.endAll(process);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it has ended in time
        }
    }

    /** Returns how the process came to its end. */
    private String end() throws InterruptedException {
        int status = process.waitFor();
        return running == null ? "ended its JVM with status " + status : running;
    }

    private static WarmLauncher take() throws IOException, InterruptedException {
        synchronized (IDLE) {
            if (!IDLE.isEmpty()) {
                return IDLE.pop();
            }
            if (!built) {
                build();
                built = true;
            }
        }
        return new WarmLauncher();
    }

    /** Returns the file with the environment of this JVM. */
    static Path environment() throws IOException {
        synchronized (IDLE) {
            if (environment == null) {
                Map<String, String> own = new ProcessBuilder().environment(); // in its order
                own.put(JAVA, System.getProperty("java.home"));
                environment = file(own);
                environment.toFile().deleteOnExit();
            }
            return environment;
        }
    }

    private void giveBack() throws IOException {
        left--;
        if (left == 0) {
            commands.close();
            return;
        }
        synchronized (IDLE) {
            IDLE.push(this);
        }
    }

    /** Has the launcher make what it starts, if that is not there. */
    private static void build() throws IOException, InterruptedException {
        Path directory = Path.of("").toAbsolutePath();
        MadtRun.command(directory, List.of(MadtRun.launcher().toString(), "--version"))
                .expect(0);
    }

    /** Writes variables, and the Java of the test, into a file for a command. */
    static Path file(Map<String, String> environment) throws IOException {
        Map<String, String> variables = new LinkedHashMap<>(environment);
        variables.put(JAVA, System.getProperty("java.home"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            bytes.write((variable.getKey() + "=" + variable.getValue() + "\0")
                    .getBytes(StandardCharsets.UTF_8));
        }
        return Files.write(Files.createTempFile("madt-environment", ""), bytes.toByteArray());
    }
}

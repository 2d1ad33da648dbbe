package dev.madt.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Holds what this process got from its caller, byte for byte, before the shell and the JVM changed
 * it: arguments, environment, ignored and blocked signals, open descriptors. The launcher script
 * passes what cannot be seen any more in properties.
 */
public final class Caller {
    private static final String MAIN = "dev.madt.cli.Main";

    private static Long ignored;
    private static List<byte[]> environment;

    private Caller() {}

    /**
     * The arguments of the program as bytes. They are the last of this process; Java's own strings
     * of them depend on the locale. In a process that was not started as madt, as in a test, they
     * are encoded.
     */
    public static List<byte[]> arguments(List<String> program) throws IOException {
        List<byte[]> all = strings(Files.readAllBytes(Path.of("/proc/self/cmdline")));
        byte[] main = MAIN.getBytes(StandardCharsets.UTF_8);
        return all.stream().anyMatch(word -> Arrays.equals(word, main))
                ? all.subList(all.size() - program.size(), all.size())
                : program.stream()
                        .map(argument -> argument.getBytes(StandardCharsets.UTF_8))
                        .toList();
    }

    /**
     * The command of this process up to its main class: the same Java with the same options, but
     * for the file of the environment, which only this process has open.
     */
    public static List<String> launcher() throws IOException {
        List<String> all = commandLine();
        List<String> command = new ArrayList<>(all.subList(0, all.indexOf(MAIN) + 1));
        command.removeIf(word -> word.startsWith("-Dmadt.environment="));
        return command;
    }

    /** The words of the user's command, from its name on. */
    public static List<String> words() throws IOException {
        List<String> all = commandLine();
        return all.subList(all.indexOf(MAIN) + 1, all.size());
    }

    private static List<String> commandLine() throws IOException {
        List<String> all = strings(Files.readAllBytes(Path.of("/proc/self/cmdline"))).stream()
                .map(word -> new String(word, StandardCharsets.UTF_8))
                .toList();
        if (!all.contains(MAIN)) {
            throw new IOException("this process was not started as madt");
        }
        return all;
    }

    /** {@code NAME=VALUE} entries in their order. */
    public static synchronized List<byte[]> environment() throws IOException {
        if (environment == null) {
            environment = Environment.joined(readEnvironment(), System.getenv("GLIBC_TUNABLES"));
        }
        return environment;
    }

    private static List<byte[]> readEnvironment() throws IOException {
        String saved = System.getProperty("madt.environment", "");
        if (!saved.isEmpty()) {
            byte[] bytes = Files.readAllBytes(Path.of(saved));
            if (bytes.length > 0) {
                return strings(bytes);
            }
        }
        return strings(Files.readAllBytes(Path.of("/proc/self/environ")));
    }

    public static List<byte[]> strings(byte[] bytes) {
        List<byte[]> strings = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                strings.add(Arrays.copyOfRange(bytes, start, i));
                start = i + 1;
            }
        }
        return strings;
    }

    /**
     * Signals (bit N - 1 for signal N) that were ignored when madt started; the first call must
     * come before madt changes any.
     */
    public static synchronized long ignoredSignals() throws IOException {
        if (ignored == null) {
            ignored = signals("madt.ignored", "SigIgn:");
        }
        return ignored;
    }

    /** Signals that were blocked when madt started. */
    static long blockedSignals() throws IOException {
        return signals("madt.blocked", "SigBlk:");
    }

    /**
     * Returns what the script saw, or else what its first thread has, which the JVM leaves alone.
     */
    private static long signals(String property, String key) throws IOException {
        String saved = System.getProperty(property, "");
        long pid = ProcessHandle.current().pid();
        return saved.isEmpty()
                ? statusMask("/proc/self/task/" + pid + "/status", key)
                : Long.parseUnsignedLong(saved, 16);
    }

    static long statusMask(String file, String key) throws IOException {
        for (String line : Files.readAllLines(Path.of(file), StandardCharsets.ISO_8859_1)) {
            if (line.startsWith(key)) {
                return Long.parseUnsignedLong(line.substring(key.length()).strip(), 16);
            }
        }
        return 0;
    }

    /** Descriptors that the caller had open, or null if nobody saved them. */
    static Set<Integer> openDescriptors() {
        String saved = System.getProperty("madt.open", "");
        if (saved.isEmpty()) {
            return null;
        }
        Set<Integer> open = new HashSet<>();
        for (String number : saved.split(",")) {
            if (!number.isEmpty()) {
                open.add(Integer.valueOf(number));
            }
        }
        return open;
    }

    /**
     * A descriptor of the caller's directory if that has been deleted, so that this process cannot
     * be in it from the start; negative otherwise.
     */
    static int deletedDirectory() {
        return Integer.getInteger("madt.directory", -1);
    }
}

package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command run three times from the same start, each in a copy of a folder that a script has
 * filled, with the times of its files: alone, under {@code madt run}, and under {@code strace -f}.
 * What it writes, to its outputs and into files, and its status must be the same with and without
 * MadT; and {@code madt info} must list every process that strace sees.
 */
public final class Comparison {
    private static final Pattern CHILD = Pattern.compile(
            "(?:v?fork|clone3?)\\(.*= ([0-9]+)$|<\\.\\.\\. (?:v?fork|clone3?) resumed>.*="
                    + " ([0-9]+)$");
    private static final Pattern PROCESS = Pattern.compile("(?m)^  ([0-9]+) ");

    private final Path directory;
    private final String script;
    private final List<String> options;

    /**
     * @param script shell lines that make the files which the command needs
     * @param options more options of {@code madt run}
     */
    public Comparison(Path directory, String script, List<String> options) {
        this.directory = directory;
        this.script = script;
        this.options = options;
    }

    /** Says what remains of one run. */
    private record Outcome(MadtRun run, Map<String, String> files) {}

    /** Runs the command and compares; returns the traces, the first process's first. */
    public List<Path> check(List<String> command) throws IOException, InterruptedException {
        Outcome plain = run("plain", command);
        Path traces = Files.createDirectory(directory.resolve("traces"));
        List<String> traced = new ArrayList<>(List.of(
                MadtRun.launcher().toString(),
                "run",
                "--log",
                directory.resolve("log").toString(),
                "-o",
                traces.resolve("t.madt").toString()));
        traced.addAll(options);
        traced.add("--");
        traced.addAll(command);
        Outcome under = run("traced", traced);
        assertEquals(plain.run().errors(), under.run().errors(), "stderr");
        assertArrayEquals(
                plain.run().output(),
                under.run().output(),
                () -> "stdout: " + plain.run().text() + "\n---\n" + under.run().text());
        assertEquals(plain.run().status(), under.run().status(), () -> "status; " + log());
        assertEquals(plain.files(), under.files(), "files");
        checkProcesses(command, traces.resolve("t.madt"));
        try (Stream<Path> files = Files.list(traces)) {
            return files.sorted(Comparator.comparing(Path::toString)).toList();
        }
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private Outcome run(String name, List<String> command)
            throws IOException, InterruptedException {
        Path filled = directory.resolve("filled");
        if (!Files.exists(filled)) {
            MadtRun.command(Files.createDirectory(filled), List.of("sh", "-ec", script))
                    .expect(0);
        }
        Path folder = Files.createDirectory(directory.resolve(name)).resolve("work");
        MadtRun.command(directory, List.of("cp", "-a", filled.toString(), folder.toString()))
                .expect(0);
        MadtRun run = MadtRun.command(folder, command);
        return new Outcome(run, contents(folder));
    }

    /** Every file below the folder with what is in it. */
    private static Map<String, String> contents(Path folder) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(file).toString();
                contents.put(
                        name,
                        unrepeatable(name)
                                ? ""
                                : new String(
                                        Files.readAllBytes(file),
                                        java.nio.charset.StandardCharsets.ISO_8859_1));
            }
        }
        return contents;
    }

    /** Git's index holds times. */
    private static boolean unrepeatable(String name) {
        return name.contains(".git/");
    }

    /** As many processes in {@code info} as strace sees, and every trace whole. */
    private void checkProcesses(List<String> command, Path first)
            throws IOException, InterruptedException {
        Path strace = directory.resolve("strace");
        List<String> watched = new ArrayList<>(
                List.of("strace", "-f", "-e", "trace=process", "-o", strace.toString()));
        watched.addAll(command);
        run("watched", watched);
        String info =
                MadtRun.madt(directory, "info", first.toString()).expect(0).text();
        Set<String> listed = new HashSet<>();
        Matcher rows = PROCESS.matcher(info);
        while (rows.find()) {
            listed.add(rows.group(1));
        }
        assertEquals(processes(strace), listed.size(), () -> "processes; strace against\n" + info);
        assertEquals(
                0,
                info.lines()
                        .filter(line -> line.contains("not traced") && !neverAnImage(line))
                        .count(),
                info);
    }

    /**
     * A child of vfork that ended, or found nothing to execute, before it had an image of its own;
     * a shell whose loader ends by reading the time stamp counter, which the program has forbidden.
     */
    private static boolean neverAnImage(String line) {
        return line.matches(
                        " +\\d+ +(/nonexistent|\\S*/(processes|children|i386)), child of \\d+, exit"
                                + " \\d+, not traced")
                || line.matches(" +\\d+ +/bin/sh, child of \\d+, signal SIGSEGV, not traced");
    }

    /** The first process and all that were made by a call without CLONE_THREAD. */
    private static int processes(Path strace) throws IOException {
        int processes = 1;
        Set<String> threadCalls = new HashSet<>();
        for (String line :
                Files.readAllLines(strace, java.nio.charset.StandardCharsets.ISO_8859_1)) {
            String pid = line.substring(0, line.indexOf(' '));
            boolean thread = line.contains("CLONE_THREAD");
            if (thread && line.contains("unfinished")) {
                threadCalls.add(pid);
            }
            if (CHILD.matcher(line).find()
                    && !thread
                    && !(line.contains("resumed") && threadCalls.remove(pid))) {
                processes++;
            }
        }
        return processes;
    }

    /** Accesses of all traces, each of which must be whole. */
    public static long accesses(List<Path> traces) throws IOException {
        long accesses = 0;
        for (Path trace : traces) {
            accesses += TraceFile.check(trace).accesses();
        }
        assertTrue(!traces.isEmpty(), "no trace");
        return accesses;
    }
}

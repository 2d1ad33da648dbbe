package dev.madt.session;

import dev.madt.console.Failure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Calls {@code madt-inject}, which brings libmadt.so into a process that runs, and takes it out
 * again. That is a program of its own, so that the JVM traces nobody.
 */
final class Injector {
    /**
     * Says what has been done.
     *
     * @param nanos how long the process stood still
     * @param base where the library is, hexadecimal; empty where it has been taken out
     * @param summed modules whose text was read while the process stood still
     * @param asked modules for which it had to ask the launcher then
     */
    record Done(long nanos, String base, int summed, int asked, Followed followed) {}

    /**
     * Threads that madt-inject goes on to trace, until their waits end.
     *
     * @param seconds at most
     */
    record Followed(int threads, long seconds) {
        static final Followed NONE = new Followed(0, 0);
    }

    private static final String KILLED = "madt-inject was killed. The process goes on, unrecorded;"
            + " what was left in it, its next recording takes out";

    private final Path program;
    private final int failureStatus;

    /** @param failureStatus of what the injector refuses */
    Injector(Path program, int failureStatus) {
        this.program = program;
        this.failureStatus = failureStatus;
    }

    /**
     * Brings the library in. Until then the injector puts what it has found into the session:
     * {@link StoppedThreads}, the process's map, and the blocks of its heaps.
     *
     * @param preparation prepares modules that the process has loaded meanwhile
     * @throws Failure and the process is as it was
     */
    Done attach(int pid, Path library, Path session, Consumer<List<Path>> preparation)
            throws Failure, IOException {
        return run(
                preparation,
                "attach",
                Integer.toString(pid),
                library.toString(),
                session.toString());
    }

    /**
     * Has a process leave that has been told to, in threads that wait with a limit; others it asks
     * itself.
     *
     * @return whether there are such threads
     */
    boolean leave(int pid, Path library, String base) throws IOException {
        try {
            run(modules -> {}, "leave", Integer.toString(pid), library.toString(), base);
            return true;
        } catch (Failure e) {
            return false; // it is asked as if there were none
        }
    }

    /**
     * Unmaps what a process has left behind that has left MadT.
     *
     * @param base where the library is
     * @param ranges file of their addresses
     * @throws Failure and it all stays mapped
     */
    Done takeOut(int pid, Path library, String base, Path ranges) throws Failure, IOException {
        return run(
                modules -> {},
                "out",
                Integer.toString(pid),
                library.toString(),
                base,
                ranges.toString());
    }

    private Done run(Consumer<List<Path>> preparation, String... arguments)
            throws Failure, IOException {
        List<String> command = new ArrayList<>();
        command.add(program.toString());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<Path> modules = new ArrayList<>();
        String refusal = "madt-inject ended without a word";
        Done done = null;
        try (BufferedReader lines = new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                OutputStream answers = process.getOutputStream()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", 2);
                switch (words[0]) {
                    case "module" -> modules.add(Path.of(words[1]));
                    case "prepare" -> {
                        preparation.accept(List.copyOf(modules));
                        modules.clear();
                        answer(answers);
                    }
                    case "done" -> {
                        String[] what = words[1].split(" ");
                        boolean came = what.length > 1;
                        done = new Done(
                                Long.parseLong(what[0]),
                                came ? what[1] : "",
                                came ? Integer.parseInt(what[2]) : 0,
                                came ? Integer.parseInt(what[3]) : 0,
                                Followed.NONE);
                    }
                    case "follows" -> {
                        String[] what = words[1].split(" ");
                        done = new Done(
                                done.nanos(),
                                done.base(),
                                done.summed(),
                                done.asked(),
                                new Followed(Integer.parseInt(what[0]), Long.parseLong(what[1])));
                    }
                    case "refused" -> refusal = words[1];
                    default -> throw new IOException("madt-inject says: " + line);
                }
            }
        }
        if (done == null) {
            throw new Failure(failureStatus, (wasKilled(process) ? KILLED : refusal) + ".");
        }
        return done;
    }

    private static boolean wasKilled(Process process) {
        try {
            return process.waitFor() > TargetProcess.SIGNALS_FROM;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void answer(OutputStream answers) {
        try {
            answers.write('\n');
            answers.flush();
        } catch (IOException e) {
            // it has ended, and has said why
        }
    }
}

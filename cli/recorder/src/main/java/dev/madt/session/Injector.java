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
     * A thread of the process, as it was stopped.
     *
     * @param stack its stack pointer
     * @param storage the base of FS: its thread-local storage
     */
    record StoppedThread(int tid, long stack, long storage) {}

    /**
     * Says what has been done.
     *
     * @param nanos how long the process stood still
     * @param base where the library is, hexadecimal
     */
    record Done(long nanos, String base) {}

    private static final int HEXADECIMAL = 16;

    private final Path program;
    private final int failureStatus;

    /** @param failureStatus of what the injector refuses */
    Injector(Path program, int failureStatus) {
        this.program = program;
        this.failureStatus = failureStatus;
    }

    /**
     * Brings the library in.
     *
     * @param stopped is told of the threads as soon as all are stopped
     * @throws Failure and the process is as it was
     */
    Done attach(int pid, Path library, Path session, Consumer<List<StoppedThread>> stopped)
            throws Failure, IOException {
        return run(
                List.of("attach", Integer.toString(pid), library.toString(), session.toString()),
                stopped);
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
                List.of("out", Integer.toString(pid), library.toString(), base, ranges.toString()),
                threads -> {});
    }

    private Done run(List<String> arguments, Consumer<List<StoppedThread>> stopped)
            throws Failure, IOException {
        List<String> command = new ArrayList<>();
        command.add(program.toString());
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<StoppedThread> threads = new ArrayList<>();
        String refusal = "madt-inject ended without a word";
        Done done = null;
        try (BufferedReader lines = new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                OutputStream answers = process.getOutputStream()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", 2);
                switch (words[0]) {
                    case "thread" -> threads.add(thread(words[1]));
                    case "stopped" -> {
                        stopped.accept(List.copyOf(threads));
                        goOn(answers);
                    }
                    case "again" -> threads.clear();
                    case "done" -> {
                        String[] what = words[1].split(" ");
                        done = new Done(Long.parseLong(what[0]), what[what.length - 1]);
                    }
                    case "refused" -> refusal = words[1];
                    default -> throw new IOException("madt-inject says: " + line);
                }
            }
        }
        if (done == null) {
            throw new Failure(failureStatus, refusal + ".");
        }
        return done;
    }

    /** The library may come in now: what is known of the threads is where it is needed. */
    private static void goOn(OutputStream answers) {
        try {
            answers.write('\n');
            answers.flush();
        } catch (IOException e) {
            // it has ended, and has said why
        }
    }

    private static StoppedThread thread(String text) {
        String[] words = text.split(" ");
        return new StoppedThread(
                Integer.parseInt(words[0]),
                Long.parseUnsignedLong(words[1], HEXADECIMAL),
                Long.parseUnsignedLong(words[2], HEXADECIMAL));
    }
}

package dev.madt.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Says where {@code madt ctl} asks a running recording: in the session's directory, which nobody
 * but its owner may enter, a file with the question and one with the answer. Both appear whole. One
 * question waits at a time; who asks meanwhile waits with theirs.
 */
public final class ControlBox {
    private static final String QUESTION = "question";
    private static final long POLL_MILLIS = 10;
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    /**
     * A question.
     *
     * @param client the process that asks
     * @param words a command, and perhaps what it is about
     */
    public record Question(long client, String words) {}

    /**
     * An answer.
     *
     * @param done false: the text says why the command was not carried out
     */
    public record Answer(boolean done, String text) {}

    private final Path directory;

    public ControlBox(Path directory) {
        this.directory = directory;
    }

    /** The question that waits, which is taken out; null if none does that can be answered. */
    public Question take() throws IOException {
        Path file = directory.resolve(QUESTION);
        if (!Files.exists(file)) {
            return null;
        }
        String[] parts = Files.readString(file).split(" ", 2);
        Files.delete(file);
        boolean whole = parts.length == 2 && parts[0].matches("[0-9]{1,18}");
        return whole ? new Question(Long.parseLong(parts[0]), parts[1]) : null;
    }

    /** Answers a question. */
    public void answer(Question question, Answer answer) throws IOException {
        put(answerTo(question.client()), (answer.done() ? "+" : "-") + answer.text());
    }

    /**
     * Asks, and waits for the answer as long as the recording works on it; null if it is over, or
     * takes no questions.
     */
    public Answer ask(String words) throws IOException, InterruptedException {
        long client = ProcessHandle.current().pid();
        Path question = directory.resolve(QUESTION);
        try {
            if (!putQuestion(question, client + " " + words)) {
                return null;
            }
            return await(question, answerTo(client));
        } catch (NoSuchFileException e) {
            return null; // the directory has gone with the recording
        }
    }

    private boolean putQuestion(Path question, String text)
            throws IOException, InterruptedException {
        Path written = Files.writeString(
                directory.resolve(QUESTION + "." + ProcessHandle.current().pid()), text);
        long begun = System.nanoTime();
        try {
            while (System.nanoTime() - begun < PATIENCE_NANOS) {
                try {
                    Files.createLink(question, written);
                    return true;
                } catch (FileAlreadyExistsException e) {
                    Thread.sleep(POLL_MILLIS);
                }
            }
            return false;
        } finally {
            Files.deleteIfExists(written);
        }
    }

    private Answer await(Path question, Path file) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (!Files.exists(file)) {
            boolean late = System.nanoTime() - begun > PATIENCE_NANOS;
            if (!Files.exists(directory) || late && Files.deleteIfExists(question)) {
                return null;
            }
            Thread.sleep(POLL_MILLIS);
        }
        String text = Files.readString(file);
        Files.deleteIfExists(file);
        return new Answer(text.startsWith("+"), text.substring(1));
    }

    private Path answerTo(long client) {
        return directory.resolve("answer." + client);
    }

    private static void put(Path file, String text) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(part, text, StandardCharsets.UTF_8);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }
}

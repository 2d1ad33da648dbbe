package dev.madt.console;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/**
 * Takes a command's result to where it goes: standard output, or a file that appears under its name
 * only when it is whole. Until then it is beside it under another one, and whatever ends the
 * command early (an error, Ctrl-C) takes it away.
 */
public final class ResultFile implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final Path file;
    private final Path partial;
    private final boolean overwrite;
    private final OutputStream out;
    private final Thread removal;
    private boolean whole;

    private ResultFile(Path file, boolean overwrite, OutputStream out) {
        this.file = file;
        this.partial = null;
        this.overwrite = overwrite;
        this.out = out;
        this.removal = null;
    }

    /** Makes a file with another name: a command that is ended leaves none, also just then. */
    private ResultFile(Path file, boolean overwrite) throws IOException {
        this.file = file;
        this.partial = file.resolveSibling(
                file.getFileName() + ".part" + ProcessHandle.current().pid());
        this.overwrite = overwrite;
        this.removal = new Thread(this::remove);
        Runtime.getRuntime().addShutdownHook(removal);
        this.out = new NamedOutput(Files.newOutputStream(partial), file);
    }

    public static Options addTo(Options options) {
        return options.addOption("f", "force", false, "overwrite a file that exists")
                .addOption(Option.builder("o")
                        .longOpt("output")
                        .hasArg()
                        .argName("FILE")
                        .desc("write the result to FILE (-: standard output)")
                        .get());
    }

    /** Returns whether the result gets colours: on a terminal, or where the user wants them. */
    public static boolean coloured(CommandLine line) throws Failure {
        return Terminal.coloured(line) && line.getOptionValue("output", "-").equals("-");
    }

    /** Opens what {@code -o} names; standard output without it, or for {@code -}. */
    public static ResultFile open(CommandLine line) throws Failure {
        return open(line, "-");
    }

    /** As above, but without {@code -o} the file with this name. */
    public static ResultFile open(CommandLine line, String otherwise) throws Failure {
        String name = line.getOptionValue("output", otherwise);
        if (name.equals("-")) {
            return new ResultFile(
                    null, false, new BufferedOutputStream(new ResultStream(), BUFFER));
        }
        Path file = Path.of(name);
        boolean there = Files.exists(file);
        if (there && Files.isRegularFile(file) && !line.hasOption("force")) {
            throw new Failure(
                    Status.FAILED,
                    "cannot write " + file + ": the file exists. Use -f to overwrite it.");
        }
        try {
            if (there && !Files.isRegularFile(file)) {
                return new ResultFile(
                        file, true, new NamedOutput(Files.newOutputStream(file), file));
            }
            return new ResultFile(file, line.hasOption("force"));
        } catch (IOException e) {
            throw new Failure(
                    Status.FAILED, "cannot write " + file + ": " + Reason.cause(e) + ".", e);
        }
    }

    /** The stream; a command flushes it by {@link #finish}. */
    public OutputStream out() {
        return out;
    }

    /**
     * Returns the file that becomes the result, for those who write it by its name and not by
     * {@link #out}; null where the result goes to something that is open already, such as standard
     * output, and perhaps cannot be opened again.
     */
    public Path path() {
        return partial;
    }

    /** Everything is written: the result takes its name. */
    public void finish(Messages messages) throws IOException {
        out.close();
        if (partial != null) {
            move();
        }
        whole = true;
        if (file != null) {
            messages.say("wrote " + file);
        }
    }

    /** Names the file where it cannot be written: the disk does not. */
    private static final class NamedOutput extends BufferedOutputStream {
        private final Path file;

        NamedOutput(OutputStream out, Path file) {
            super(out, BUFFER);
            this.file = file;
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int count) throws IOException {
            try {
                super.write(bytes, from, count);
            } catch (IOException e) {
                throw unwritten(file, e);
            }
        }

        @Override
        public synchronized void write(int value) throws IOException {
            try {
                super.write(value);
            } catch (IOException e) {
                throw unwritten(file, e);
            }
        }

        @Override
        public synchronized void flush() throws IOException {
            try {
                super.flush();
            } catch (IOException e) {
                throw unwritten(file, e);
            }
        }
    }

    /** Returns a fault of who writes {@link #path}, with the name that the user knows. */
    public IOException unwritten(IOException fault) {
        return unwritten(file, fault);
    }

    private static IOException unwritten(Path file, IOException fault) {
        return new IOException("cannot write " + file + ": " + Reason.cause(fault), fault);
    }

    private void move() throws IOException {
        if (overwrite) {
            Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
            return;
        }
        try {
            Files.move(partial, file);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(
                    "cannot write " + file
                            + ": the file has come into being meanwhile. Use -f to overwrite it",
                    e);
        }
    }

    private void remove() {
        try {
            Files.deleteIfExists(partial);
        } catch (IOException e) {
            // it stays, under a name that says that it is a part
            return;
        }
    }

    @Override
    public void close() throws IOException {
        if (!whole && partial != null) {
            out.close();
            remove();
        }
        if (removal != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(removal);
            } catch (IllegalStateException e) {
                return; // the hook is running
            }
        }
    }
}

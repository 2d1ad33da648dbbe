package dev.madt.view.toolkit;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Draws one process of a run into a file, or with {@code --all} each of them into the same one. */
public final class ProcessDrawing {
    /** Draws one process. */
    public interface Pen {
        /**
         * Draws the process of a trace.
         *
         * @param remarks is given what is to be said when the file has been written
         * @return the exit status, below 0 where there is nothing to draw
         */
        int draw(Path trace, OutputStream out, List<Runnable> remarks) throws Failure, IOException;
    }

    private final String command;
    private final Messages messages;
    private final List<Runnable> remarks = new ArrayList<>();

    /** @param command its name, for what is said */
    public ProcessDrawing(String command, Messages messages) {
        this.command = command;
        this.messages = messages;
    }

    /**
     * Writes the file, if there is anything to draw.
     *
     * @param text several processes come one behind the other, and not on a page
     * @return the exit status
     */
    public int write(List<Path> traces, ResultFile result, boolean text, Pen pen)
            throws Failure, IOException {
        int status = traces.size() == 1
                ? pen.draw(traces.get(0), result.out(), remarks)
                : drawAll(traces, result.out(), text, pen);
        if (status >= 0) {
            result.finish(messages);
            remarks.forEach(Runnable::run);
        }
        return Math.abs(status);
    }

    private int drawAll(List<Path> traces, OutputStream out, boolean text, Pen pen)
            throws Failure, IOException {
        ProcessPages pages = new ProcessPages();
        int status = Status.DONE;
        for (Path trace : traces) {
            ByteArrayOutputStream drawn = new ByteArrayOutputStream();
            int one = pen.draw(trace, drawn, remarks);
            status = Math.max(status, Math.abs(one));
            String name = trace.getFileName().toString();
            if (one >= 0 && text) {
                out.write((name + ":\n").getBytes(StandardCharsets.UTF_8));
                drawn.writeTo(out);
                out.write('\n');
            } else if (one >= 0) {
                pages.add(name, drawn::writeTo);
            }
        }
        if (!text) {
            pages.write(out);
        }
        if (pages.left() > 0) {
            remarks.add(() -> messages.say("no room on the page for " + pages.left() + " of "
                    + traces.size() + " processes: madt " + command
                    + " draws each alone."));
        }
        return status;
    }
}

package dev.madt.pipeline;

import dev.madt.trace.event.TraceEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Follows a process as a stage of a pipeline: where its standard input and output lead, and how
 * long it waited there.
 */
public final class Stage {
    private static final int READ = 0;
    private static final int WRITE = 1;
    private static final int READV = 19;
    private static final int WRITEV = 20;
    private static final String PIPE = "pipe:";
    private static final int MOST_LOOKS = 6;

    private final int pid;
    private final String name;
    private String input = "";
    private String output = "";
    private int looks;
    private long begin;
    private long end;
    private long inInput;
    private long inOutput;
    private long paused;

    /** @param program the file that the process executes, which stands still for now */
    public Stage(int pid, String program) {
        this(pid, Path.of(program).getFileName().toString(), "", "");
        look();
    }

    Stage(int pid, String name, String input, String output) {
        this.pid = pid;
        this.name = name;
        this.input = input;
        this.output = output;
    }

    /** A child of fork has the descriptors of its parent first, and gets its own soon. */
    private void look() {
        looks++;
        input = pipe(READ, input);
        output = pipe(WRITE, output);
    }

    private String pipe(int descriptor, String known) {
        try {
            String leads = Files.readSymbolicLink(Path.of("/proc/" + pid + "/fd/" + descriptor))
                    .toString();
            return leads.startsWith(PIPE) ? leads : "";
        } catch (IOException e) {
            return known;
        }
    }

    /** Takes what the process did. */
    public void take(TraceEvent event) {
        if (event instanceof TraceEvent.Recording recording) {
            begin(recording.time());
        } else if (event instanceof TraceEvent.SystemCall call) {
            begin(call.begin()); // a child of fork is recorded already
            take(call);
        } else if (event instanceof TraceEvent.Pause pause) {
            paused += pause.length();
        } else if (event instanceof TraceEvent.Exit exit) {
            end = exit.time();
        }
    }

    private void begin(long time) {
        if (begin == 0) {
            begin = time;
            end = time;
        }
    }

    private void take(TraceEvent.SystemCall call) {
        int number = (int) call.number();
        boolean reads = call.first() == READ && (number == READ || number == READV);
        boolean writes = call.first() == WRITE && (number == WRITE || number == WRITEV);
        if (looks < MOST_LOOKS) {
            look();
        }
        inInput += reads ? call.length() : 0;
        inOutput += writes ? call.length() : 0;
        end = Math.max(end, call.begin() + call.length());
    }

    String name() {
        return name;
    }

    /** Returns the pipe that it reads; empty: its input is none. */
    String input() {
        return input;
    }

    /** Returns the pipe that it writes; empty: its output is none. */
    String output() {
        return output;
    }

    /** Returns how long it ran, in ticks. */
    long lasted() {
        return end - begin;
    }

    /** Returns the ticks in which it waited neither for input nor for room, nor for MadT. */
    long own() {
        long waited = (input.isEmpty() ? 0 : inInput) + (output.isEmpty() ? 0 : inOutput);
        return Math.max(0, lasted() - waited - paused);
    }

    /** Returns whether it is in a pipeline and ran at all. */
    boolean isPart() {
        return begin != 0 && !(input.isEmpty() && output.isEmpty());
    }
}

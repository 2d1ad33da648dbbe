package dev.madt.collector;

import dev.madt.console.Numbers;
import dev.madt.console.Reason;
import dev.madt.guard.InstrumentControl;
import dev.madt.modules.Instruments;
import dev.madt.session.ControlBox;
import dev.madt.session.ControlBox.Answer;
import dev.madt.trace.event.SystemCallEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Answers what {@code madt ctl} asks of a recording while it runs. */
final class RecordingControl {
    private static final long LOOK_NANOS = 50_000_000;
    /** So long an answer waits at most: a process may be stopped. */
    private static final long PATIENCE_NANOS = 2_000_000_000;

    private static final double NANOS = 1e9;
    /** Asks where the traces are. */
    private static final String TRACES = "traces";

    private final ControlBox box;
    private final TraceOutputs outputs;
    private final InstrumentControl instruments;
    private final Adder adder;
    private final Instant begun = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private long looked;
    /** Null where no answer is held back. */
    private Held held;
    /** Null where the program was started by this process. */
    private Runnable detacher;

    /** Null where no instrument is being added. */
    private InstrumentAddition addition;

    /** An answer that waits for processes to do what it says; null: it is not known yet. */
    private record Held(ControlBox.Question question, Answer answer, long until) {}

    /** Begins to add instruments. */
    interface Adder {
        /** @param option as {@link dev.madt.modules.Instruments#option} makes it */
        InstrumentAddition add(String[] option, List<ProcessRecorder> recorders);
    }

    /** @param adder null: none can be added */
    RecordingControl(
            ControlBox box, TraceOutputs outputs, InstrumentControl instruments, Adder adder) {
        this.box = box;
        this.outputs = outputs;
        this.instruments = instruments;
        this.adder = adder;
    }

    /** Returns whether it is time to look for a question. */
    boolean isDue() {
        return held != null || System.nanoTime() - looked > LOOK_NANOS;
    }

    /** Answers the question that waits, if one does. */
    void answer(List<ProcessRecorder> recorders) throws IOException {
        looked = System.nanoTime();
        ControlBox.Question question = held == null ? box.take() : null;
        if (question != null) {
            Answer answer = answer(question.words(), recorders);
            held = new Held(question, answer, looked + PATIENCE_NANOS);
        }
        if (held != null && addition != null) {
            Answer answer = addition.answer(recorders);
            addition = answer == null ? addition : null;
            held = new Held(held.question(), answer, looked + PATIENCE_NANOS);
        }
        if (held != null
                && held.answer() != null
                && (looked - held.until() > 0
                        || recorders.stream().noneMatch(RecordingControl::isToFollow))) {
            box.answer(held.question(), held.answer());
            held = null;
        }
    }

    private Answer answer(String words, List<ProcessRecorder> recorders) {
        if (words.startsWith(InstrumentControl.ADD)) {
            return add(words.split(InstrumentControl.BETWEEN, -1), recorders);
        }
        return switch (words) {
            case "status" -> new Answer(true, status(recorders));
            case "dump" -> dump(recorders);
            case TRACES -> traces(recorders);
            case "start" -> askForWindow(true, recorders);
            case "stop" -> askForWindow(false, recorders);
            case "detach" -> detach();
            default -> instruments(words.split(" ", 2), recorders);
        };
    }

    private Answer instruments(String[] words, List<ProcessRecorder> recorders) {
        boolean names = words.length == 2;
        try {
            return switch (words[0]) {
                case "at" ->
                    instruments.list(
                            recorders.stream().map(ProcessRecorder::serial).toList());
                case "enable", "disable" ->
                    names
                            ? instruments.turn(words[1], words[0].equals("enable"))
                            : new Answer(false, words[0] + " takes a number, a place or all.");
                default ->
                    new Answer(false, "the recording does not know what '" + words[0] + "' is.");
            };
        } catch (IOException e) {
            return new Answer(false, "instruments cannot be switched: " + Reason.of(e));
        }
    }

    /** Returns whether triggers of a process have still to follow switches. */
    private static boolean isToFollow(ProcessRecorder recorder) {
        return !recorder.hasEnded() && recorder.switches().areDue();
    }

    /** Begins to add an instrument; null: the answer comes later. */
    private Answer add(String[] words, List<ProcessRecorder> recorders) {
        String[] option = Instruments.option("", "");
        if (words.length != option.length + 1) {
            return new Answer(false, "the recording does not know this: it is of another madt.");
        }
        if (adder == null) {
            return new Answer(
                    false,
                    "instruments need engine splice: record without --engine trap to set some.");
        }
        addition = adder.add(Arrays.copyOfRange(words, 1, words.length), List.copyOf(recorders));
        return null;
    }

    private String status(List<ProcessRecorder> recorders) {
        StringBuilder text = new StringBuilder();
        text.append("recording by process ").append(ProcessHandle.current().pid());
        text.append(" since ").append(begun).append('\n');
        for (ProcessRecorder recorder : recorders) {
            text.append(status(recorder)).append('\n');
            calls(recorder).forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }

    private static String status(ProcessRecorder recorder) {
        TraceFrames frames = recorder.trace().frames();
        long kept = frames.numbered() + frames.hits();
        EventTally forgotten = frames.forgotten();
        long gone = forgotten == null ? 0 : forgotten.all() + forgotten.hits();
        Path file = recorder.trace().sink().file();
        return "  " + recorder.pid() + " " + recorder.trace().program() + ": "
                + (recorder.isRecording() ? "on, " : "off, ")
                + (gone == 0
                        ? Numbers.counted(kept, "event", "events")
                        : "the last " + Numbers.grouped(kept) + " of "
                                + Numbers.grouped(kept + gone) + " events")
                + (file == null ? "" : ", " + file);
    }

    /** In which system calls threads are; what they did when a window closed is long over. */
    private List<String> calls(ProcessRecorder recorder) {
        if (!recorder.isRecording()) {
            return List.of();
        }
        return recorder.callsNow().stream()
                .map(call -> String.format(
                        Locale.ROOT,
                        "    thread %s is in system call %s, for %,.3f s",
                        Integer.toUnsignedString(call.thread()),
                        SystemCallEvent.name(call),
                        outputs.clock().nanos(call.length()) / NANOS))
                .toList();
    }

    /** Ends the recording; the processes go on. */
    private Answer detach() {
        if (detacher == null) {
            return new Answer(
                    false,
                    "the program was started by madt: its recording ends with it. madt ctl stop"
                            + " closes the window that is open.");
        }
        detacher.run();
        return new Answer(true, "ends the recording; the process goes on\n");
    }

    /** Says what ends the recording of processes that ran before. */
    void detachBy(Runnable action) {
        detacher = action;
    }

    private static Answer askForWindow(boolean open, List<ProcessRecorder> recorders) {
        long asked = recorders.stream()
                .filter(recorder -> recorder.askForWindow(open))
                .count();
        return asked == 0
                ? new Answer(false, "no process that is recorded could be asked.")
                : new Answer(
                        true,
                        "asked " + Numbers.counted(asked, "process", "processes") + " to "
                                + (open ? "open" : "close") + " a window\n");
    }

    /** Has all written that has come so far, and says where: process, file and program. */
    private Answer traces(List<ProcessRecorder> recorders) {
        StringBuilder text = new StringBuilder();
        try {
            for (ProcessRecorder recorder : recorders) {
                ProcessTrace trace = recorder.trace();
                Path file = trace.sink().place();
                if (file == null
                        || !Files.isRegularFile(file)
                        || trace.frames().forgotten() != null) {
                    return new Answer(
                            false,
                            "the recording of process " + recorder.pid()
                                    + " keeps no trace file with all events, from which they could"
                                    + " be counted. Record it so: madt top -- PROG");
                }
                trace.handOver();
                text.append(recorder.pid())
                        .append('\t')
                        .append(file.toAbsolutePath())
                        .append('\t')
                        .append(trace.program())
                        .append('\n');
            }
        } catch (IOException e) {
            return new Answer(false, "the trace cannot be written: " + Reason.of(e));
        }
        return new Answer(true, text.toString());
    }

    private Answer dump(List<ProcessRecorder> recorders) {
        List<String> lines = new ArrayList<>();
        try {
            for (ProcessRecorder recorder : recorders) {
                TraceFrames frames = recorder.trace().frames();
                lines.add("wrote " + outputs.dump(recorder) + ": "
                        + Numbers.counted(frames.numbered() + frames.hits(), "event", "events")
                        + " of process " + recorder.pid());
                lines.addAll(calls(recorder));
            }
        } catch (IOException e) {
            lines.add("cannot write a dump: " + Reason.of(e));
            return new Answer(false, String.join("\n", lines));
        }
        return lines.isEmpty()
                ? new Answer(false, "no process is recorded at the moment.")
                : new Answer(true, String.join("\n", lines) + "\n");
    }
}

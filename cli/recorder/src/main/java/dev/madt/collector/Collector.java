package dev.madt.collector;

import dev.madt.console.Messages;
import dev.madt.console.Numbers;
import dev.madt.console.OldGarbage;
import dev.madt.guard.InstrumentControl;
import dev.madt.guard.SwitchBoard;
import dev.madt.modules.Instruments;
import dev.madt.modules.ModuleTable;
import dev.madt.modules.Scope;
import dev.madt.natives.Libc;
import dev.madt.natives.SharedMapping;
import dev.madt.session.ControlBox;
import dev.madt.session.Engine;
import dev.madt.session.LentFiles;
import dev.madt.session.PassedPrograms;
import dev.madt.session.ProcessStatus;
import dev.madt.session.Registrations;
import dev.madt.session.SessionDirectory;
import dev.madt.session.TargetProcess;
import dev.madt.trace.instrument.Action;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;

/**
 * Drains all processes of a session until the last one has ended. One thread, which waits in one
 * place: on the session's doorbell, longer and longer (1 to 20 ms) while nothing comes, or for the
 * disk where that is behind. Nothing is drained while it is, but processes are taken in and their
 * requests passed on, so that none waits for the disk that has nothing to write. Only when many
 * have ended and wait to be written, others wait to be taken in: memory follows the processes that
 * live, however fast they come and go.
 */
public final class Collector {
    private static final long SHORTEST_WAIT = 1_000_000;
    private static final long LONGEST_WAIT = 20_000_000;
    private static final long DISK_WAIT_MILLIS = 5;
    private static final long END_CHECK = 50_000_000;
    private static final long SAY_WAITING = 1_000_000_000;
    private static final long HAND_OVER = 400_000_000;
    private static final long LONGEST_BEGINNING = 2_000_000_000;
    private static final int MOST_ENDING = 32;
    /** MiB that a recording may use, whatever it needs. */
    private static final int USUAL_HEAP = 40;

    /** A recorder with what tells that its process has ended. */
    private record Watched(ProcessRecorder recorder, int descriptor) {}

    private final SessionDirectory directory;
    private final ModuleService service;
    private final TraceOutputs outputs;
    private final Messages messages;
    private final RecordingControl control;
    private final SwitchBoard switches;
    private final Map<Integer, Watched> live = new TreeMap<>();
    private final List<Integer> waitingSerials = new ArrayList<>();
    /**
     * By serial: of processes that live, and of those that have ended and whose children have not
     * all begun.
     */
    private final Map<Integer, ForkState> forkStates = new HashMap<>();

    private volatile boolean leave;
    private boolean left;
    /** Null where the recording ends with its target. */
    private Runnable whenOver;

    private long firstEnded;
    private long deserted;
    /**
     * Holds those that have ended and have something left to be drained; they are among those that
     * live until it is.
     */
    private final Queue<Watched> ending = new ArrayDeque<>();

    private final OldGarbage garbage = new OldGarbage(USUAL_HEAP);
    private int nextSerial;
    private long lastEndCheck;
    private long handedOver;

    public Collector(
            SessionDirectory directory,
            ModuleService service,
            TraceOutputs outputs,
            Messages messages) {
        this.directory = directory;
        this.service = service;
        this.outputs = outputs;
        this.messages = messages;
        outputs.processes().askForFiles(directory::isThere);
        Instruments instruments = outputs.instruments();
        this.switches = new SwitchBoard(directory, instruments.switches());
        this.control = new RecordingControl(
                new ControlBox(directory.path()),
                outputs,
                new InstrumentControl(switches, instruments.all(), Scope::pattern),
                outputs.engine() == Engine.TRAP
                        ? null
                        : (option, recorders) -> new InstrumentAddition(
                                instruments, service, switches, directory, option, recorders));
    }

    /** Works until the first target and all its descendants that take part have ended. */
    public void run(TargetProcess target) throws IOException {
        switches.start();
        try {
            follow(target);
        } finally {
            switches.stop();
        }
    }

    private void follow(TargetProcess target) throws IOException {
        long wait = SHORTEST_WAIT;
        outputs.followSwitches(target.pid());
        while (true) {
            int rung = directory.doorbell().get();
            boolean ended = target.ended();
            boolean busy = adopt(target) | notePassed() | passAll() | endAll(target);
            answer();
            lookWhetherOver();
            obeyInstruments();
            if (ended && waitingSerials.isEmpty() && over(target)) {
                return;
            }
            if (ended && leave) {
                leaveBehind(target);
                return;
            }
            tellWaiting(ended);
            wait = busy ? SHORTEST_WAIT : Math.min(2 * wait, LONGEST_WAIT);
            await(rung, busy ? 0 : wait);
        }
    }

    /**
     * Says what is to be done when no process will record anything more, for a target that goes on
     * then.
     */
    public void whenOver(Runnable action) {
        whenOver = action;
        control.detachBy(action);
    }

    private void lookWhetherOver() {
        if (whenOver != null
                && !live.isEmpty()
                && live.values().stream().allMatch(watched -> watched.recorder().isOver())) {
            whenOver.run();
            whenOver = null;
        }
    }

    /** Answers what a user asks of the recording. */
    private void answer() throws IOException {
        if (control.isDue()) {
            handOver();
            control.answer(live.values().stream().map(Watched::recorder).toList());
        }
    }

    /** Does what instruments want to be done with the recording: stop, dump. */
    private void obeyInstruments() throws IOException {
        for (Watched watched : List.copyOf(live.values())) {
            Set<Action.Kind> asked = watched.recorder().trace().askedByInstruments();
            if (asked.contains(Action.Kind.DUMP)) {
                messages.say("wrote " + outputs.dump(watched.recorder()));
            }
            if (asked.contains(Action.Kind.STOP)) {
                watched.recorder().askForWindow(false);
            }
        }
    }

    /** Hands over now and then what is counted while it goes on, as little as it may be. */
    private void handOver() throws IOException {
        long now = System.nanoTime();
        if (!outputs.areCounted() || outputs.isBehind() || now - handedOver < HAND_OVER) {
            return;
        }
        handedOver = now;
        for (Watched watched : live.values()) {
            watched.recorder().trace().handOver();
        }
    }

    /**
     * Waits for the disk, if that is behind, or else until the doorbell rings; no longer than so
     * many nanoseconds.
     */
    private void await(int rung, long nanos) throws IOException {
        if (outputs.isBehind()) {
            outputs.awaitRoom(DISK_WAIT_MILLIS);
        } else if (nanos > 0) {
            directory.waiting(true);
            directory.doorbell().await(rung, nanos);
            directory.waiting(false);
        }
    }

    /**
     * Returns whether no process is left, and none that the last ones made is on its way; a child
     * may begin long after its parent has ended.
     */
    private boolean over(TargetProcess target) throws IOException {
        if (!target.ended() || !live.isEmpty() || directory.passed().run()) {
            deserted = 0;
            return false;
        }
        long now = System.nanoTime();
        deserted = deserted == 0 ? now : deserted;
        return now - deserted > LONGEST_BEGINNING
                || !outputs.expectsProcess()
                        && directory.passed().settled(nextSerial - waitingSerials.size());
    }

    /**
     * Ends the recording as soon as the first target has ended; what still runs goes on untraced.
     * Any thread may call it.
     */
    public void leave() {
        leave = true;
        directory.doorbell().signal();
    }

    /** Finishes every trace as it is, since recording has failed; nobody takes part any more. */
    public void abandon(TargetProcess target, IOException reason) {
        for (Watched watched : List.copyOf(live.values())) {
            ProcessTrace trace = watched.recorder().trace();
            trace.fail(reason);
            boolean first = watched.recorder().pid() == target.pid();
            outputs.close(watched.recorder(), first ? target.ending() : ending(watched));
            live.remove(watched.recorder().serial());
        }
    }

    private void leaveBehind(TargetProcess target) throws IOException {
        left = true; // they may go on using their memory for a moment
        directory.disown(); // nobody takes part any more
        passAll();
        for (Watched watched : List.copyOf(live.values())) {
            if (!watched.recorder().hasEnded()) {
                watched.recorder().end();
            }
            while (!watched.recorder().drain()) {
                outputs.awaitRoom(DISK_WAIT_MILLIS);
            }
            finish(watched, target);
        }
    }

    /**
     * Once, when the first target has ended a second ago and others have not. Those that have ended
     * too may still be live here, as their last events are taken.
     */
    private void tellWaiting(boolean ended) {
        long now = System.nanoTime();
        if (!ended || firstEnded < 0) {
            return;
        } else if (firstEnded == 0) {
            firstEnded = now;
        } else if (now - firstEnded > SAY_WAITING) {
            long running = live.values().stream()
                    .filter(watched -> !ProcessStatus.ended(watched.descriptor()))
                    .count();
            if (running == 0 && !live.isEmpty()) {
                firstEnded = now;
                return;
            }
            firstEnded = -1;
            String left = running == 0
                    ? "processes that it left behind still run, none of which is recorded."
                    : Numbers.counted(running, "process", "processes")
                            + " that it left behind still run and are recorded.";
            messages.say(
                    "the program has ended; " + left + " Ctrl-C ends the recording, not them.");
        }
    }

    /** Lists the images that are not recorded. */
    private boolean notePassed() throws IOException {
        List<PassedPrograms.Image> images = directory.passed().take();
        images.forEach(
                image -> outputs.processes().passes(image.pid(), image.parent(), image.program()));
        return !images.isEmpty();
    }

    /** Takes in processes whose files have become complete. */
    private boolean adopt(TargetProcess target) throws IOException {
        int taken = directory.processes();
        while (nextSerial < taken) {
            waitingSerials.add(nextSerial++);
        }
        boolean found = false;
        for (int i = 0; i < waitingSerials.size() && ending.size() < MOST_ENDING; ) {
            int serial = waitingSerials.get(i);
            boolean complete = directory.isComplete(serial);
            if (complete) {
                adopt(serial, directory.control(serial));
                found = true;
            }
            if (complete || over(target)) {
                waitingSerials.remove(i); // taken in, or it died before it was complete
            } else {
                i++;
            }
        }
        return found;
    }

    /**
     * Takes a process in that runs already, before it knows: what it will ask is answered.
     */
    public void adoptRunning(TargetProcess target) throws IOException {
        SharedMapping control = directory.control(0);
        control.bytes().putInt(SharedLayout.Control.PID, target.pid());
        control.bytes().putInt(SharedLayout.Control.PARENT, ProcessStatus.parent(target.pid()));
        adopt(0, control);
        service.prepareAnswers(
                live.get(0).recorder(), new LentFiles(directory.path(), target.pid()));
        nextSerial = 1;
    }

    private void adopt(int serial, SharedMapping control) throws IOException {
        int own = control.bytes().getInt(SharedLayout.Control.PID);
        Registrations.Registration registration = directory.registrations().of(serial);
        int pid = registration == null || registration.pid() == 0 ? own : registration.pid();
        int parent = pid == own
                ? control.bytes().getInt(SharedLayout.Control.PARENT)
                : ProcessStatus.parent(pid);
        boolean forked = control.bytes().getLong(SharedLayout.Control.FORK_TICKET) != 0;
        ForkState forker = forked
                ? forkStates.get(control.bytes().getInt(SharedLayout.Control.PARENT_SERIAL))
                : null;
        ModuleTable modules = forker == null ? service.newTable() : forker.modules();
        outputs.processes().namespaces().add(pid, own, parent);
        ProcessTrace trace = outputs.open(pid, parent, modules, serial == 0 || forked);
        ProcessRecorder recorder =
                new ProcessRecorder(directory, serial, pid, control, modules, trace, forker);
        forkStates.put(serial, trace.forkState());
        live.put(
                serial,
                new Watched(
                        recorder,
                        registration == null
                                ? ProcessStatus.openPid(pid)
                                : registration.descriptor()));
        messages.detail("process " + pid + " takes part as number " + serial);
    }

    private boolean passAll() throws IOException {
        boolean busy = false;
        serveAll();
        for (Watched watched : live.values()) {
            busy |= watched.recorder().pass();
            closeAtSlowCall(watched.recorder());
        }
        outputs.flushText(!busy);
        return busy;
    }

    private void closeAtSlowCall(ProcessRecorder recorder) {
        String call = recorder.trace().slowCall();
        if (call != null) {
            recorder.askForWindow(false);
            Path file = recorder.trace().sink().file();
            messages.say(call + ": what led to it is " + (file == null ? "recorded" : "in " + file)
                    + ".");
        }
    }

    private void serveAll() {
        for (Watched watched : live.values()) {
            if (!watched.recorder().hasEnded()) { // its files are about to be unmapped
                service.serve(watched.recorder());
            }
        }
    }

    /** Drains processes that have ended, and finishes the traces of those that are drained. */
    private boolean endAll(TargetProcess target) throws IOException {
        noteEnded(target);
        boolean finished = false;
        boolean busy = !ending.isEmpty();
        while (!ending.isEmpty()
                && !outputs.isBehind()
                && ending.element().recorder().drain()) {
            finish(ending.remove(), target);
            finished = true;
        }
        if (finished) {
            forkStates
                    .entrySet()
                    .removeIf(entry -> !live.containsKey(entry.getKey())
                            && entry.getValue().isTaken());
        }
        return busy;
    }

    private void noteEnded(TargetProcess target) throws IOException {
        long now = System.nanoTime();
        if (!target.ended() && now - lastEndCheck < END_CHECK) {
            return;
        }
        lastEndCheck = now;
        for (Watched watched : live.values()) {
            ProcessRecorder recorder = watched.recorder();
            if (!recorder.hasEnded()
                    && !service.worksFor(recorder)
                    && hasEnded(watched, target)
                    && !waitsForParent(recorder)) {
                recorder.end();
                ending.add(watched);
            }
        }
    }

    /**
     * Returns whether a process has to wait for the blocks that it has from its parent: the
     * parent's events up to the fork have not all come.
     */
    private boolean waitsForParent(ProcessRecorder recorder) {
        Watched parent = live.get(recorder.parentSerial());
        return parent != null && parent.recorder().isSound() && recorder.waitsForParent();
    }

    private boolean hasEnded(Watched watched, TargetProcess target) {
        boolean first = watched.recorder().pid() == target.pid();
        return replaced(watched.recorder())
                || watched.recorder().isDetached()
                || (first ? target.ended() : ProcessStatus.ended(watched.descriptor()));
    }

    /** Returns whether the same process has gone on with another image. */
    private boolean replaced(ProcessRecorder recorder) {
        for (Watched other : live.values()) {
            if (other.recorder().pid() == recorder.pid()
                    && other.recorder().serial() > recorder.serial()) {
                return true;
            }
        }
        return false;
    }

    private void finish(Watched watched, TargetProcess target) throws IOException {
        ProcessRecorder recorder = watched.recorder();
        boolean replaced = replaced(recorder);
        boolean detached = recorder.isDetached();
        boolean first = recorder.pid() == target.pid() && target.ended() && !replaced && !detached;
        closeAtSlowCall(recorder);
        outputs.tellInstruments(recorder);
        recorder.modules().unrecorded().endTime(recorder.pid());
        recorder.trace().forgetBlocks();
        outputs.close(
                recorder, replaced ? ProcessList.EXEC : first ? target.ending() : ending(watched));
        live.remove(recorder.serial());
        recorder.close();
        garbage.look();
        if (watched.descriptor() >= 0) {
            Libc.close(watched.descriptor());
        }
        if (!left) {
            directory.forget(recorder.serial(), !replaced && ProcessStatus.runs(recorder.pid()));
        }
    }

    /** Null if it still runs, or the kernel does not say. */
    private static String ending(Watched watched) {
        if (watched.recorder().isDetached()) {
            return TargetProcess.DETACHED;
        }
        return ProcessStatus.ended(watched.descriptor())
                ? ProcessStatus.ending(watched.recorder().pid(), watched.descriptor())
                : null;
    }
}

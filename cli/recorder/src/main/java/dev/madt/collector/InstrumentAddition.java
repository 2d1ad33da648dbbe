package dev.madt.collector;

import dev.madt.console.Failure;
import dev.madt.console.Numbers;
import dev.madt.console.Reason;
import dev.madt.guard.SwitchBoard;
import dev.madt.modules.Instruments;
import dev.madt.resolver.InterposedFunctions;
import dev.madt.session.ControlBox.Answer;
import dev.madt.session.SessionDirectory;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Adds an instrument while the recording goes on: a thread of its own reads and plans, then the
 * processes take the plans, and the user is told.
 */
final class InstrumentAddition {
    /** So long the processes have: a thread may be stopped. */
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private final Instruments instruments;
    private final FutureTask<Instruments.Added> work;
    /** By {@link System#nanoTime}; 0: the processes do not know of it yet. */
    private long until;

    /**
     * Begins to add it.
     *
     * @param option as {@link Instruments#option} makes it
     */
    InstrumentAddition(
            Instruments instruments,
            ModuleService service,
            SwitchBoard board,
            SessionDirectory directory,
            String[] option,
            List<ProcessRecorder> recorders) {
        this.instruments = instruments;
        this.work = new FutureTask<>(() -> {
            Instruments.Added added = service.add(option, recorders, 1);
            board.add(added.instrument().number());
            directory.renewPlans(added.generation(), instruments.counts(), instruments.times());
            return added;
        });
        Thread thread = new Thread(work, "instrument");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns what to answer; null: it is not known yet. */
    Answer answer(List<ProcessRecorder> recorders) {
        if (!work.isDone()) {
            return null;
        }
        try {
            return answer(work.get(), recorders);
        } catch (ExecutionException e) {
            return refused(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private static Answer refused(Throwable cause) {
        if (cause instanceof Failure failure) {
            return new Answer(false, failure.getMessage().replaceFirst("^--(at:)", "$1"));
        }
        return new Answer(
                false,
                "the instrument cannot be added: "
                        + (cause instanceof IOException e ? Reason.of(e) : cause.toString()));
    }

    private Answer answer(Instruments.Added added, List<ProcessRecorder> recorders) {
        long now = System.nanoTime();
        until = until == 0 ? now + PATIENCE_NANOS : until;
        if (now - until < 0 && recorders.stream().anyMatch(InstrumentAddition::isDue)) {
            return null;
        }
        int number = added.instrument().number() + 1;
        List<String> wrong = recorders.stream()
                .filter(recorder ->
                        !recorder.hasEnded() && reason(recorder) != SharedLayout.PLANS_TAKEN)
                .map(recorder -> "instrument " + number + " does not stand in process "
                        + recorder.pid() + ": " + why(reason(recorder)))
                .toList();
        if (!wrong.isEmpty()) {
            return new Answer(false, String.join("\n", wrong));
        }
        long places = instruments.places(added.instrument().number());
        boolean unseen = added.instrument().records()
                && InterposedFunctions.contains(added.instrument().place().function());
        return new Answer(
                true,
                "instrument " + number
                        + (places == 0
                                ? " is awaited: it stands in nothing that is loaded so far\n"
                                : " stands at " + Numbers.counted(places, "place", "places") + "\n")
                        + (unseen ? "but " + InterposedFunctions.CALLS_COME_FIRST + "\n" : ""));
    }

    private static boolean isDue(ProcessRecorder recorder) {
        return !recorder.hasEnded() && recorder.switches().plans().areDue();
    }

    /** Returns why it does not stand in some module, or 0. */
    private static int reason(ProcessRecorder recorder) {
        return isDue(recorder)
                ? SharedLayout.PLANS_BUSY
                : recorder.switches().plans().refused();
    }

    private static String why(int reason) {
        return switch (reason) {
            case SharedLayout.PLANS_BUSY ->
                "not all of its threads could be brought to stand still, since one is stopped, or"
                        + " waits where no signal reaches it. It is tried again as long as the"
                        + " recording goes on.";
            case SharedLayout.PLANS_CHANGED ->
                "it has changed the text of the module, or the file is another one by now.";
            case SharedLayout.PLANS_NAMED ->
                "the module has functions that --alloc names. Give the instrument to madt run"
                        + " --at.";
            default -> "there is no room for its code beside the module. Give it to madt run --at.";
        };
    }
}

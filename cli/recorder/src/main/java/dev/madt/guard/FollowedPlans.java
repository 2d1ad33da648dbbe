package dev.madt.guard;

import dev.madt.natives.SharedMapping;
import dev.madt.session.ProcessSignal;
import dev.madt.trace.layout.SharedLayout;
import dev.madt.trace.layout.SharedLayout.Control;
import java.util.function.IntSupplier;

/**
 * Asks a process to take plans with instruments that have come while it runs, until it has done so:
 * not all of its threads may have come to stand still, and a fault may have taken the place of the
 * signal.
 */
public final class FollowedPlans {
    private static final long UNTIL_AGAIN = 300_000_000;
    /** All threads stand still for a tenth of a second where one does not come. */
    private static final long LONGEST = 5_000_000_000L;

    private final int pid;
    private final SharedMapping control;
    private final IntSupplier newest;
    private long againAt;
    private long wait;
    private int told;

    /**
     * @param pid as this process sees it
     * @param newest how often instruments have come
     */
    public FollowedPlans(int pid, SharedMapping control, IntSupplier newest) {
        this.pid = pid;
        this.control = control;
        this.newest = newest;
    }

    /** Returns whether it takes part and has still to do so. */
    public boolean areDue() {
        return control.futex(Control.PLANS).get() != newest.getAsInt()
                && control.futex(Control.LEFT).get() == 0
                && control.futex(Control.STATE).get() == SharedLayout.STATE_READY;
    }

    /** Returns why some modules have none, or the process has not taken any so far. */
    public int refused() {
        return control.futex(Control.PLANS_REFUSED).get();
    }

    /** Asks if something is due that it has not been told of, or a while ago. */
    public void ask() {
        int wanted = newest.getAsInt();
        long now = System.nanoTime();
        if (areDue() && (wanted != told || now - againAt > 0)) {
            int had = control.futex(Control.PLANS).get();
            ProcessSignal.askAgain(pid, control, Control.PLANS, had, SharedLayout.ASK_VALUE);
            wait = wanted == told ? Math.min(2 * wait, LONGEST) : UNTIL_AGAIN;
            told = wanted;
            againAt = now + wait;
        }
    }
}

package dev.madt.guard;

import dev.madt.natives.SharedMapping;
import dev.madt.session.ProcessSignal;
import dev.madt.trace.layout.SharedLayout;
import dev.madt.trace.layout.SharedLayout.Control;
import java.util.function.IntSupplier;

/**
 * Asks a process whose switches have changed to write the bytes of its triggers, until it has done
 * so: a fault may have taken the place of the signal.
 */
public final class FollowedSwitches {
    private static final long UNTIL_AGAIN = 500_000_000;

    private final int pid;
    private final SharedMapping control;
    private final FollowedPlans plans;
    /** The last change that was told of. */
    private int told;

    private long againAt;

    /**
     * @param pid as this process sees it
     * @param newest how often instruments have come
     */
    public FollowedSwitches(int pid, SharedMapping control, IntSupplier newest) {
        this.pid = pid;
        this.control = control;
        this.plans = new FollowedPlans(pid, control, newest);
    }

    /** Returns how it follows instruments that come. */
    public FollowedPlans plans() {
        return plans;
    }

    /** Returns whether it has still to do so. */
    public boolean areDue() {
        return control.futex(Control.SWITCHED).get()
                != control.futex(Control.FOLLOWED).get();
    }

    /** Asks if something is due that it has not been told of, or long ago. */
    public void ask() {
        plans.ask();
        int switched = control.futex(Control.SWITCHED).get();
        long now = System.nanoTime();
        if (areDue() && (switched != told || now - againAt > 0)) {
            ProcessSignal.askAgain(
                    pid, control, Control.SWITCHED, switched, SharedLayout.ASK_VALUE);
            told = switched;
            againAt = now + UNTIL_AGAIN;
        }
    }
}

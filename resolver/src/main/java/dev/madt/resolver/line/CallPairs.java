package dev.madt.resolver.line;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.tracker.CallStacks;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds out which enters and leaves of a trace belong together, and how many have no counterpart.
 */
public final class CallPairs extends CallFollower {
    private long enters;
    private long leaves;
    private final List<String> open = new ArrayList<>();

    /** @param names of functions */
    public CallPairs(Demangler names) {
        super(names);
    }

    /** Functions entered. */
    public long enters() {
        return enters;
    }

    /** Functions left, as far as that was seen. */
    public long leaves() {
        return leaves;
    }

    /** Functions that went on in others by a jump. */
    public long jumps() {
        return stacks().jumps();
    }

    /** Functions that were left unseen. */
    public long unseen() {
        return stacks().unseen();
    }

    /** Functions that were open when their thread or the trace ended. */
    public long open() {
        return stacks().never() + stacks().open();
    }

    /** Leaves of functions that were entered unseen. */
    public long before() {
        return stacks().before();
    }

    /**
     * Returns what threads were in when the process was killed or the trace written; it ends here.
     */
    public List<String> openCalls() {
        end(true);
        return open;
    }

    @Override
    protected void neverLeft(int thread, CallStacks.Frame innermost) {
        open.add(openCalls(thread, innermost));
    }

    @Override
    public void call(long number, int thread, AccessSite site, long stack, long time) {
        if (site.kind() == AccessKind.ENTER) {
            enters++;
        } else {
            leaves++;
        }
        super.call(number, thread, site, stack, time);
    }
}

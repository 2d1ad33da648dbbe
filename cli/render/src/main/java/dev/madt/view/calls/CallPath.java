package dev.madt.view.calls;

import dev.madt.resolver.line.CallFollower;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A chain of functions that called each other, and what the calls of the last one cost. */
final class CallPath extends CallCost {
    private final CallPath caller;
    private final CallFunction function;
    private final boolean jumped;
    /** Numbers the paths of a caller in the order of their first calls. */
    private final int order;

    private int callees;
    /** The path that was taken last comes first. */
    private CallPath first;

    private CallPath next;
    /** Null if it has none. */
    private CallCost before;

    /**
     * @param jumped whether the last function has gone on in another one by a jump
     * @param caller null, as the function, for that of what no function has done */
    CallPath(CallPath caller, CallFunction function, boolean jumped) {
        this.jumped = jumped;
        this.order = caller == null ? 0 : caller.callees++;
        this.caller = caller;
        this.function = function;
    }

    /** Returns what its calls cost in the earlier traces, or else in the others. */
    CallCost cost(boolean earlier) {
        if (!earlier) {
            return this;
        }
        before = before == null ? new CallCost() : before;
        return before;
    }

    /** The path that leads here; null for the first one. */
    CallPath caller() {
        return caller;
    }

    /** Returns its place among the paths of its caller, in the order of their first calls. */
    int order() {
        return order;
    }

    CallFunction function() {
        return function;
    }

    /** The path with one function more, or null. */
    CallPath find(CallFunction called, boolean hasJumped) {
        CallPath before = null;
        for (CallPath path = first; path != null; path = path.next) {
            if (path.function == called && path.jumped == hasJumped) {
                if (before != null) {
                    before.next = path.next;
                    path.next = first;
                    first = path;
                }
                return path;
            }
            before = path;
        }
        return null;
    }

    CallPath add(CallFunction called, boolean hasJumped) {
        CallPath path = new CallPath(this, called, hasJumped);
        path.next = first;
        first = path;
        return path;
    }

    /** Returns whether its last function has gone on in another one by a jump. */
    boolean jumped() {
        return jumped;
    }

    /** The last function's name, as paths have it. */
    String last() {
        return function.name() + (jumped ? CallFollower.JUMPED : "");
    }

    /** The paths with one function more. */
    List<CallPath> callees() {
        List<CallPath> callees = new ArrayList<>();
        for (CallPath path = first; path != null; path = path.next) {
            callees.add(path);
        }
        return callees;
    }

    /** The names of its functions, with semicolons between them. */
    String name() {
        Deque<String> names = new ArrayDeque<>();
        for (CallPath path = this; path.caller != null; path = path.caller) {
            names.push(path.last().replace(';', ':'));
        }
        return String.join(";", names);
    }
}

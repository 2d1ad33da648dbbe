package dev.madt.view;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says how a thread came to where it is: the call that it is in, and how it came to that one. Equal
 * chains are one object.
 */
public final class CallChain {
    /** Holds what a thread is in that is in no call. */
    public static final String OUTSIDE = "(in no recorded function)";

    private static final String JUMPED = "~";

    private final Place call;
    private final CallChain outer;
    private final boolean jumped;
    private Map<Place, CallChain> inner = Map.of();
    private CallChain afterJump;

    private CallChain(Place call, CallChain outer, boolean jumped) {
        this.call = call;
        this.outer = outer;
        this.jumped = jumped;
    }

    /** The chain of a thread that is in no call. */
    public static CallChain start() {
        return new CallChain(null, null, false);
    }

    /** The chain that a further call makes. */
    public CallChain in(Place further) {
        if (inner.isEmpty()) {
            inner = new HashMap<>();
        }
        return inner.computeIfAbsent(further, place -> new CallChain(place, this, false));
    }

    /** The chain whose function has gone on in another one by a jump. */
    CallChain jumped() {
        if (afterJump == null) {
            afterJump = new CallChain(call, outer, true);
        }
        return afterJump;
    }

    /** Returns where the innermost function was entered, or called; null of no call. */
    public Place call() {
        return call;
    }

    /** The chain without that; null of no call. */
    public CallChain outer() {
        return outer;
    }

    /** The functions, the outermost first, as paths of calls are written. */
    public String path() {
        if (outer == null) {
            return OUTSIDE;
        }
        List<String> names = new ArrayList<>();
        for (CallChain each = this; each.outer != null; each = each.outer) {
            names.add(0, each.call.function().replace(';', ':') + (each.jumped ? JUMPED : ""));
        }
        return String.join(";", names);
    }
}

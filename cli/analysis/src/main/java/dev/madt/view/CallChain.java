package dev.madt.view;

import dev.madt.resolver.line.StartFunctions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Says how a thread came to where it is: the call that it is in, and how it came to that one. Equal
 * chains are one object.
 */
public final class CallChain {
    /** Holds what a thread is in that is in no call. */
    public static final String OUTSIDE = "(in no recorded function)";

    private static final String JUMPED = "~";
    private static final String CUT = "…";

    /** Knows the chains of stacks that were unwound. */
    public interface Source {
        /** None. */
        Source NONE = (node, calls) -> null;

        /**
         * Returns the chain that begins with a node; null: the trace tells of no such node.
         *
         * @param calls of it, at most
         */
        CallChain of(long node, int calls);
    }

    /** Says which frame of a chain allocated, as people see it. */
    public interface SiteRule {
        /** The innermost frame. */
        SiteRule INNER = chain -> null;

        /**
         * Returns the frame of a chain of an allocation that its blocks are called by; null: the
         * innermost one.
         */
        Place siteOf(CallChain chain);

        /**
         * Returns whether a frame's function passes on what it is asked for, so that its caller
         * knows what that is to hold.
         */
        default boolean passesOn(Place frame) {
            return false;
        }
    }

    private final Place call;
    private final CallChain outer;
    private final boolean jumped;
    /** Says whether frames are missing that led to this one; of a chain of no call. */
    private final boolean cut;

    private Map<Place, CallChain> inner = Map.of();
    private CallChain afterJump;
    /** Holds what the tags of {@link AllocationChains} know of it. */
    int tag = -1;
    /** Says whether {@link AllocationChains} has looked for the next two. */
    boolean judged;
    /** The call of it that people mean; null: the innermost. */
    Place site;
    /** The call of it that knows the type of what it allocates; null: none. */
    Place typed;

    private CallChain(Place call, CallChain outer, boolean jumped, boolean cut) {
        this.call = call;
        this.outer = outer;
        this.jumped = jumped;
        this.cut = cut;
    }

    /** The chain of a thread that is in no call. */
    public static CallChain start() {
        return new CallChain(null, null, false, false);
    }

    /** The chain of no call, from which frames are missing: more than are kept, or unknown ones. */
    static CallChain cut() {
        return new CallChain(null, null, false, true);
    }

    /** The chain that a further call makes. */
    public CallChain in(Place further) {
        if (inner.isEmpty()) {
            inner = new HashMap<>();
        }
        return inner.computeIfAbsent(further, place -> new CallChain(place, this, false, false));
    }

    /** The chain whose function has gone on in another one by a jump. */
    CallChain jumped() {
        if (afterJump == null) {
            afterJump = new CallChain(call, outer, true, false);
        }
        return afterJump;
    }

    /** Returns whether the innermost function has gone on in another one by a jump. */
    public boolean hasJumped() {
        return jumped;
    }

    /** Returns where the innermost function was entered, or called; null of no call. */
    public Place call() {
        return call;
    }

    /** The chain without that; null of no call. */
    public CallChain outer() {
        return outer;
    }

    /**
     * Returns where the chain ends to which calls of the program belong: in front of those by which
     * libc starts programs and threads.
     */
    public CallChain withoutStart() {
        CallChain each = this;
        while (each.outer != null && !StartFunctions.contains(each.call.symbol())) {
            each = each.outer;
        }
        return each;
    }

    /** Returns whether the outermost frames are missing; to be asked of a chain of no call. */
    public boolean isCut() {
        return cut;
    }

    /** The chain that a further call makes, if it is known; null: it is not. */
    CallChain known(Place further) {
        return inner.get(further);
    }

    /** Returns a chain that a further call makes, which nobody else gets: others may equal it. */
    CallChain apart(Place further) {
        return new CallChain(further, this, false, false);
    }

    /**
     * Returns the functions, the innermost first, without those that start programs and threads.
     *
     * @param most functions; behind so many of a longer chain stands {@code …}
     */
    public List<String> functions(int most) {
        return names(most, Place::function);
    }

    /** As above, with where in the functions the calls are, and in their sources. */
    public List<String> calls(int most) {
        return names(most, CallChain::located);
    }

    private static String located(Place call) {
        String line = call.ownLine();
        return call.frameName() + (line.isEmpty() ? "" : " " + line);
    }

    private List<String> names(int most, Function<Place, String> name) {
        CallChain end = withoutStart();
        List<String> names = new ArrayList<>();
        CallChain each = this;
        for (; each != end && names.size() < most; each = each.outer) {
            names.add(name.apply(each.call) + (each.jumped ? JUMPED : ""));
        }
        if (each != end || end.cut) {
            names.add(CUT);
        }
        return names.isEmpty() ? List.of(OUTSIDE) : names;
    }

    /** The functions, the outermost first, as paths of calls are written. */
    public String path() {
        if (outer == null) {
            return OUTSIDE;
        }
        List<String> names = new ArrayList<>();
        CallChain each = this;
        for (; each.outer != null; each = each.outer) {
            names.add(0, each.call.function().replace(';', ':') + (each.jumped ? JUMPED : ""));
        }
        if (each.cut) {
            names.add(0, CUT);
        }
        return String.join(";", names);
    }
}

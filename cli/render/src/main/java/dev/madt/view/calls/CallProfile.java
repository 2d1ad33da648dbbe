package dev.madt.view.calls;

import dev.madt.tracker.ThreadNames;
import dev.madt.view.CallChain;
import dev.madt.view.Place;
import dev.madt.view.chains.ChainCount;
import dev.madt.view.chains.ChainCounts;
import dev.madt.view.chains.StackCount;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The functions and the call paths of one trace, or of several, with what their calls cost. Memory
 * grows with the paths, up to {@value #MOST_PATHS}: what goes further is told together, at the
 * place where a further path would begin.
 */
public final class CallProfile {
    static final int MOST_PATHS = 1 << 20;
    static final String OUTSIDE = CallChain.OUTSIDE;
    static final String MORE = "(more paths)";
    private static final String CUT = "…";

    private final Map<String, CallFunction> functions = new LinkedHashMap<>();
    private final CallPath start = new CallPath(null, new CallFunction(OUTSIDE, ""), false);
    private final CallFunction more = new CallFunction(MORE, "");
    private final int most;
    private boolean ofBlocks;
    private boolean ofHits;
    private boolean ofSums;
    private int paths;
    /** The path in front of all of a thread; null: threads are not told apart. */
    private Map<Integer, CallPath> threads;

    private final ThreadNames names = new ThreadNames();

    private boolean absences;
    private boolean systemCalls;
    private final List<String> open = new ArrayList<>();
    private final CallKinds kinds = new CallKinds();
    /** Null if there is nothing to compare with. */
    private final CallKinds before;

    public CallProfile() {
        this(MOST_PATHS, false);
    }

    private CallProfile(int most, boolean compared) {
        this.most = most;
        this.before = compared ? new CallKinds() : null;
    }

    /** A profile of so many paths. */
    static CallProfile of(int most) {
        return new CallProfile(most, false);
    }

    /**
     * A profile that also has the costs of earlier traces. Functions of one name are one, whatever
     * their modules: a program may have been built under another name.
     */
    public static CallProfile compared() {
        return new CallProfile(MOST_PATHS, true);
    }

    /** A profile whose paths begin with their threads. */
    public static CallProfile ofThreads() {
        CallProfile profile = new CallProfile();
        profile.threads = new LinkedHashMap<>();
        return profile;
    }

    /**
     * A profile of the chains of calls that led to allocations: blocks, their bytes and the
     * accesses to them. Calls by which libc starts programs and threads are left out.
     */
    public static CallProfile ofBlocks(ChainCounts counts) {
        CallProfile profile = new CallProfile();
        profile.ofBlocks = true;
        profile.hasAccesses();
        for (ChainCount count : counts.all()) {
            CallPath path = count.chain() == null
                    ? profile.start
                    : profile.path(count.chain(), count.chain().withoutStart(), profile.start);
            path.access(count.accesses(), count.bytes());
            path.allocated(count.blocks(), count.peakBytes(), count.lifetimes());
        }
        return profile;
    }

    /**
     * A profile of the calls that led to hits of an instrument, and of what it has summed up; calls
     * by which libc starts programs and threads are left out.
     */
    public static CallProfile ofStacks(List<StackCount> counts) {
        CallProfile profile = new CallProfile();
        profile.ofHits = true;
        for (StackCount count : counts) {
            CallPath path = count.chain() == null ? profile.start : profile.path(count.chain());
            profile.ofSums |= count.isSum();
            path.hit(count.hits(), count.value());
        }
        return profile;
    }

    /** The path of a chain, behind one that stands for callers that it lacks. */
    private CallPath path(CallChain chain) {
        CallChain end = chain.withoutStart();
        boolean cut = end.outer() == null && end.isCut();
        return path(chain, end, cut ? path(start, function(CUT, "")) : start);
    }

    private CallPath path(CallChain chain, CallChain end, CallPath first) {
        if (chain == end) {
            return first;
        }
        Place call = chain.call();
        return path(path(chain.outer(), end, first), function(call.function(), call.module()));
    }

    /** The function with this name; the same object each time. */
    public CallFunction function(String name, String module) {
        return functions.computeIfAbsent(
                isCompared() ? name : name + '\n' + module,
                absent -> new CallFunction(name, module));
    }

    /** Learns what the threads of a trace are called. */
    void threadNames(String lines) {
        names.take(lines);
    }

    CallPath start() {
        return start;
    }

    /** The path of what no function of a thread has done. */
    CallPath start(int thread) {
        return threads == null
                ? start
                : threads.computeIfAbsent(thread, absent -> {
                    String number = names.of(thread) == null ? "thread " : "";
                    return start.add(new CallFunction(number + names.label(thread), ""), false);
                });
    }

    /** Returns whether a path is that of a thread. */
    boolean isThread(CallPath path) {
        return threads != null && path.caller() == start;
    }

    /** The path with one function more. */
    CallPath path(CallPath caller, CallFunction function) {
        return path(caller, function, false);
    }

    /** The path of a function that has gone on in another one by a jump. */
    CallPath jumped(CallPath path) {
        return path.jumped() ? path : path(path.caller(), path.function(), true);
    }

    private CallPath path(CallPath caller, CallFunction function, boolean jumped) {
        if (caller.function() == more) {
            return caller;
        }
        CallPath path = caller.find(function, jumped);
        if (path != null) {
            return path;
        }
        if (paths == most) {
            path = caller.find(more, false);
            return path == null ? caller.add(more, false) : path;
        }
        paths++;
        return caller.add(function, jumped);
    }

    /** Returns what the earlier traces hold, or else the others. */
    CallKinds kinds(boolean earlier) {
        return earlier ? before : kinds;
    }

    /** It is known how long calls took. */
    public void timed() {
        kinds.timed();
    }

    /** Calls were recorded. */
    public void hasCalls() {
        kinds.hasCalls();
    }

    /** There are accesses besides calls. */
    public void hasAccesses() {
        kinds.hasAccesses();
    }

    /** Returns whether it is known how long calls took. */
    public boolean isTimed() {
        return kinds.isTimed() && (before == null || before.isTimed());
    }

    /** Returns whether calls were recorded. */
    public boolean isOfCalls() {
        return isOfCalls(false);
    }

    /** Returns whether calls were recorded, in the earlier traces or else in the others. */
    public boolean isOfCalls(boolean earlier) {
        return kinds(earlier).isOfCalls();
    }

    /** A killed process was in these functions. */
    void neverLeft(String openCalls) {
        open.add(openCalls);
    }

    /** Returns what the threads of killed processes were in, for people. */
    public List<String> neverLeft() {
        return open;
    }

    /** It is known when threads had no processor, or else how long they were in system calls. */
    void hasAbsences(boolean known) {
        absences |= known;
        systemCalls |= !known;
    }

    /** Returns whether it is only known how long threads were in system calls. */
    boolean isOfSystemCalls() {
        return systemCalls && !absences;
    }

    /** Returns whether it is known when threads had no processor. */
    boolean isOfAbsences() {
        return absences;
    }

    /** Returns whether there are accesses besides calls. */
    public boolean isOfAccesses() {
        return kinds.isOfAccesses() && (before == null || before.isOfAccesses());
    }

    /** Returns whether there are earlier traces to compare with. */
    boolean isCompared() {
        return before != null;
    }

    /** Returns whether something is known of a measure. */
    public boolean has(CallMeasure measure) {
        return switch (measure) {
            case TIME -> isTimed();
            case ON_CPU, OFF_CPU -> isTimed() && absences && !systemCalls;
            case CALLS -> !ofBlocks && !ofHits;
            case ACCESSES, BYTES -> isOfAccesses();
            case BLOCKS, PEAK, LIFETIME -> ofBlocks;
            case HITS -> ofHits;
            case SUM -> ofSums;
        };
    }

    /** The functions that were called, in the order of their first calls. */
    public Collection<CallFunction> functions() {
        return functions.values();
    }

    /** All paths, each behind those that lead to it; that of no function comes first. */
    List<CallPath> paths() {
        List<CallPath> all = new ArrayList<>();
        Deque<CallPath> left = new ArrayDeque<>();
        left.push(start);
        while (!left.isEmpty()) {
            CallPath path = left.pop();
            all.add(path);
            path.callees().forEach(left::push);
        }
        return all;
    }

    /** Returns whether some paths are told together. */
    public boolean isCut() {
        return paths == most;
    }
}

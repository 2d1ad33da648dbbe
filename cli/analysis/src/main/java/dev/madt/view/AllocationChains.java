package dev.madt.view;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.HashMap;
import java.util.Map;

/**
 * Says by which calls a process came to each allocation: by the stacks that were unwound there, or
 * else by the calls that are recorded. Constant time for an allocation; memory for the distinct
 * chains.
 */
final class AllocationChains {
    private final Places places;
    private final CallChain.SiteRule rule;
    private final boolean whole;
    private final ThreadCalls calls = new ThreadCalls();
    private final Map<Place, Integer> tagsOfSites = new HashMap<>();
    private int tags = 1;
    private boolean called;

    /**
     * @param rule says which of the frames people mean
     * @param whole whether blocks are told apart by their whole chains; else by the frame that
     *     people mean alone
     */
    AllocationChains(Places places, CallChain.SiteRule rule, boolean whole) {
        this.places = places;
        this.rule = rule;
        this.whole = whole;
    }

    void neighbours(Neighbours of) {
        calls.neighbours(of);
    }

    /** A function is entered or left. */
    void call(int thread, Place place, long stack) {
        called = true;
        calls.call(thread, place, stack);
    }

    /** Follows an event that neither allocates nor ends anything. */
    void ring(TraceEvent event) {
        if (event.type() == RingEventType.THREAD_START
                || event.type() == RingEventType.THREAD_END) {
            calls.forget(event.thread());
        }
    }

    /** Returns the chain of an allocation or of an end, its own call innermost; null: unknown. */
    CallChain of(TraceEvent.Allocation event) {
        return called ? recorded(event) : null;
    }

    /**
     * By recorded calls: the function that called the allocator is the innermost that is open,
     * unless its calls are not recorded.
     */
    private CallChain recorded(TraceEvent.Allocation event) {
        CallChain chain = calls.of(event.thread());
        Place[] frames = places.framesOf(event.code());
        String function = frames[frames.length - 1].function();
        if (chain.outer() != null && chain.call().function().equals(function)) {
            chain = chain.outer();
        }
        for (int i = frames.length - 1; i >= 0; i--) {
            chain = chain.in(frames[i]);
        }
        return chain;
    }

    /** Returns the number of what tells blocks apart, from 1 on; 0 of those without a chain. */
    int tag(CallChain chain) {
        if (chain == null) {
            return 0;
        }
        if (chain.tag < 0) {
            Place site = rule.siteOf(chain);
            chain.tag = whole
                    ? tags++
                    : site == null ? 0 : tagsOfSites.computeIfAbsent(site, absent -> tags++);
        }
        return chain.tag;
    }

    /** Says of a block by which chain it was allocated; null: unknown. */
    DataObject describe(DataObject block, CallChain chain) {
        return chain == null ? block : block.by(chain, rule.siteOf(chain));
    }
}

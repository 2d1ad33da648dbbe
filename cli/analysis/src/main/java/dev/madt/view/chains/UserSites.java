package dev.madt.view.chains;

import dev.madt.view.CallChain;
import dev.madt.view.NamePattern;
import dev.madt.view.Place;
import java.util.List;
import java.util.Set;

/**
 * Takes for the site of an allocation the innermost frame that is outside of allocators and of the
 * functions that only pass on what they allocate.
 */
public final class UserSites implements CallChain.SiteRule {
    private final AllocatorNames names = new AllocatorNames();
    private final Set<String> wrappers;
    private final List<NamePattern> through;
    private final NamePattern first;

    /**
     * @param wrappers functions that the trace shows to be such, by {@link #key}
     * @param through patterns of further ones
     * @param first the innermost frame with a function that matches is taken, if there is one;
     *     null: none is looked for
     */
    public UserSites(Set<String> wrappers, List<NamePattern> through, NamePattern first) {
        this.wrappers = wrappers;
        this.through = through;
        this.first = first;
    }

    /**
     * Returns what names blocks where a trace is still being made, so that nobody knows yet which
     * of its functions only pass on what they allocate.
     */
    public static UserSites byNames() {
        return new UserSites(Set.of(), List.of(), null);
    }

    /** Returns what tells the function of a frame from others. */
    static String key(Place frame) {
        return frame.symbol() + '\n' + frame.module();
    }

    @Override
    public Place siteOf(CallChain chain) {
        Place matching = first == null ? null : first(chain);
        if (matching != null) {
            return matching;
        }
        CallChain each = outerOfAllocators(chain);
        while (each.outer() != null && isPassed(each.call())) {
            each = each.outer();
        }
        return each.call(); // null if all are passed
    }

    /** The chain without the allocators that are known by their names, and what these call. */
    private CallChain outerOfAllocators(CallChain chain) {
        CallChain without = chain;
        for (CallChain each = chain; each.outer() != null; each = each.outer()) {
            if (names.isNamed(each.call())) {
                without = each.outer();
            }
        }
        return without;
    }

    private Place first(CallChain chain) {
        for (CallChain each = chain; each.outer() != null; each = each.outer()) {
            if (first.matches(each.call().function(), each.call().module())) {
                return each.call();
            }
        }
        return null;
    }

    private boolean isPassed(Place frame) {
        return names.holds(frame) || isGiven(frame);
    }

    @Override
    public boolean passesOn(Place frame) {
        return AllocatorNames.passesOn(frame.symbol()) || isGiven(frame);
    }

    private boolean isGiven(Place frame) {
        return wrappers.contains(key(frame))
                || through.stream()
                        .anyMatch(pattern -> pattern.matches(frame.function(), frame.module()));
    }
}

package dev.madt.view;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.CodeRanges;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.ConsumerPair;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.OwnSource;
import java.util.ArrayList;
import java.util.List;

/**
 * One pass over one trace, which serves any number of analyses. Those whose {@link Needs#goesWith
 * needs go together} share the names of code and data; others have names of their own and share the
 * decoding.
 */
public final class Reading {
    /** Analyses that one feed serves. */
    private static final class Shared {
        private final Needs needs;
        private final List<Analysis> analyses = new ArrayList<>();
        private final List<Needs> all = new ArrayList<>();
        private boolean touches;

        private Shared(Needs needs) {
            this.needs = needs;
        }

        private boolean takes(Needs more) {
            return needs.goesWith(more) && !(touches && more.touches() != null);
        }

        private void add(Analysis analysis, Needs more) {
            analyses.add(analysis);
            all.add(more);
            touches |= more.touches() != null;
        }

        private Analysis analysis() {
            return analyses.size() == 1 ? analyses.get(0) : new AnalysisGroup(analyses, all);
        }
    }

    private final List<Shared> unselected = new ArrayList<>();
    private final List<Shared> selected = new ArrayList<>();
    private final List<SelectedView> views = new ArrayList<>();
    private final List<ViewFeed> feeds = new ArrayList<>();
    /** Holds who is given the trace for each feed. */
    private final List<EventConsumer> takers = new ArrayList<>();

    private final List<EventConsumer> others = new ArrayList<>();
    private final List<EventConsumer> behind = new ArrayList<>();
    private final Selection selection;
    private OwnSource own = OwnSource.USUAL;
    private CallChain.SiteRule sites = CallChain.SiteRule.INNER;

    /** @param selection what is selected of the trace for some of the analyses */
    public Reading(Selection selection) {
        this.selection = selection;
    }

    /** Says which lines accesses are charged to, in front of {@link #consumer}. */
    public Reading charging(OwnSource lines) {
        own = lines;
        return this;
    }

    /** Says by which frames of their chains tables name blocks, in front of {@link #consumer}. */
    public Reading naming(CallChain.SiteRule rule) {
        sites = rule;
        return this;
    }

    /** Adds an analysis, which gets what is selected. */
    public Reading add(Analysis analysis) {
        return add(analysis, selection.isEverything() ? unselected : selected);
    }

    /** Adds an analysis that gets everything, whatever is selected. */
    public Reading addUnselected(Analysis analysis) {
        return add(analysis, unselected);
    }

    /** Adds somebody who takes events as they are. */
    public Reading add(EventConsumer consumer) {
        others.add(consumer);
        return this;
    }

    /** Adds somebody who is told each event when the analyses have been told that one. */
    public Reading addBehind(EventConsumer consumer) {
        behind.add(consumer);
        return this;
    }

    private Reading add(Analysis analysis, List<Shared> to) {
        Needs needs = analysis.needs();
        Shared shared =
                to.stream().filter(known -> known.takes(needs)).findFirst().orElse(null);
        if (shared == null) {
            shared = new Shared(needs);
            to.add(shared);
        }
        shared.add(analysis, needs);
        return this;
    }

    /**
     * Returns who is to be given the trace; asked once, when all analyses are there.
     *
     * @param types learns what the trace knows of types, unless it is null
     */
    public EventConsumer consumer(Demangler names, MemberTypes types) {
        for (Shared shared : unselected) {
            feed(shared.analysis(), names, types);
        }
        for (Shared shared : selected) {
            SelectedView view = new SelectedView(shared.analysis(), selection);
            views.add(view);
            feed(view, names, types);
        }
        List<EventConsumer> all = new ArrayList<>(takers);
        all.addAll(others);
        EventConsumer first = all.size() == 1 ? all.get(0) : new ConsumerGroup(all);
        return behind.stream().reduce(first, ConsumerPair::new);
    }

    /** Somebody who learns of types from two feeds would take one type for two. */
    private void feed(Analysis analysis, Demangler names, MemberTypes types) {
        ViewFeed feed = new ViewFeed(analysis, names, feeds.isEmpty() ? types : null, own, sites);
        feeds.add(feed);
        takers.add(analysis.needs().byTime() ? new TimeMerge(feed) : feed);
    }

    /**
     * Returns where the code is that anybody wants accesses of, to be told what the trace defines;
     * null if it may be anywhere. What other code does, the consumer need not be given: how many
     * accesses it makes is enough ({@link EventConsumer#passed}).
     *
     * @param names those of the consumer
     */
    public CodeRanges code(Demangler names) {
        boolean all = selection.function() == null
                || !unselected.isEmpty()
                || !others.isEmpty()
                || !behind.isEmpty()
                || selected.stream().anyMatch(shared -> shared.touches || shared.needs.byTime());
        return all ? null : new CodeRanges(selection.function().anew()::matches, names);
    }

    /** The selection of the first analysis that has one; null if none has. */
    public SelectedView selected() {
        return views.isEmpty() ? null : views.get(0);
    }

    /** An event is in the selection, or is not, that somebody else tells. */
    public void count(boolean wanted) {
        views.forEach(view -> view.count(wanted));
    }

    /** Returns whether all that is selected has come, as more than its last number has. */
    public boolean isOver() {
        return selection.to() >= 0
                && feeds.stream().allMatch(feed -> feed.next() > selection.to() + 1);
    }

    /** Returns whether the trace has had source lines so far. */
    public boolean hasSources() {
        return feeds.stream().anyMatch(ViewFeed::hasSources);
    }

    /** Returns whether the trace has had calls so far, and nothing of accesses. */
    public boolean hasOnlyCalls() {
        return !feeds.isEmpty() && feeds.stream().allMatch(ViewFeed::hasOnlyCalls);
    }

    /** Returns whether the trace has had a block of a heap so far, or its end. */
    public boolean hasHeap() {
        return feeds.stream().anyMatch(ViewFeed::hasHeap);
    }

    /** Returns whether there have been blocks of Go's so far. */
    public boolean hasGoBlocks() {
        return feeds.stream().anyMatch(ViewFeed::hasGoBlocks);
    }

    /** Returns whether Go's allocator has been at work so far, followed or not. */
    public boolean isOfGo() {
        return feeds.stream().anyMatch(ViewFeed::isOfGo);
    }
}

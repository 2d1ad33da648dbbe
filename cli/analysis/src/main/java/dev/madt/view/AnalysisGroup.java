package dev.madt.view;

import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import java.util.List;
import java.util.Map;

/** Analyses that one feed serves, in their order: what one of them needs, all of them get. */
final class AnalysisGroup implements Analysis {
    private final Analysis[] all;
    private final Needs needs;

    /** @param needs of each, which {@link Needs#goesWith go with} each other */
    AnalysisGroup(List<Analysis> analyses, List<Needs> needs) {
        all = analyses.toArray(new Analysis[0]);
        Needs first = needs.get(0);
        Needs sum = first;
        for (Needs more : needs.subList(1, needs.size())) {
            sum = sum.keeping(more.notes());
            sum = more.touches() == null ? sum : sum.touching(more.touches());
        }
        sum = first.counter() == null
                ? sum
                : sum.counting(
                        new CounterGroup(needs.stream().map(Needs::counter).toList()));
        this.needs = first.lives() == null
                ? sum
                : sum.living(
                        new Lives(needs.stream().map(Needs::lives).toArray(BlockLives[]::new)));
    }

    private record Lives(BlockLives... all) implements BlockLives {
        @Override
        public void born(DataObject site, long size) {
            for (BlockLives lives : all) {
                lives.born(site, size);
            }
        }

        @Override
        public void ended(DataObject site, long size, long lifetime, long note) {
            for (BlockLives lives : all) {
                lives.ended(site, size, lifetime, note);
            }
        }

        @Override
        public void temporary(DataObject site) {
            for (BlockLives lives : all) {
                lives.temporary(site);
            }
        }
    }

    @Override
    public Needs needs() {
        return needs;
    }

    @Override
    public void meta(Map<String, String> values) {
        for (Analysis analysis : all) {
            analysis.meta(values);
        }
    }

    @Override
    public void accesses(Accesses batch) {
        for (Analysis analysis : all) {
            analysis.accesses(batch);
        }
    }

    @Override
    public void block(BlockAccess event) {
        for (Analysis analysis : all) {
            analysis.block(event);
        }
    }

    @Override
    public void lost(DataObject site, long size, long note) {
        for (Analysis analysis : all) {
            analysis.lost(site, size, note);
        }
    }

    @Override
    public void replaced(DataObject site, Allocation.Life life, long next) {
        for (Analysis analysis : all) {
            analysis.replaced(site, life, next);
        }
    }

    @Override
    public void neighbours(Neighbours space) {
        for (Analysis analysis : all) {
            analysis.neighbours(space);
        }
    }

    @Override
    public void stacks(CallChain.Source source) {
        for (Analysis analysis : all) {
            analysis.stacks(source);
        }
    }

    @Override
    public void call(int thread, Place place, long stack, long time) {
        for (Analysis analysis : all) {
            analysis.call(thread, place, stack, time);
        }
    }

    @Override
    public void allocation(Allocation event) {
        for (Analysis analysis : all) {
            analysis.allocation(event);
        }
    }

    @Override
    public void inherited(DataObject block, long size) {
        for (Analysis analysis : all) {
            analysis.inherited(block, size);
        }
    }

    @Override
    public void event(NamedEvent event) {
        for (Analysis analysis : all) {
            analysis.event(event);
        }
    }

    @Override
    public void ring(TraceEvent event) {
        for (Analysis analysis : all) {
            analysis.ring(event);
        }
    }

    @Override
    public void mapped(RegionKind kind, long start, long end, String label) {
        for (Analysis analysis : all) {
            analysis.mapped(kind, start, end, label);
        }
    }

    @Override
    public void end(boolean complete) {
        for (Analysis analysis : all) {
            analysis.end(complete);
        }
    }
}

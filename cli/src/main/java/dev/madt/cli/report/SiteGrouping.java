package dev.madt.cli.report;

import dev.madt.cli.view.Accesses;
import dev.madt.cli.view.Allocation;
import dev.madt.cli.view.BlockAccess;
import dev.madt.cli.view.Datum;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Rows by the call that allocated; what is no block is one more row. */
final class SiteGrouping extends Grouping {
    private static final String NO_BLOCK = "(no block)";

    private final Map<Tally, SiteTally> sites = new HashMap<>();
    private final Set<BlockLife> alive = new HashSet<>();
    private final Tally others = row(NO_BLOCK, null);

    /** What is known of a row's blocks; null for the row of everything else. */
    SiteTally site(Tally row) {
        return sites.get(row);
    }

    @Override
    Tally of(Accesses batch, int row) {
        Datum datum = batch.datum(row);
        if (datum.block() == null) {
            return others;
        }
        return touch(datum, batch.address(row), batch.size(row));
    }

    @Override
    Tally of(BlockAccess event, Datum datum, long address) {
        return datum.block() == null ? others : touch(datum, address, event.reach());
    }

    private Tally touch(Datum datum, long address, long length) {
        if (datum.dead()) {
            return siteOf(datum).accesses;
        }
        BlockLife life = (BlockLife) datum.note();
        if (life == null) {
            return siteOf(datum).accesses;
        }
        life.touched.touch(address - datum.start(), length);
        return life.site.accesses;
    }

    private SiteTally siteOf(Datum datum) {
        return sites.computeIfAbsent(row(datum.commonName(), null), SiteTally::new);
    }

    @Override
    void allocation(Allocation event) {
        Datum before = event.ended() == null ? null : event.ended().former();
        if (before != null && before.note() instanceof BlockLife life && alive.remove(life)) {
            life.site.died(life, event.next());
        }
        if (event.born() != null) {
            born(event.born(), event.next());
        }
    }

    @Override
    void inherited(Datum block) {
        born(block, 0);
    }

    private void born(Datum datum, long now) {
        BlockLife life = new BlockLife(siteOf(datum), now, datum.block().size());
        life.site.born(datum.block().size());
        datum.note(life);
        alive.add(life);
    }

    @Override
    void end(long next) {
        alive.forEach(life -> life.site.survived(life));
    }
}

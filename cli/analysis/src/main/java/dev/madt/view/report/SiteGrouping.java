package dev.madt.view.report;

import dev.madt.view.Accesses;
import dev.madt.view.Allocation;
import dev.madt.view.BlockAccess;
import dev.madt.view.BlockLives;
import dev.madt.view.Datum;
import dev.madt.view.Needs;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import dev.madt.view.Selection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Rows by the call that allocated; what is no block is one more row. Mappings have an object each,
 * blocks of heaps but a number.
 */
final class SiteGrouping extends Grouping implements BlockLives {
    private final Map<Tally, SiteTally> sites = new HashMap<>();
    /** Of data that are a site. */
    private final Notes<SiteTally> tallies = new Notes<>();
    /** Of mappings. */
    private final Notes<BlockLife> living = new Notes<>();

    private final Set<BlockLife> alive = new HashSet<>();
    private final TouchedBlocks touched = new TouchedBlocks();
    private final Tally others = row(Selection.NO_BLOCK, null);

    /** What is known of a row's blocks; null for the row of everything else. */
    SiteTally site(Tally row) {
        return sites.get(row);
    }

    @Override
    Tally rest() {
        return others;
    }

    @Override
    Needs needs() {
        return super.needs().touching(touched).living(this).keeping(tallies, living);
    }

    @Override
    boolean isByName() {
        return true;
    }

    @Override
    Tally of(Place place, Datum datum) {
        if (datum.block() == null) {
            return others;
        }
        return datum.isSite() ? siteOf(datum).accesses : tally(datum).accesses;
    }

    @Override
    TouchedBytes touched(Datum datum) {
        BlockLife life = datum.dead() ? null : living.of(datum);
        return life == null ? null : life.touched;
    }

    @Override
    Tally of(Accesses batch, int row) {
        Datum datum = batch.datum(row);
        if (datum.block() == null) {
            return others;
        }
        return datum.isSite()
                ? siteOf(datum).accesses
                : touch(datum, batch.address(row), batch.size(row));
    }

    @Override
    Tally of(BlockAccess event, Datum datum, long address) {
        if (datum.block() == null) {
            return others;
        }
        return datum.isSite() ? siteOf(datum).accesses : touch(datum, address, event.reach());
    }

    private Tally touch(Datum datum, long address, long length) {
        BlockLife life = datum.dead() ? null : living.of(datum);
        if (life == null) {
            return tally(datum).accesses;
        }
        life.touched.touch(address - datum.start(), length);
        return life.site.accesses;
    }

    private SiteTally siteOf(Datum site) {
        SiteTally tally = tallies.of(site);
        if (tally == null) {
            tally = tally(site);
            tallies.keep(site, tally);
        }
        return tally;
    }

    private SiteTally tally(Datum datum) {
        Tally row = row(commonName(datum), null);
        row.describe(datum);
        return sites.computeIfAbsent(row, SiteTally::new);
    }

    @Override
    public void born(Datum site, long size) {
        siteOf(site).born(size);
    }

    @Override
    public void ended(Datum site, long size, long lifetime, long note) {
        siteOf(site).died(size, lifetime, touched.end(note, size));
    }

    @Override
    void allocation(Allocation event) {
        if (event.life() != null) {
            Allocation.Life life = event.life();
            ended(event.ended(), life.size(), event.next() - life.birth(), life.note());
        } else if (event.ended() != null) {
            BlockLife life = living.of(event.ended().former());
            if (life != null && alive.remove(life)) {
                life.site.died(life.size, event.next() - life.birth, life.touched.untouched());
            }
        }
        if (event.born() != null) {
            born(event.born(), event.event().block().size(), event.next());
        }
    }

    @Override
    void inherited(Datum block, long size) {
        born(block, size, 0);
    }

    private void born(Datum datum, long size, long now) {
        if (datum.isSite()) {
            born(datum, size);
            return;
        }
        BlockLife life = new BlockLife(tally(datum), now, size);
        life.site.born(size);
        living.keep(datum, life);
        alive.add(life);
    }

    @Override
    void lost(Datum site, long size, long note) {
        siteOf(site).survived(touched.end(note, size));
    }

    @Override
    void end(long next) {
        super.end(next);
        alive.forEach(life -> life.site.survived(life.touched.untouched()));
        alive.clear();
    }
}

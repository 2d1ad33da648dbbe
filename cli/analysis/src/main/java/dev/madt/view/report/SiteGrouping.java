package dev.madt.view.report;

import dev.madt.view.Accesses;
import dev.madt.view.Allocation;
import dev.madt.view.BlockAccess;
import dev.madt.view.BlockLives;
import dev.madt.view.DataObject;
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

    /** Returns what is known of a row's blocks; null for the row of everything else. */
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
    Tally of(Place place, DataObject object) {
        if (object.block() == null) {
            return others;
        }
        return object.isSite() ? siteOf(object).accesses : tally(object).accesses;
    }

    @Override
    TouchedBytes touched(DataObject object) {
        BlockLife life = object.dead() ? null : living.of(object);
        return life == null ? null : life.touched;
    }

    @Override
    Tally of(Accesses batch, int row) {
        DataObject object = batch.object(row);
        if (object.block() == null) {
            return others;
        }
        return object.isSite()
                ? siteOf(object).accesses
                : touch(object, batch.address(row), batch.size(row));
    }

    @Override
    Tally of(BlockAccess event, DataObject object, long address) {
        if (object.block() == null) {
            return others;
        }
        return object.isSite() ? siteOf(object).accesses : touch(object, address, event.reach());
    }

    private Tally touch(DataObject object, long address, long length) {
        BlockLife life = object.dead() ? null : living.of(object);
        if (life == null) {
            return tally(object).accesses;
        }
        life.touched.touch(address - object.start(), length);
        return life.site.accesses;
    }

    private SiteTally siteOf(DataObject site) {
        SiteTally tally = tallies.of(site);
        if (tally == null) {
            tally = tally(site);
            tallies.keep(site, tally);
        }
        return tally;
    }

    private SiteTally tally(DataObject object) {
        Tally row = row(commonName(object), null);
        row.describe(object);
        return sites.computeIfAbsent(row, absent -> new SiteTally(row, object.isOfGo()));
    }

    @Override
    public void born(DataObject site, long size) {
        siteOf(site).born(size);
    }

    @Override
    public void ended(DataObject site, long size, long lifetime, long note) {
        siteOf(site).died(size, lifetime, touched.end(note, size));
    }

    @Override
    public void temporary(DataObject site) {
        siteOf(site).temporary();
    }

    @Override
    void allocation(Allocation event) {
        if (event.life() != null) {
            Allocation.Life life = event.life();
            ended(event.ended(), life.size(), event.next() - life.birth(), life.note());
            if (life.temporary()) {
                temporary(event.ended());
            }
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
    void inherited(DataObject block, long size) {
        born(block, size, 0);
    }

    private void born(DataObject object, long size, long now) {
        if (object.isSite()) {
            born(object, size);
            return;
        }
        BlockLife life = new BlockLife(tally(object), now, size);
        life.site.born(size);
        living.keep(object, life);
        alive.add(life);
    }

    @Override
    void replaced(DataObject site, Allocation.Life life, long next) {
        ended(site, life.size(), next - life.birth(), life.note());
    }

    @Override
    void lost(DataObject site, long size, long note) {
        siteOf(site).survived(touched.end(note, size));
    }

    @Override
    void end(long next) {
        super.end(next);
        alive.forEach(life -> life.site.survived(life.touched.untouched()));
        alive.clear();
    }
}

package dev.madt.view.report;

import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.BlockLives;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import java.util.function.BiFunction;

/** Rows by what the accessed memory is called. */
class DataObjectGrouping extends Grouping {
    private final BiFunction<Grouping, DataObject, String> name;
    private final boolean regions;
    private final boolean bySite;
    private final Notes<Tally> tallies = new Notes<>();

    DataObjectGrouping(
            BiFunction<Grouping, DataObject, String> name, boolean regions, boolean bySite) {
        this.name = name;
        this.regions = regions;
        this.bySite = bySite;
    }

    @Override
    final Needs needs() {
        Needs needs = bySite ? super.needs() : Needs.BATCHES.living(BlockLives.UNHEEDED);
        return needs.keeping(tallies);
    }

    /** Returns whether a data object has been accessed. */
    final boolean isKnown(DataObject object) {
        return tallies.of(object) != null;
    }

    @Override
    Tally of(Accesses batch, int row) {
        return of(batch.object(row));
    }

    @Override
    boolean isByName() {
        return true;
    }

    @Override
    Tally of(Place place, DataObject object) {
        return of(object);
    }

    @Override
    Tally of(BlockAccess event, DataObject object, long address) {
        return of(object);
    }

    /** A data object is accessed for the first time. */
    void first(DataObject object) {}

    private Tally of(DataObject object) {
        Tally tally = tallies.of(object);
        if (tally == null) {
            tally = row(name.apply(this, object), regions ? region(object) : null);
            tally.describe(object);
            first(object);
            tallies.keep(object, tally);
        }
        return tally;
    }
}

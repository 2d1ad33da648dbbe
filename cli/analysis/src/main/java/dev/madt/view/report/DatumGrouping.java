package dev.madt.view.report;

import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.BlockLives;
import dev.madt.view.Datum;
import dev.madt.view.Needs;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import java.util.function.BiFunction;

/** Rows by what the accessed memory is called. */
class DatumGrouping extends Grouping {
    private final BiFunction<Grouping, Datum, String> name;
    private final boolean regions;
    private final boolean bySite;
    private final Notes<Tally> tallies = new Notes<>();

    DatumGrouping(BiFunction<Grouping, Datum, String> name, boolean regions, boolean bySite) {
        this.name = name;
        this.regions = regions;
        this.bySite = bySite;
    }

    @Override
    final Needs needs() {
        Needs needs = bySite ? super.needs() : Needs.BATCHES.living(BlockLives.UNHEEDED);
        return needs.keeping(tallies);
    }

    /** Whether a datum has been accessed. */
    final boolean isKnown(Datum datum) {
        return tallies.of(datum) != null;
    }

    @Override
    Tally of(Accesses batch, int row) {
        return of(batch.datum(row));
    }

    @Override
    boolean isByName() {
        return true;
    }

    @Override
    Tally of(Place place, Datum datum) {
        return of(datum);
    }

    @Override
    Tally of(BlockAccess event, Datum datum, long address) {
        return of(datum);
    }

    /** A datum is accessed for the first time. */
    void first(Datum datum) {}

    private Tally of(Datum datum) {
        Tally tally = tallies.of(datum);
        if (tally == null) {
            tally = row(name.apply(this, datum), regions ? region(datum) : null);
            tally.describe(datum);
            first(datum);
            tallies.keep(datum, tally);
        }
        return tally;
    }
}

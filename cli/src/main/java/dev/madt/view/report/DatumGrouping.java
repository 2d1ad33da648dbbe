package dev.madt.view.report;

import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.Datum;
import dev.madt.view.Place;
import java.util.function.BiFunction;

/** Rows by what the accessed memory is called. */
class DatumGrouping extends Grouping {
    private final BiFunction<Grouping, Datum, String> name;
    private final boolean regions;
    private final boolean bySite;

    DatumGrouping(BiFunction<Grouping, Datum, String> name, boolean regions, boolean bySite) {
        this.name = name;
        this.regions = regions;
        this.bySite = bySite;
    }

    @Override
    final boolean blocksBySite() {
        return bySite;
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
        Tally tally = (Tally) datum.note();
        if (tally == null) {
            tally = row(name.apply(this, datum), regions ? region(datum) : null);
            tally.describe(datum);
            first(datum);
            datum.note(tally);
        }
        return tally;
    }
}

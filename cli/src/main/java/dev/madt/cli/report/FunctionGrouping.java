package dev.madt.cli.report;

import dev.madt.cli.view.Accesses;
import dev.madt.cli.view.BlockAccess;
import dev.madt.cli.view.Datum;
import dev.madt.cli.view.Place;

/** Rows by the function whose code accesses; the module where no symbol is known. */
final class FunctionGrouping extends Grouping {
    @Override
    Tally of(Accesses batch, int row) {
        return of(batch.place(row));
    }

    @Override
    boolean isByName() {
        return true;
    }

    @Override
    Tally of(Place place, Datum datum) {
        return of(place);
    }

    @Override
    Tally of(BlockAccess event, Datum datum, long address) {
        return of(event.place());
    }

    private Tally of(Place place) {
        Tally tally = (Tally) place.note();
        if (tally == null) {
            tally = row(place.function(), place.module());
            place.note(tally);
        }
        return tally;
    }
}

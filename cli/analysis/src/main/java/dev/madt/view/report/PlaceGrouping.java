package dev.madt.view.report;

import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import java.util.function.Function;

/** Rows by what is said of the accessing code. */
final class PlaceGrouping extends Grouping {
    private final Function<Place, String> name;
    private final Function<Place, String> region;
    private final Notes<Tally> tallies = new Notes<>();

    PlaceGrouping(Function<Place, String> name, Function<Place, String> region) {
        this.name = name;
        this.region = region;
    }

    @Override
    Needs needs() {
        return super.needs().keeping(tallies);
    }

    @Override
    Tally of(Accesses batch, int row) {
        return of(batch.place(row));
    }

    @Override
    boolean isByName() {
        return true;
    }

    @Override
    Tally of(Place place, DataObject object) {
        return of(place);
    }

    @Override
    Tally of(BlockAccess event, DataObject object, long address) {
        return of(event.place());
    }

    private Tally of(Place place) {
        Tally tally = tallies.of(place);
        if (tally == null) {
            tally = row(name.apply(place), region.apply(place));
            tallies.keep(place, tally);
        }
        return tally;
    }
}

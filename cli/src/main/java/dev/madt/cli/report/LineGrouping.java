package dev.madt.cli.report;

import dev.madt.cli.view.Accesses;
import dev.madt.cli.view.BlockAccess;
import dev.madt.cli.view.Datum;
import dev.madt.cli.view.Place;

/** Rows by the source line of the code, the file without its folders; the function where no line is known. */
final class LineGrouping extends Grouping {
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
            String file = place.file().substring(place.file().lastIndexOf('/') + 1);
            boolean known = !file.isEmpty() && place.line() > 0;
            tally = row(known ? file + ":" + place.line() : "?", place.function());
            place.note(tally);
        }
        return tally;
    }
}

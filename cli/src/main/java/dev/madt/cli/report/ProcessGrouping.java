package dev.madt.cli.report;

import dev.madt.cli.view.Accesses;
import dev.madt.cli.view.BlockAccess;
import dev.madt.cli.view.Datum;
import dev.madt.cli.view.Place;

/** Rows by process; one that executes another program has a row for each. */
final class ProcessGrouping extends Grouping {
    private Tally process = row("?", null);

    @Override
    void process(String pid, String path) {
        super.process(pid, path);
        process = row(pid + ' ' + path, null);
    }

    @Override
    boolean isByName() {
        return true;
    }

    @Override
    Tally of(Place place, Datum datum) {
        return process;
    }

    @Override
    Tally of(Accesses batch, int row) {
        return process;
    }

    @Override
    Tally of(BlockAccess event, Datum datum, long address) {
        return process;
    }
}

package dev.madt.view.report;

import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.DataObject;
import dev.madt.view.Place;

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
    Tally of(Place place, DataObject object) {
        return process;
    }

    @Override
    Tally of(Accesses batch, int row) {
        return process;
    }

    @Override
    Tally of(BlockAccess event, DataObject object, long address) {
        return process;
    }
}

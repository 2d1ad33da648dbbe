package dev.madt.cli.report;

import dev.madt.cli.view.Accesses;
import dev.madt.cli.view.BlockAccess;
import dev.madt.cli.view.Datum;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/** Rows by the page of the first byte. */
final class PageGrouping extends Grouping {
    private final LongObjectHashMap<Tally> pages = new LongObjectHashMap<>();
    private long lastPage = -1;
    private Tally last;

    @Override
    Tally of(Accesses batch, int row) {
        return of(batch.address(row), batch.datum(row));
    }

    @Override
    Tally of(BlockAccess event, Datum datum, long address) {
        return of(address, datum);
    }

    private Tally of(long address, Datum datum) {
        long page = address >>> TouchedLines.PAGE_BITS;
        if (page != lastPage) {
            lastPage = page;
            last = pages.get(page);
            if (last == null) {
                last = row("0x" + Long.toHexString(page << TouchedLines.PAGE_BITS), datum.region());
                pages.put(page, last);
            }
        }
        return last;
    }
}

package dev.madt.view.report;

import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.DataObject;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/** Rows by the page of the first byte. */
final class PageGrouping extends Grouping {
    private static final int RECENT = 1 << 10;

    private final LongObjectHashMap<Tally> pages = new LongObjectHashMap<>();
    /** Numbers of recent pages + 1 by their low bits, with their rows. */
    private final long[] recent = new long[RECENT];

    private final Tally[] recentRows = new Tally[RECENT];

    @Override
    Tally of(Accesses batch, int row) {
        return of(batch.address(row), batch.object(row));
    }

    @Override
    Tally of(BlockAccess event, DataObject object, long address) {
        return of(address, object);
    }

    private Tally of(long address, DataObject object) {
        long page = address >>> TouchedLines.PAGE_BITS;
        int entry = (int) page & RECENT - 1;
        if (recent[entry] != page + 1) {
            recent[entry] = page + 1;
            recentRows[entry] = rowOfPage(page, object);
        }
        return recentRows[entry];
    }

    private Tally rowOfPage(long page, DataObject object) {
        Tally tally = pages.get(page);
        if (tally == null) {
            tally = row("0x" + Long.toHexString(page << TouchedLines.PAGE_BITS), object.region());
            pages.put(page, tally);
        }
        return tally;
    }
}

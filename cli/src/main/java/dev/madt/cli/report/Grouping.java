package dev.madt.cli.report;

import dev.madt.cli.view.Accesses;
import dev.madt.cli.view.Allocation;
import dev.madt.cli.view.BlockAccess;
import dev.madt.cli.view.BlockTouch;
import dev.madt.cli.view.Datum;
import dev.madt.cli.view.Place;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which row each event belongs to. Names are made once per place or datum; rows of equal names are one. */
abstract class Grouping {
    private final Map<String, Tally> tallies = new LinkedHashMap<>();

    static Grouping by(ReportKey key) {
        return switch (key) {
            case SYMBOL -> new DatumGrouping(Datum::commonName, true, true);
            case BLOCK -> new DatumGrouping(Datum::name, true, false);
            case REGION -> new DatumGrouping(Datum::region, false, true);
            case SITE -> new SiteGrouping();
            case FUNCTION -> new PlaceGrouping(Place::function, Place::module);
            case PAGE -> new PageGrouping();
            case THREAD -> new ThreadGrouping();
            case LINE -> new PlaceGrouping(PlaceGrouping::line, Place::function);
        };
    }

    abstract Tally of(Accesses batch, int row);

    /** Whether place and datum say which row an access belongs to, as {@link #of(Place, Datum)} tells. */
    boolean isByName() {
        return false;
    }

    /** @throws UnsupportedOperationException unless {@link #isByName} */
    Tally of(Place place, Datum datum) {
        throw new UnsupportedOperationException(getClass().getSimpleName() + " needs more than names");
    }

    /** The row of the memory at {@code address}, which is one side of the event and belongs to {@code datum}. */
    abstract Tally of(BlockAccess event, Datum datum, long address);

    void allocation(Allocation event) {}

    void inherited(Datum block, long size) {}

    /** Whether rows do not tell heap blocks of one call from each other. */
    boolean blocksBySite() {
        return true;
    }

    /** Who is told which bytes of blocks are accessed; null if that is not wanted. */
    BlockTouch touches() {
        return null;
    }

    /** A block is gone of which no event said so, or there is no further event. */
    void lost(Datum site, long size, long note) {}

    void end(long next) {}

    Collection<Tally> rows() {
        return tallies.values();
    }

    /** The row of a name in a region, new if there is none; {@code region} may be null. */
    final Tally row(String name, String region) {
        String key = region == null ? name : name + '\n' + region;
        return tallies.computeIfAbsent(key, absent -> new Tally(name, region));
    }
}

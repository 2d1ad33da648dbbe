package dev.madt.resolver.line;

import dev.madt.trace.event.Run;
import dev.madt.trace.event.Site;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The {@link SiteLine} of each site, by identity: a hash table with open addressing; for the sites of a run by the run's number. Sites
 * come and go with code that is made at run time, so the tables forget all when they are full; a site that returns is rendered again.
 */
final class SiteLines {
    private static final byte[] FRAME_BELOW = ":frame-".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FRAME_ABOVE = ":frame+".getBytes(StandardCharsets.US_ASCII);
    private static final int SLOTS = 1 << 18;
    private static final int MOST = SLOTS / 2;
    private static final int FIRST = 1 << 10;
    private static final int MOST_RUNS = 1 << 20;

    private final AddressSpace space;
    private final SourcePlaces places;
    private Site[] sites = new Site[FIRST];
    private SiteLine[] lines = new SiteLine[FIRST];
    private int used;
    private Run[] runs = new Run[FIRST];
    private SiteLine[][] runLines = new SiteLine[FIRST][];

    SiteLines(AddressSpace space, SourcePlaces places) {
        this.space = space;
        this.places = places;
    }

    /** For each site of the run what its lines end with. */
    SiteLine[] of(Run run) {
        int number = run.number();
        if (number < runs.length && runs[number] == run) {
            return runLines[number];
        }
        SiteLine[] made = new SiteLine[run.length()];
        for (int i = 0; i < made.length; i++) {
            made[i] = of(run.site(i));
        }
        if (number < MOST_RUNS) {
            keep(run, made);
        }
        return made;
    }

    private void keep(Run run, SiteLine[] made) {
        int number = run.number();
        if (number >= runs.length) {
            int length = Math.max(number + 1, Math.min(MOST_RUNS, 2 * runs.length));
            runs = Arrays.copyOf(runs, length);
            runLines = Arrays.copyOf(runLines, length);
        }
        runs[number] = run;
        runLines[number] = made;
    }

    /** What the site's lines end with. */
    SiteLine of(Site site) {
        int slot = slotOf(site);
        return sites[slot] == site ? lines[slot] : put(site, render(site));
    }

    private SiteLine render(Site site) {
        LineBuffer code = LineBuffer.detached();
        space.appendCode(code, site.address());
        LineBuffer note = LineBuffer.detached();
        places.append(note, site.address());
        return new SiteLine(site.address(), site.size(), code.toBytes(), frame(site), note.toBytes());
    }

    /** {@code function:frame-24}; null for what is in no frame, or in that of an unknown function. */
    private byte[] frame(Site site) {
        AddressSpace.Symbol function = site.frame() == Site.NO_FRAME ? null : space.function(site.address());
        if (function == null) {
            return null;
        }
        LineBuffer name = LineBuffer.detached();
        name.text(function.name());
        name.text(site.frame() < 0 ? FRAME_BELOW : FRAME_ABOVE);
        name.decimal(Math.abs(site.frame()));
        return name.toBytes();
    }

    /** Forgets everything: code has changed. */
    void clear() {
        Arrays.fill(runs, null);
        Arrays.fill(runLines, null);
        if (used > 0) {
            sites = new Site[FIRST];
            lines = new SiteLine[FIRST];
            used = 0;
        }
    }

    private SiteLine put(Site site, SiteLine line) {
        if (used >= MOST) {
            clear();
        } else if (used >= sites.length / 2) {
            grow();
        }
        int slot = slotOf(site);
        sites[slot] = site;
        lines[slot] = line;
        used++;
        return line;
    }

    /** The slot of the site, or the free one where it belongs. */
    private int slotOf(Site site) {
        int mask = sites.length - 1;
        int slot = System.identityHashCode(site) & mask;
        while (sites[slot] != null && sites[slot] != site) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        Site[] oldSites = sites;
        SiteLine[] oldLines = lines;
        sites = new Site[oldSites.length * 2];
        lines = new SiteLine[oldSites.length * 2];
        for (int i = 0; i < oldSites.length; i++) {
            if (oldSites[i] != null) {
                int slot = slotOf(oldSites[i]);
                sites[slot] = oldSites[i];
                lines[slot] = oldLines[i];
            }
        }
    }
}

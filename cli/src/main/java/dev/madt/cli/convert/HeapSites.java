package dev.madt.cli.convert;

import dev.madt.cli.view.Allocation;
import dev.madt.cli.view.Datum;
import dev.madt.tracker.Block;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The heap by allocating calls: what is allocated now, and what was when the sum of all was greatest, exactly. Sites that have
 * changed since the last peak are listed, so following the peak costs constant time per event. Mappings do not count. Times
 * are numbers of accesses.
 */
final class HeapSites {
    /** A live block. */
    record Life(HeapSite site, long birth) {}

    private final Map<String, HeapSite> sites = new LinkedHashMap<>();
    private final List<HeapSite> changed = new ArrayList<>();
    private long bytes;
    private long inherited;
    private long peakBytes;
    private long peakTime;
    private long lastTime;

    /** Follows an event; false if it does not concern the heap. */
    boolean apply(Allocation event) {
        lastTime = event.next();
        boolean died = event.ended() != null && die(event.ended().former(), event.next());
        Datum born = event.born();
        return born != null && born(born, event.next()) || died;
    }

    /** A block from before the first event. */
    void inherit(Datum block) {
        if (born(block, 0)) {
            inherited += block.block().size();
        }
    }

    /** Bytes that were allocated before the first event. */
    long inherited() {
        return inherited;
    }

    private boolean born(Datum born, long now) {
        if (born.block().kind().mapping()) {
            return false;
        }
        HeapSite site = siteOf(born);
        site.born(born.block().size(), now);
        bytes += born.block().size();
        change(site);
        born.note(new Life(site, now));
        return true;
    }

    /** Before anything ends, what there is may be the most there ever was. */
    private boolean die(Datum former, long now) {
        if (!(former.note() instanceof Life life)) {
            return false;
        }
        keepPeak(now);
        long size = former.block().size();
        life.site.died(size, life.birth, now);
        bytes -= size;
        former.note(null);
        change(life.site);
        return true;
    }

    private void change(HeapSite site) {
        if (!site.changed) {
            site.changed = true;
            changed.add(site);
        }
    }

    private void keepPeak(long now) {
        if (bytes > peakBytes) {
            peakBytes = bytes;
            peakTime = now;
            for (HeapSite site : changed) {
                site.keepPeak();
                site.changed = false;
            }
            changed.clear();
        }
    }

    /** The trace is at its end, which may be the peak. */
    void end(long now) {
        lastTime = now;
        keepPeak(now);
    }

    /** The site of a live block that is no mapping, or null. */
    HeapSite of(Datum datum) {
        return datum.note() instanceof Life life ? life.site : null;
    }

    private HeapSite siteOf(Datum datum) {
        Block block = datum.block();
        return sites.computeIfAbsent(datum.commonName(), name -> new HeapSite(datum.call(), block.kind()));
    }

    Collection<HeapSite> all() {
        return sites.values();
    }

    long bytes() {
        return bytes;
    }

    long peakBytes() {
        return peakBytes;
    }

    long peakTime() {
        return peakTime;
    }

    long lastTime() {
        return lastTime;
    }
}

package dev.madt.view.convert;

import dev.madt.view.Allocation;
import dev.madt.view.CallChain;
import dev.madt.view.DataObject;
import dev.madt.view.Notes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The heap by the chains of calls that allocated: what is allocated now, and what was when the sum
 * of all was greatest, exactly. Sites that have changed since the last peak are listed, so
 * following the peak costs constant time per event. Mappings do not count. Times are numbers of
 * accesses.
 */
final class HeapSites {
    /** Says what blocks have in common that count together. */
    private record Origin(String name, CallChain chain) {}

    private final Map<Origin, HeapSite> sites = new LinkedHashMap<>();
    private final Notes<HeapSite> notes = new Notes<>();
    private final List<HeapSite> changed = new ArrayList<>();
    private long bytes;
    private long inherited;
    private long peakBytes;
    private long peakTime;
    private long lastTime;

    /** Returns what is kept on the data of sites. */
    Notes<?> notes() {
        return notes;
    }

    /** Follows an event; false if it does not concern the heap. */
    boolean apply(Allocation event) {
        lastTime = event.next();
        boolean died = event.life() != null;
        if (died) {
            die(siteOf(event.ended()), event.life(), event.next());
        }
        return event.born() != null
                        && born(event.born(), event.event().block().size(), event.next())
                || died;
    }

    /** Another block has come where one was. */
    void replaced(DataObject site, Allocation.Life life, long now) {
        lastTime = now;
        die(siteOf(site), life, now);
    }

    /** A block from before the first event. */
    void inherit(DataObject block, long size) {
        if (born(block, size, 0)) {
            inherited += size;
        }
    }

    /** Bytes that were allocated before the first event. */
    long inherited() {
        return inherited;
    }

    private boolean born(DataObject born, long size, long now) {
        if (born.block().kind().mapping()) {
            return false;
        }
        HeapSite site = siteOf(born);
        site.born(size, now);
        bytes += size;
        change(site);
        return true;
    }

    /** Before anything ends, what there is may be the most there ever was. */
    private void die(HeapSite site, Allocation.Life life, long now) {
        keepPeak(now);
        site.died(life.size(), life.birth(), now);
        bytes -= life.size();
        change(site);
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
    HeapSite of(DataObject object) {
        return object.isSite() ? siteOf(object) : null;
    }

    private HeapSite siteOf(DataObject object) {
        HeapSite site = notes.of(object);
        if (site == null) {
            site = sites.computeIfAbsent(
                    new Origin(object.commonName(), object.chain()),
                    origin -> new HeapSite(Frames.of(object), object.block().kind()));
            notes.keep(object, site);
        }
        return site;
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

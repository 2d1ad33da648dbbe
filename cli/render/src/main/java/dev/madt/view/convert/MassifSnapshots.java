package dev.madt.view.convert;

import java.util.ArrayList;
import java.util.List;

/**
 * Sizes of the heap over time, at most {@value #MOST} of them: when there are more, those that
 * stand closest to their neighbours go until half are left, and from then on a snapshot is taken
 * only after as long a time as separates the remaining ones.
 */
final class MassifSnapshots {
    static final int MOST = 100;
    private static final int DETAILED_EVERY = 10;

    /**
     * The heap at one time.
     *
     * @param sites its sites, largest first, or null without details
     */
    record Snapshot(long time, long bytes, List<Share> sites) {}

    /** A site's bytes at one time. */
    record Share(HeapSite site, long bytes) {}

    private final List<Snapshot> snapshots = new ArrayList<>();
    private long interval;
    private long taken;

    /** Takes a snapshot if it is time. */
    void offer(long time, HeapSites heap) {
        if (!snapshots.isEmpty() && time - last().time < interval) {
            return;
        }
        boolean detailed = taken++ % DETAILED_EVERY == DETAILED_EVERY - 1;
        snapshots.add(new Snapshot(time, heap.bytes(), detailed ? shares(heap, false) : null));
        if (snapshots.size() == MOST) {
            thin();
        }
    }

    private Snapshot last() {
        return snapshots.get(snapshots.size() - 1);
    }

    private void thin() {
        while (snapshots.size() > MOST / 2) {
            int closest = 1;
            for (int i = 2; i < snapshots.size() - 1; i++) {
                closest = span(i) < span(closest) ? i : closest;
            }
            snapshots.remove(closest);
        }
        interval = Long.MAX_VALUE;
        for (int i = 1; i < snapshots.size(); i++) {
            interval = Math.min(interval, snapshots.get(i).time - snapshots.get(i - 1).time);
        }
    }

    /** The time between the neighbours of a snapshot. */
    private long span(int index) {
        return snapshots.get(index + 1).time - snapshots.get(index - 1).time;
    }

    /** Sites with their bytes now or at the peak, largest first. */
    static List<Share> shares(HeapSites heap, boolean peak) {
        List<Share> shares = new ArrayList<>();
        for (HeapSite site : heap.all()) {
            long bytes = peak ? site.peakBytes : site.bytes;
            if (bytes > 0) {
                shares.add(new Share(site, bytes));
            }
        }
        shares.sort((a, b) -> Long.compare(b.bytes, a.bytes));
        return shares;
    }

    List<Snapshot> all() {
        return snapshots;
    }
}

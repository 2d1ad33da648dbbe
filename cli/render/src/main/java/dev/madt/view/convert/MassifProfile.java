package dev.madt.view.convert;

import dev.madt.view.Allocation;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.convert.MassifSnapshots.Snapshot;
import dev.madt.view.toolkit.TextBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The heap over time in the format of Massif (Valgrind, massif/ms_main.c), as {@code ms_print}
 * reads it. Time is counted in accesses, which stand for Massif's instructions. The peak is exact
 * and has its own detailed snapshot.
 */
final class MassifProfile extends HeapConversion {
    private final HeapSites heap = new HeapSites();
    private final MassifSnapshots snapshots = new MassifSnapshots();

    MassifProfile(TextBuffer text) {
        super(text);
    }

    @Override
    public void allocation(Allocation event) {
        if (heap.apply(event)) {
            snapshots.offer(event.next(), heap);
        }
    }

    @Override
    public void replaced(DataObject site, Allocation.Life life, long next) {
        heap.replaced(site, life, next);
        snapshots.offer(next, heap);
    }

    @Override
    public Needs needs() {
        return Needs.BATCHES.bySite().withChains().keeping(heap.notes());
    }

    @Override
    public void inherited(DataObject block, long size) {
        heap.inherit(block, size);
    }

    @Override
    void write() {
        heap.end(Math.max(next, heap.lastTime()));
        List<Snapshot> all = new ArrayList<>(snapshots.all());
        all.removeIf(snapshot -> snapshot.time() == 0);
        all.add(0, new Snapshot(0, heap.inherited(), null));
        Snapshot last =
                new Snapshot(heap.lastTime(), heap.bytes(), MassifSnapshots.shares(heap, false));
        all.removeIf(snapshot -> snapshot.time() == last.time() && last.time() > 0);
        all.add(last);
        Snapshot peak =
                new Snapshot(heap.peakTime(), heap.peakBytes(), MassifSnapshots.shares(heap, true));
        if (peak.bytes() > 0) {
            all.add(place(all, peak), peak);
        }
        text.text("desc: --time-unit=i (accesses)\ncmd: ")
                .text(oneLine(meta("command")))
                .text("\ntime_unit: i\n");
        for (int i = 0; i < all.size(); i++) {
            snapshot(i, all.get(i), all.get(i) == peak);
        }
    }

    /** Behind everything up to the peak's time, but never behind the last snapshot. */
    private static int place(List<Snapshot> all, Snapshot peak) {
        int index = 1;
        while (index < all.size() - 1 && all.get(index).time() <= peak.time()) {
            index++;
        }
        return index;
    }

    private void snapshot(int number, Snapshot snapshot, boolean peak) {
        text.text("#-----------\nsnapshot=")
                .decimal(number)
                .text("\n#-----------\ntime=")
                .decimal(snapshot.time())
                .text("\nmem_heap_B=")
                .decimal(snapshot.bytes())
                .text("\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=");
        boolean detailed = snapshot.sites() != null && !snapshot.sites().isEmpty();
        text.text(!detailed ? "empty\n" : peak ? "peak\n" : "detailed\n");
        if (detailed) {
            new HeapTree(snapshot.sites()).write(text);
        }
    }
}

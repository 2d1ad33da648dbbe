package dev.madt.view.convert;

import dev.madt.view.Accesses;
import dev.madt.view.Allocation;
import dev.madt.view.BlockAccess;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Place;
import dev.madt.view.toolkit.JsonText;
import dev.madt.view.toolkit.TextBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A heap profile for DHAT's viewer (Valgrind, dhat/dh_main.c describes version 2 of the file): per
 * allocation site blocks, bytes, lifetimes, bytes read and written, and how often each byte was
 * accessed where all blocks have one size. Time is counted in accesses.
 */
final class DhatJson extends Conversion {
    /** Lifetimes below it are "short" to the viewer. */
    private static final int SHORT_LIFE = 100;

    private final HeapSites heap = new HeapSites();
    private final Map<String, Integer> frames = new LinkedHashMap<>();
    private long next;

    DhatJson(TextBuffer text) {
        super(text);
    }

    @Override
    protected void access(Accesses batch, int row) {
        count(
                batch.object(row),
                batch.address(row) - batch.start(row),
                batch.size(row),
                batch.store(row));
        next = batch.first() + row + 1;
    }

    @Override
    public void block(BlockAccess event) {
        if (reads(event)) {
            boolean copy = event.source() != null;
            count(
                    copy ? event.source() : event.target(),
                    source(event) - (copy ? event.sourceStart() : event.targetStart()),
                    event.reach(),
                    false);
        }
        if (writes(event)) {
            count(event.target(), event.to() - event.targetStart(), event.reach(), true);
        }
        next = event.number() + 1;
    }

    private void count(DataObject object, long offset, long length, boolean store) {
        HeapSite site = heap.of(object);
        if (site != null) {
            site.read += store ? 0 : length;
            site.written += store ? length : 0;
            site.counts.add(offset, length);
        }
    }

    @Override
    public void allocation(Allocation event) {
        heap.apply(event);
    }

    @Override
    public void replaced(DataObject site, Allocation.Life life, long next) {
        heap.replaced(site, life, next);
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
        text.text("{\"dhatFileVersion\":2\n"
                        + ",\"mode\":\"heap\",\"verb\":\"Allocated\"\n"
                        + ",\"bklt\":true,\"bkacc\":true\n")
                .text(",\"tu\":\"accesses\",\"Mtu\":\"Maccess\",\"tuth\":")
                .decimal(SHORT_LIFE)
                .text("\n,\"cmd\":")
                .text(JsonText.quoted(meta("command")))
                .text("\n,\"pid\":")
                .decimal(pid())
                .text("\n,\"te\":")
                .decimal(heap.lastTime())
                .text("\n,\"tg\":")
                .decimal(heap.peakTime())
                .text("\n,\"pps\":\n [");
        String before = "";
        for (HeapSite site : heap.all()) {
            text.text(before);
            point(site);
            before = "\n ,";
        }
        text.text("]\n,\"ftbl\":\n [\"[root]\"");
        for (String frame : frames.keySet()) {
            text.text("\n ,").text(JsonText.quoted(frame));
        }
        text.text("]\n}\n");
    }

    private long pid() {
        return meta("pid").matches("\\d{1,10}") ? Long.parseLong(meta("pid")) : 0;
    }

    /** The number of a frame in the table, from 1. */
    private int frame(Place call) {
        return frames.computeIfAbsent(Frames.text(call), absent -> frames.size() + 1);
    }

    private void point(HeapSite site) {
        text.text("{\"tb\":")
                .decimal(site.allBytes)
                .text(",\"tbk\":")
                .decimal(site.allBlocks)
                .text(",\"tl\":")
                .decimal(site.lifetimes + living(site))
                .text(",\"mb\":")
                .decimal(site.mostBytes)
                .text(",\"mbk\":")
                .decimal(site.mostBlocks)
                .text(",\"gb\":")
                .decimal(site.peakBytes)
                .text(",\"gbk\":")
                .decimal(site.peakBlocks)
                .text(",\"eb\":")
                .decimal(site.bytes)
                .text(",\"ebk\":")
                .decimal(site.blocks)
                .text(",\"rb\":")
                .decimal(site.read)
                .text(",\"wb\":")
                .decimal(site.written);
        if (site.counts.counts() != null && site.allBytes > 0) {
            text.text(",\"acc\":[");
            repeats(site.counts.counts());
            text.character(']');
        }
        text.text(",\"fs\":[");
        for (int i = 0; i < site.frames.size(); i++) {
            text.text(i == 0 ? "" : ",").decimal(frame(site.frames.get(i)));
        }
        text.text("]}");
    }

    /** Lifetimes up to the end of blocks that are alive then: for each, the end less its birth. */
    private long living(HeapSite site) {
        return site.blocks * heap.lastTime() - site.births;
    }

    /** A value as it is, several equal ones as minus their number and the value. */
    private void repeats(long[] counts) {
        for (int i = 0; i < counts.length; ) {
            int end = i + 1;
            while (end < counts.length && counts[end] == counts[i]) {
                end++;
            }
            text.text(i == 0 ? "" : ",");
            if (end - i > 1) {
                text.character('-').decimal(end - i).character(',');
            }
            text.decimal(counts[i]);
            i = end;
        }
    }
}

package dev.madt.view.chains;

import dev.madt.view.CallChain;
import dev.madt.view.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** A call in a tree of chains, with the blocks that it led to; below it lie its callers. */
final class ChainNode {
    private final String name;
    private final String line;
    private final Map<String, ChainNode> callers = new LinkedHashMap<>();
    private long blocks;
    private long bytes;
    private long aliveBytes;
    private long alive;
    private long peakBytes;
    private long temporary;
    private long accesses;

    ChainNode(String name, String line) {
        this.name = name;
        this.line = line;
    }

    /** Adds what a chain counts to the node that the rest of the chain leads to, and between. */
    void add(ChainCount count, CallChain rest) {
        ChainNode node = this;
        node.add(count);
        CallChain end = rest == null ? null : rest.withoutStart();
        CallChain each = rest;
        for (; each != end; each = each.outer()) {
            node = node.caller(each.call());
            node.add(count);
        }
        if (each != null && each.outer() == null && each.isCut()) {
            node.callers.computeIfAbsent("…", cut -> new ChainNode("…", "")).add(count);
        }
    }

    private ChainNode caller(Place call) {
        return callers.computeIfAbsent(
                call.frameName() + '\n' + call.module(),
                absent -> new ChainNode(call.frameName(), call.ownLine()));
    }

    private void add(ChainCount count) {
        blocks += count.blocks();
        bytes += count.bytes();
        alive += count.alive();
        aliveBytes += count.aliveBytes();
        peakBytes += count.peakBytes();
        temporary += count.temporary();
        accesses += count.accesses();
    }

    /** Returns whether all that it counts is a caller's. */
    boolean isAs(ChainNode caller) {
        return blocks == caller.blocks && bytes == caller.bytes && accesses == caller.accesses;
    }

    String name() {
        return name;
    }

    /** File and line of the call; empty if unknown. */
    String line() {
        return line;
    }

    long blocks() {
        return blocks;
    }

    long bytes() {
        return bytes;
    }

    long alive() {
        return alive;
    }

    long aliveBytes() {
        return aliveBytes;
    }

    long peakBytes() {
        return peakBytes;
    }

    long temporary() {
        return temporary;
    }

    long accesses() {
        return accesses;
    }

    /** Returns its callers, those with most of a measure first. */
    List<ChainNode> callers(ToLongFunction<ChainNode> measure) {
        List<ChainNode> sorted = new ArrayList<>(callers.values());
        sorted.sort(Comparator.comparingLong(measure)
                .thenComparingLong(ChainNode::bytes)
                .reversed()
                .thenComparing(ChainNode::name));
        return sorted;
    }
}

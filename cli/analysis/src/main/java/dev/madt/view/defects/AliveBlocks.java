package dev.madt.view.defects;

import dev.madt.view.CallChain;
import dev.madt.view.DataObject;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The blocks of one call that live: how many, and which calls led to them. */
final class AliveBlocks {
    private final Map<CallChain, Long> chains = new LinkedHashMap<>();
    private long count;
    private long bytes;
    private DataObject last;
    private CallChain lastChain;

    /** @param by the calls that led to its allocation; null where nobody knows */
    void born(DataObject block, CallChain by) {
        count++;
        bytes += block.block().size();
        last = block;
        lastChain = by;
        chains.merge(by, 1L, Long::sum);
    }

    void gone(DataObject block, CallChain by) {
        count--;
        bytes -= block.block().size();
        chains.computeIfPresent(by, (chain, blocks) -> blocks == 1 ? null : blocks - 1);
    }

    long count() {
        return count;
    }

    long bytes() {
        return bytes;
    }

    /** The block that was born last, alive or not; null: none ever was. */
    DataObject last() {
        return last;
    }

    /** Returns calls that led to a block that lives, the innermost first. */
    List<String> calls() {
        return OpenCalls.told(
                chains.isEmpty() || chains.containsKey(lastChain)
                        ? lastChain
                        : chains.keySet().iterator().next());
    }

    /** Returns how many other chains of calls led to blocks that live, as far as they are told. */
    int otherChains() {
        Set<List<String>> told = new HashSet<>();
        chains.keySet().forEach(chain -> told.add(OpenCalls.told(chain)));
        told.remove(calls());
        return told.size();
    }
}

package dev.madt.view.convert;

import dev.madt.view.Allocation;
import dev.madt.view.CallChain;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Place;
import dev.madt.view.toolkit.TextBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;

/**
 * Every allocation and its end in the format of heaptrack 1.4 (src/analyze/accumulatedtracedata.cpp
 * reads it): text of strings, instructions, chains and events, each defined in front of its first
 * use, all numbers hexadecimal. The time is counted in thousands of accesses, which stand for
 * milliseconds. Mappings do not count.
 */
final class HeaptrackText extends HeapConversion {
    private static final int RADIX = 16;
    private static final int PER_TICK = 1_000;

    /** A size that a chain allocates. */
    private record Size(long bytes, int chain) {}

    private final Map<String, Integer> strings = new HashMap<>();
    private final Map<Place, Integer> instructions = new IdentityHashMap<>();
    private final Map<CallChain, Integer> chains = new IdentityHashMap<>();
    private final Map<Place, Integer> calls = new IdentityHashMap<>();
    private final Map<Size, Integer> sizes = new HashMap<>();
    /** By the addresses of the blocks that live: their sizes. */
    private final LongIntHashMap blocks = new LongIntHashMap();

    private int lastChain;
    private long told = -1;
    private boolean begun;

    HeaptrackText(TextBuffer text) {
        super(text);
    }

    @Override
    public Needs needs() {
        return Needs.BATCHES.bySite().withChains();
    }

    private void begin() {
        if (!begun) {
            begun = true;
            text.text("v 10400 3\nX ").text(oneLine(meta("command"))).text("\nI 1000 0\n");
        }
    }

    @Override
    public void allocation(Allocation event) {
        begin();
        long ended = event.event().oldAddress();
        if (event.life() != null && blocks.containsKey(ended)) {
            time(event.next());
            text.text("- ").text(hex(blocks.get(ended))).character('\n');
            blocks.remove(ended);
        }
        if (event.born() != null) {
            time(event.next());
            born(
                    event.born(),
                    event.event().block().address(),
                    event.event().block().size());
        }
    }

    @Override
    public void inherited(DataObject block, long size) {
        begin(); // of unknown addresses: their ends are not told either
    }

    private void born(DataObject block, long address, long size) {
        if (block.block().kind().mapping()) {
            return;
        }
        int chain = block.chain() == null || block.chain().outer() == null
                ? calls.computeIfAbsent(block.call(), call -> define(call, 0))
                : chain(block.chain());
        int before = sizes.size();
        int number = sizes.computeIfAbsent(new Size(size, chain), absent -> before);
        if (number == before) {
            text.text("a ").text(hex(size)).character(' ').text(hex(chain)).character('\n');
        }
        text.text("+ ").text(hex(number)).character('\n');
        blocks.put(address, number);
    }

    /** The number of a chain, from 1; 0 of that of no call. */
    private int chain(CallChain chain) {
        if (chain.outer() == null) {
            return 0;
        }
        Integer known = chains.get(chain);
        if (known == null) {
            known = define(chain.call(), chain(chain.outer()));
            chains.put(chain, known);
        }
        return known;
    }

    private int define(Place call, int outer) {
        int instruction = instruction(call);
        text.text("t ").text(hex(instruction)).character(' ').text(hex(outer)).character('\n');
        lastChain++;
        return lastChain;
    }

    private int instruction(Place call) {
        Integer known = instructions.get(call);
        if (known != null) {
            return known;
        }
        int module = string(bare(call.module()));
        int function = string(oneLine(call.function()));
        int file = call.line() == 0 ? 0 : string(oneLine(call.file()));
        text.text("i ").text(hex(call.address())).character(' ').text(hex(module));
        text.character(' ').text(hex(function));
        if (file != 0) {
            text.character(' ').text(hex(file)).character(' ').text(hex(call.line()));
        }
        text.character('\n');
        instructions.put(call, instructions.size() + 1);
        return instructions.size();
    }

    private int string(String value) {
        Integer known = strings.get(value);
        if (known == null) {
            known = strings.size() + 1;
            strings.put(value, known);
            int length = value.getBytes(StandardCharsets.UTF_8).length;
            text.text("s ").text(hex(length)).character(' ').text(value).character('\n');
        }
        return known;
    }

    private void time(long now) {
        if (now / PER_TICK != told) {
            told = now / PER_TICK;
            text.text("c ").text(hex(told)).character('\n');
        }
    }

    private static String hex(long number) {
        return Long.toUnsignedString(number, RADIX);
    }

    @Override
    void write() {
        begin();
        time(next);
        List.of("strings: " + strings.size(), "ips: " + instructions.size())
                .forEach(count -> text.text("# ").text(count).character('\n'));
    }
}

package dev.madt.collector;

import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.RingEventType;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Counts how many events of each kind are in a frame, or in several. */
final class EventTally {
    private static final List<RingEventType> BY_WORDS = RingEventType.printedByWords();

    private long loads;
    private long stores;
    private long enters;
    private long leaves;
    private final long[] blocks = new long[BlockKind.values().length];
    private final long[] allocations = new long[AllocationEvent.TYPES.size()];
    private final long[] events = new long[BY_WORDS.size()];

    EventTally() {}

    /** Counts what a frame holds so far. */
    EventTally(EventsFrame frame) {
        loads = frame.loads();
        stores = frame.stores();
        enters = frame.enters();
        leaves = frame.leaves();
        for (BlockKind kind : BlockKind.values()) {
            blocks[kind.ordinal()] = frame.blocks(kind);
        }
        for (int i = 0; i < allocations.length; i++) {
            allocations[i] = frame.allocations(AllocationEvent.TYPES.get(i));
        }
        for (int i = 0; i < events.length; i++) {
            events[i] = frame.events(BY_WORDS.get(i));
        }
    }

    void add(EventTally other) {
        add(other, 1);
    }

    /** Returns what is in this one and not in the other, which is a part of it. */
    EventTally without(EventTally part) {
        EventTally rest = new EventTally();
        rest.add(this, 1);
        rest.add(part, -1);
        return rest;
    }

    private void add(EventTally other, int sign) {
        loads += sign * other.loads;
        stores += sign * other.stores;
        enters += sign * other.enters;
        leaves += sign * other.leaves;
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] += sign * other.blocks[i];
        }
        for (int i = 0; i < allocations.length; i++) {
            allocations[i] += sign * other.allocations[i];
        }
        for (int i = 0; i < events.length; i++) {
            events[i] += sign * other.events[i];
        }
    }

    long loads() {
        return loads;
    }

    long stores() {
        return stores;
    }

    /** Functions entered. */
    long enters() {
        return enters;
    }

    /** Functions left. */
    long leaves() {
        return leaves;
    }

    /** Locks that threads got, and units of semaphores. */
    long acquisitions() {
        return events[BY_WORDS.indexOf(RingEventType.LOCK_GOT)];
    }

    /** Hits of instruments, with their values. */
    long hits() {
        return events[BY_WORDS.indexOf(RingEventType.INSTRUMENT_HIT)];
    }

    long blocks(BlockKind kind) {
        return blocks[kind.ordinal()];
    }

    /** Letters of allocation events, each with their number: {@code "F 71 M 73"}. */
    String allocations() {
        Map<Character, Long> letters = new TreeMap<>();
        for (int i = 0; i < allocations.length; i++) {
            char letter = AllocationEvent.TYPES.get(i).letter();
            letters.merge(letter, allocations[i], Long::sum);
        }
        return letters.entrySet().stream()
                .filter(entry -> entry.getValue() != 0)
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    /** Types of events that are printed by their words alone, each with its number. */
    String events() {
        return IntStream.range(0, events.length)
                .filter(i -> events[i] != 0)
                .mapToObj(i -> BY_WORDS.get(i) + " " + events[i])
                .collect(Collectors.joining(" "));
    }

    /** Bulk transfers of all kinds. */
    long blocks() {
        long all = 0;
        for (long count : blocks) {
            all += count;
        }
        return all;
    }

    /** Everything that has a number: accesses, bulk transfers, calls. */
    long all() {
        return loads + stores + enters + leaves + blocks();
    }
}

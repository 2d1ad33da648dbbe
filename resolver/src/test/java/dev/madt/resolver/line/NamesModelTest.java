package dev.madt.resolver.line;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random maps, nested symbols and blocks: the lines equal those of a model that scans lists from
 * end to end.
 */
class NamesModelTest {
    private static final long FIRST = 0x10000;
    private static final int SPAN = 0x4000;
    private static final int ROUNDS = 20_011;

    private record Area(RegionKind kind, long start, long end, long origin, String label) {}

    private record Name(boolean code, long start, long size, String text) {}

    private record Chunk(long number, long start, long size, String site, boolean live) {}

    private final Random random = new Random(1_999_993);
    private final List<Area> areas = new ArrayList<>();
    private final List<Name> names = new ArrayList<>();
    private final List<Chunk> chunks = new ArrayList<>();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final LineWriter writer = new LineWriter(out, LineOptions.SYMBOLIC);
    private final NameShares shares = new NameShares();
    private final AccessSite[] sites = new AccessSite[97];
    private final long[] counted = new long[4];
    private final List<String> expected = new ArrayList<>();
    private long epoch;
    private long blocks;
    private long lines;
    private long accesses;
    private int live;
    private int peak;

    @Test
    void shouldNameAsALinearScanDoes() {
        for (int i = 0; i < sites.length; i++) {
            sites[i] = new AccessSite(place(), 3, AccessKind.LOAD, 4, 0, false);
        }
        for (int round = 0; round < ROUNDS; round++) {
            switch (random.nextInt(40)) {
                case 0 -> remap();
                case 1 -> renameSymbols();
                case 2, 3, 4 -> allocate();
                case 5, 6 -> free();
                default -> access();
            }
        }
        writer.end(true);
        assertEquals(
                String.join("\n", expected),
                out.toString(StandardCharsets.UTF_8).strip());
        assertEquals(counted[0], shares.bySymbol(false));
        assertEquals(counted[1], shares.byLiveBlock(false));
        assertEquals(counted[2], shares.byDeadBlock(false));
        assertEquals(counted[3], shares.byRegion(false));
        assertEquals(peak, shares.peakLiveBlocks());
        System.out.printf(
                "names: %d symbol, %d live, %d dead, %d region%n",
                counted[0], counted[1], counted[2], counted[3]);
        for (long count : counted) {
            assertEquals(true, count > 500, "too few of a kind: " + count);
        }
    }

    private long place() {
        return FIRST + random.nextInt(SPAN);
    }

    /**
     * Replaces what lies in a quarter of the space: code, data and heap each have their quarters.
     */
    private void remap() {
        int quarter = random.nextInt(4);
        long start = FIRST + quarter * (SPAN / 4);
        long end = start + SPAN / 4;
        writer.define(new Definition.RegionsForgotten(start, end));
        shares.define(new Definition.RegionsForgotten(start, end));
        areas.removeIf(area -> area.start() < end && start < area.end());
        RegionKind kind = RegionKind.of(quarter + 1);
        for (long at = start; at < end; ) {
            long next = Math.min(end, at + 512 + random.nextInt(3000));
            if (random.nextInt(6) > 0) {
                Area area = new Area(
                        kind, at, next, random.nextBoolean() ? at : start, "[r" + epoch++ + "]");
                areas.add(area);
                writer.define(
                        new Definition.Region(kind, 3, at, next, area.origin(), area.label()));
                shares.define(
                        new Definition.Region(kind, 3, at, next, area.origin(), area.label()));
            }
            at = next;
        }
    }

    /** Symbols of one kind in its quarter, nested in each other but never two with one start. */
    private void renameSymbols() {
        boolean code = random.nextBoolean();
        long start = FIRST + (code ? 0 : SPAN / 4);
        writer.define(new Definition.SymbolsForgotten(start, start + SPAN / 4));
        shares.define(new Definition.SymbolsForgotten(start, start + SPAN / 4));
        names.removeIf(name -> name.code() == code);
        for (int i = 0; i < 40; i++) {
            long at = start + random.nextInt(SPAN / 4 - 400);
            if (names.stream().noneMatch(name -> name.start() == at)) {
                Name name = new Name(
                        code,
                        at,
                        1 + random.nextInt(random.nextInt(5) == 0 ? 400 : 40),
                        "s" + epoch++);
                names.add(name);
                writer.define(new Definition.Symbol(code, at, name.size(), name.text()));
                shares.define(new Definition.Symbol(code, at, name.size(), name.text()));
            }
        }
    }

    private void ring(RingEventType type, long address, long size, long old, long code) {
        TraceEvent event = TraceEvent.of(type, 1, epoch++, address, size, old, 0, "", code);
        writer.ring(event);
        shares.ring(event);
    }

    /**
     * In the heap's quarter, one place for each block size, so that a dead block is replaced whole.
     */
    private void allocate() {
        int slot = random.nextInt(SPAN / 4 / 192);
        long at = FIRST + SPAN / 2 + slot * 192L;
        long size = 16 + slot % 11 * 16L + slot % 3;
        if (chunks.stream().anyMatch(chunk -> chunk.live() && overlap(chunk, at, size))) {
            return;
        }
        chunks.removeIf(chunk -> overlap(chunk, at, size));
        long code = FIRST + random.nextInt(SPAN / 4);
        Chunk chunk = new Chunk(++blocks, at, size, code(code), true);
        chunks.add(chunk);
        ring(RingEventType.MALLOC, at, size, 0, code);
        expected.add("M$" + ++lines + ":" + forged(chunk) + "," + size);
        peak = Math.max(peak, ++live);
    }

    private static boolean overlap(Chunk chunk, long at, long size) {
        return chunk.start() < at + size && at < chunk.start() + chunk.size();
    }

    private void free() {
        List<Chunk> candidates = chunks.stream().filter(Chunk::live).toList();
        if (candidates.isEmpty()) {
            return;
        }
        Chunk chunk = candidates.get(random.nextInt(candidates.size()));
        Chunk dead = new Chunk(chunk.number(), chunk.start(), chunk.size(), chunk.site(), false);
        chunks.set(chunks.indexOf(chunk), dead);
        long code = FIRST + random.nextInt(SPAN / 4);
        ring(RingEventType.FREE, 0, 0, chunk.start(), code);
        expected.add("F$" + ++lines + ":" + forged(dead) + "," + code(code));
        live--;
    }

    private void access() {
        long address = place();
        AccessSite site = sites[random.nextInt(sites.length)];
        boolean store = random.nextBoolean();
        writer.access(accesses, 1, site, store, address);
        shares.access(accesses, 1, site, store, address);
        Area area = area(address);
        expected.add((store ? "S$" : "L$") + accesses++ + ":" + data(address) + ","
                + (area == null ? "[?]" : area.label()) + "," + code(site.address()));
    }

    private String data(long address) {
        Area area = area(address);
        if (area == null || area.kind() != RegionKind.DATA) {
            for (Chunk chunk : chunks) {
                if (overlap(chunk, address, 1)) {
                    counted[chunk.live() ? 1 : 2]++;
                    return forged(chunk) + "+" + (address - chunk.start());
                }
            }
        }
        String symbol = symbol(false, address);
        counted[symbol != null ? 0 : 3]++;
        return symbol != null ? symbol : inRegion(address);
    }

    private String forged(Chunk chunk) {
        String number = String.format("%04d", chunk.number());
        return (chunk.live() ? "<malloc" : "<freed:") + number + "@" + chunk.site() + ">";
    }

    private String code(long address) {
        String symbol = symbol(true, address);
        return symbol != null ? symbol : inRegion(address);
    }

    private String symbol(boolean code, long address) {
        Name best = null;
        for (Name name : names) {
            boolean covers = name.code() == code
                    && name.start() <= address
                    && address < name.start() + name.size();
            if (covers && (best == null || name.start() > best.start())) {
                best = name;
            }
        }
        return best == null ? null : best.text() + "+" + (address - best.start());
    }

    private String inRegion(long address) {
        Area area = area(address);
        return area == null
                ? "0x" + Long.toHexString(address)
                : area.label() + "+" + (address - area.origin());
    }

    private Area area(long address) {
        return areas.stream()
                .filter(area -> address >= area.start() && address < area.end())
                .findFirst()
                .orElse(null);
    }
}

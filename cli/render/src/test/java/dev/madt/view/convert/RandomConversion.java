package dev.madt.view.convert;

import dev.madt.resolver.line.LineOptions;
import dev.madt.resolver.line.LineWriter;
import dev.madt.trace.event.EventConsumer;
import dev.madt.view.RandomEvents;
import dev.madt.view.ViewFeed;
import dev.madt.view.cache.CacheHierarchy;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Made-up events in the formats under test and, for comparison, as lines. */
final class RandomConversion {
    static final int EVENTS = 20_011;

    private RandomConversion() {}

    static List<String> to(TargetFormat format, long seed, ConversionOptions options) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        give(seed, new ViewFeed(format.writer(out, options)));
        return lines(out);
    }

    static ConversionOptions options(boolean instructions, boolean expandBlocks, boolean byData) {
        return new ConversionOptions(
                instructions, true, expandBlocks, byData, CacheHierarchy.ofThisMachine());
    }

    static List<String> to(TargetFormat format, long seed) {
        return to(format, seed, options(true, false, false));
    }

    /** Raw lines, all events. */
    static List<String> raw(long seed) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        give(seed, new LineWriter(out, LineOptions.RAW));
        return lines(out);
    }

    static void give(long seed, EventConsumer consumer) {
        new RandomEvents(seed, consumer).give(EVENTS);
    }

    private static List<String> lines(ByteArrayOutputStream out) {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    static long count(List<String> lines, String start) {
        return lines.stream().filter(line -> line.startsWith(start)).count();
    }
}

package dev.madt.limit;

import dev.madt.modules.LoadedModule;
import dev.madt.modules.ModuleTable;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.codec.PrintableText;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * {@code --rate-limit}: functions of one process that are called more often than a rate are
 * recorded no more. Calls are counted while they are read, about every tenth of a second; the text
 * of such a function becomes the file's again in the target.
 */
public final class RateLimit {
    private static final long INTERVAL = 100_000_000;
    private static final double NANOS = 1e9;

    /** @param text a line of {@link #text} */
    private record Limited(long end, String text) {}

    private final long most;
    private final ModuleTable modules;
    private final CallRates rates = new CallRates();
    /** By the address of their first byte. */
    private final TreeMap<Long, Limited> limited = new TreeMap<>();
    /** Says where they are entered, or code in no known function is left: what was looked at. */
    private final Set<Long> tried = new HashSet<>();

    /** Says when the last interval ended, and the one before; 0: there was none. */
    private long counted;

    private long countedBefore;

    /** @param most calls in a second that a function may have */
    public RateLimit(long most, ModuleTable modules) {
        this.most = most;
        this.modules = modules;
    }

    /** A child of fork begins with what its parent has. */
    public void inherit(RateLimit parent) {
        limited.putAll(parent.limited);
    }

    /** Records on their way into the trace. */
    public void look(RecordSpan span) {
        rates.look(span);
    }

    /**
     * Looks which functions came too often of late.
     *
     * @param now nanoseconds of System.nanoTime
     * @return whether there are more of them than before, which the target is to be told
     */
    public boolean grows(long now) {
        if (now - counted < INTERVAL) {
            return false;
        }
        long span = now - countedBefore;
        int before = limited.size();
        List<Runnable> additions = new ArrayList<>();
        rates.take((template, count) -> {
            long rate = Math.round(count * NANOS / span);
            if (countedBefore != 0 && rate > most) {
                additions.add(() -> add(template, rate));
            }
        });
        additions.forEach(Runnable::run);
        countedBefore = counted;
        counted = now;
        return limited.size() > before;
    }

    private void add(int template, long rate) {
        AccessSite[] sites =
                modules.words(template) < 0 ? new AccessSite[0] : modules.sites(template);
        if (sites.length == 0 || !sites[0].kind().probes() || !tried.add(sites[0].address())) {
            return;
        }
        long address = sites[0].address();
        LoadedModule module = modules.at(address);
        ElfSymbol function = module == null ? null : module.function(address);
        boolean counts = sites[0].kind() == AccessKind.ENTER || function == null;
        long[] range = module == null || !counts ? null : module.restingWith(address);
        if (range != null) {
            String name = function == null
                    ? "code at 0x" + Long.toHexString(range[0])
                    : PrintableText.of(function.name());
            limited.putIfAbsent(
                    module.bias() + range[0],
                    new Limited(module.bias() + range[1], rate + "," + module.name() + "," + name));
        }
    }

    /** Returns how many functions are recorded no more. */
    public int count() {
        return limited.size();
    }

    /** As {@code struct madt_rate_limit} has them. */
    public byte[] ranges() {
        ByteBuffer bytes = ByteBuffer.allocate(limited.size() * SharedLayout.RateLimit.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        limited.forEach((start, function) -> bytes.putLong(start).putLong(function.end()));
        return bytes.array();
    }

    /** A line for each: calls in a second when it was left out, module, name. */
    public String text() {
        return String.join("\n", limited.values().stream().map(Limited::text).toList());
    }
}

package dev.madt.calm;

import dev.madt.modules.LoadedModule;
import dev.madt.modules.ModuleTable;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.trace.buffer.RunSpan;
import dev.madt.trace.codec.PrintableText;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.Site;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * {@code --calm}: functions of one process that are called more often than a rate are recorded no
 * more. Calls are counted while they are read, about every tenth of a second; the text of such a
 * function becomes the file's again in the target.
 */
public final class Calming {
    private static final long INTERVAL = 100_000_000;
    private static final double NANOS = 1e9;

    /** @param text a line of {@link #text} */
    private record Calmed(long end, String text) {}

    private final long most;
    private final ModuleTable modules;
    private final CallRates rates = new CallRates();
    /** By the address of their first byte. */
    private final TreeMap<Long, Calmed> calmed = new TreeMap<>();
    /** Where they are entered, or code in no known function is left: what was looked at. */
    private final Set<Long> tried = new HashSet<>();

    /** When the last interval ended, and the one before; 0: there was none. */
    private long counted;

    private long countedBefore;

    /** @param most calls in a second that a function may have */
    public Calming(long most, ModuleTable modules) {
        this.most = most;
        this.modules = modules;
    }

    /** A child of fork begins with what its parent has. */
    public void inherit(Calming parent) {
        calmed.putAll(parent.calmed);
    }

    /** Runs on their way into the trace. */
    public void look(RunSpan span) {
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
        int before = calmed.size();
        List<Runnable> additions = new ArrayList<>();
        rates.take((run, count) -> {
            long rate = Math.round(count * NANOS / span);
            if (countedBefore != 0 && rate > most) {
                additions.add(() -> add(run, rate));
            }
        });
        additions.forEach(Runnable::run);
        countedBefore = counted;
        counted = now;
        return calmed.size() > before;
    }

    private void add(int run, long rate) {
        Site[] sites = modules.words(run) < 0 ? new Site[0] : modules.sites(run);
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
            calmed.putIfAbsent(
                    module.bias() + range[0],
                    new Calmed(module.bias() + range[1], rate + "," + module.name() + "," + name));
        }
    }

    /** How many functions are recorded no more. */
    public int count() {
        return calmed.size();
    }

    /** As {@code struct madt_calm} has them. */
    public byte[] ranges() {
        ByteBuffer bytes = ByteBuffer.allocate(calmed.size() * SharedLayout.Calm.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        calmed.forEach((start, function) -> bytes.putLong(start).putLong(function.end()));
        return bytes.array();
    }

    /** A line for each: calls in a second when it was left out, module, name. */
    public String text() {
        return String.join("\n", calmed.values().stream().map(Calmed::text).toList());
    }
}

package dev.madt.foreseen;

import dev.madt.resolver.ProcMaps;
import dev.madt.trace.code.SplicePlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The address space of a process: what is mapped, and what will be. */
public final class TakenSpace implements SplicePlan.Room {
    private final TreeMap<Long, Long> ends;

    private TakenSpace(TreeMap<Long, Long> ends) {
        this.ends = ends;
    }

    /** As /proc/PID/maps shows it; the process may change it meanwhile, or end. */
    public static TakenSpace of(int pid) throws IOException {
        TreeMap<Long, Long> ends = new TreeMap<>();
        String maps;
        try {
            maps = Files.readString(
                    Path.of("/proc", Integer.toString(pid), "maps"), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            maps = ""; // it has ended
        }
        for (ProcMaps.Mapping mapping : ProcMaps.parse(maps)) {
            if (mapping.end() > 0) {
                ends.put(mapping.start(), mapping.end());
            }
        }
        return new TakenSpace(ends);
    }

    /** The same, to be changed apart. */
    public TakenSpace copy() {
        return new TakenSpace(new TreeMap<>(ends));
    }

    /** Becomes what another one has become. */
    public void takeOver(TakenSpace other) {
        ends.putAll(other.ends);
    }

    @Override
    public boolean take(long start, long end) {
        Map.Entry<Long, Long> below = ends.lowerEntry(end);
        if (below != null && below.getValue() > start) {
            return false;
        }
        ends.put(start, end);
        return true;
    }
}

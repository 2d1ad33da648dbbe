package dev.madt.modules;

import dev.madt.console.Numbers;
import dev.madt.generated.GeneratedTime;
import dev.madt.resolver.elf.CodeRange;
import dev.madt.trace.code.SplicePlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The executable bytes of one process that engine splice leaves as they are, so that they record
 * nothing: of modules without a plan, outside proven code, text that the program moved or changed,
 * and memory that it made executable itself. What was executable once counts, also when it is gone.
 */
public final class UnrecordedCode {
    private static final int EXECUTE = 4;
    private static final int PAGE = 4096;
    private static final String GENERATED = "[anon]";
    /** Percent of a module from which on it is to be said that they are in no known function. */
    private static final int LEAST_SHARE = 5;
    /** Bytes of a library from which on it is. */
    private static final long LEAST_BYTES = 64 << 10;
    /**
     * Holds how many instructions of a library have been recorded, and percent of all, where the
     * process uses it: most libraries do something when they are loaded.
     */
    private static final long USED_SITES = 64;

    private static final int USED_SHARE = 1;

    /** Says why code records nothing. */
    public enum Cause {
        UNKNOWN("in no known function"),
        UNPATCHED("could not be patched"),
        CHANGED("moved or changed by the program as it ran"),
        GENERATED("made by the program as it ran");

        private final String text;

        Cause(String text) {
            this.text = text;
        }
    }

    /**
     * Some of them.
     *
     * @param time how much of the process's time it took; empty if that is not known
     */
    public record Part(String name, long bytes, Cause cause, String time) {
        private Part(String name, long bytes, Cause cause) {
            this(name, bytes, cause, "");
        }

        /** Returns whether code that would be known records nothing. */
        public boolean missing() {
            return cause != Cause.UNKNOWN;
        }

        /** Returns whose code it is, in a sentence. */
        public String label() {
            return cause == Cause.GENERATED ? "code made at run time" : name;
        }

        /** Says how much it is, for people. */
        public String extent() {
            return Numbers.grouped(bytes) + (time.isEmpty() ? "" : ", " + time);
        }

        /** For people. */
        public String text() {
            return Numbers.grouped(bytes) + "  " + name + ": " + cause.text
                    + (time.isEmpty() ? "" : ", " + time);
        }
    }

    /** Instructions of a module's known functions that nothing may be written over. */
    public record Fixed(String name, long instructions) {
        /** For people. */
        public String text() {
            return Numbers.counted(instructions, "instruction", "instructions") + "  " + name
                    + ": may not be patched";
        }
    }

    /** A considerable part of a module that is in use: code in no known function. */
    public record Unknown(String name, long bytes, String share) {
        /** For people. */
        public String text() {
            return name + " " + Numbers.counted(bytes, "byte", "bytes") + " (" + share + ")";
        }
    }

    /**
     * Code of a module: all of it, and what records nothing.
     *
     * @param sites instructions of known functions that access memory
     * @param unproven such instructions in the rest, where that has the looks of code
     */
    private record Module(long bytes, long unrecorded, boolean program, long sites, long unproven) {
        private static Module without(long bytes, boolean program) {
            return new Module(bytes, bytes, program, 0, 0);
        }

        /** Returns whether much is in no known function; neither padding nor tables count. */
        private boolean isUnknown(long used) {
            return unproven > 0
                    && unrecorded < bytes
                    && isShare(LEAST_SHARE, unrecorded, bytes)
                    && isShare(LEAST_SHARE, unproven, sites + unproven)
                    && (program
                            || unrecorded >= LEAST_BYTES
                                    && used >= USED_SITES
                                    && isShare(USED_SHARE, used, sites));
        }

        private static boolean isShare(int percent, long part, long all) {
            return part * 100 >= percent * all;
        }
    }

    private record Changed(String module, long end) {}

    private final Map<String, Module> modules = new LinkedHashMap<>();
    private final Map<String, Fixed> fixed = new LinkedHashMap<>();
    /** Holds how many instructions of each module the trace has, for those with a plan. */
    private final Map<String, Long> used = new HashMap<>();
    /** Start to end of what was executable outside modules; they do not overlap. */
    private final TreeMap<Long, Long> generated = new TreeMap<>();
    /** Text of modules that is the program's own, by where it begins. */
    private final Map<Long, Changed> changed = new TreeMap<>();

    private final GeneratedTime time = new GeneratedTime();

    /**
     * A module has been loaded, with its plan or without.
     *
     * @param executable bytes of its memory, for one whose file cannot be read
     * @param program whether it is the program itself
     */
    void load(LoadedModule module, long start, long end, long executable, boolean program) {
        cut(start, end);
        if (module.plan() != null) {
            SplicePlan plan = module.plan();
            long bytes = plan.textBytes();
            modules.put(
                    module.name(),
                    new Module(
                            bytes,
                            bytes - plan.provenBytes(),
                            program,
                            plan.sites(),
                            plan.sitesLikely()));
            if (plan.sitesLeft() > 0) {
                fixed.put(module.name(), new Fixed(module.name(), plan.sitesLeft()));
            }
        } else if (!module.untraced()) {
            long bytes = module.elf() == null
                    ? executable
                    : module.elf().codeRanges().stream()
                            .mapToLong(UnrecordedCode::length)
                            .sum();
            modules.put(module.name(), Module.without(bytes, program));
        }
    }

    private static long length(CodeRange range) {
        return range.end() - range.start();
    }

    /** Instructions of a module come into the trace that have not been there. */
    public void use(LoadedModule module, int sites) {
        used.merge(module.name(), (long) sites, Long::sum);
    }

    /** Memory was mapped or protected. */
    void change(long start, long end, long protection, boolean inModule) {
        if ((protection & EXECUTE) != 0 && !inModule && end > start) {
            cut(start, end);
            generated.put(start, end);
        }
    }

    /** Executable memory of a module was mapped anew, or made writable. */
    void taken(LoadedModule module, long start, long end) {
        if (module.plan() == null) {
            return;
        }
        for (long page = start; page < end; page += PAGE) {
            changed.put(page, new Changed(module.name(), Math.min(end, page + PAGE)));
        }
    }

    /** Looks where the process is, if it has made code; is to be called again and again. */
    public void followTime(int pid) {
        if (!generated.isEmpty()) {
            time.follow(pid, this::isGenerated);
        }
    }

    /** The process has ended. */
    public void endTime(int pid) {
        time.end(pid, this::isGenerated);
    }

    private boolean isGenerated(long address) {
        Map.Entry<Long, Long> range = generated.floorEntry(address);
        return range != null && address < range.getValue();
    }

    private void cut(long start, long end) {
        Map.Entry<Long, Long> entry = generated.lowerEntry(end);
        while (entry != null && entry.getValue() > start) {
            generated.remove(entry.getKey());
            if (entry.getKey() < start) {
                generated.put(entry.getKey(), start);
            }
            if (entry.getValue() > end) {
                generated.put(end, entry.getValue());
            }
            entry = generated.lowerEntry(start);
        }
    }

    /** All executable bytes. */
    public long executable() {
        return modules.values().stream().mapToLong(Module::bytes).sum() + made();
    }

    private long made() {
        long bytes = 0;
        for (Map.Entry<Long, Long> range : generated.entrySet()) {
            bytes += range.getValue() - range.getKey();
        }
        return bytes;
    }

    /** Returns what records nothing, the most first. */
    public List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        modules.forEach((name, module) -> {
            if (module.unrecorded() > 0) {
                boolean all = module.unrecorded() == module.bytes();
                parts.add(
                        new Part(name, module.unrecorded(), all ? Cause.UNPATCHED : Cause.UNKNOWN));
            }
        });
        Map<String, Long> taken = new TreeMap<>();
        changed.forEach((start, part) -> taken.merge(part.module(), part.end() - start, Long::sum));
        taken.forEach((name, bytes) -> parts.add(new Part(name, bytes, Cause.CHANGED)));
        if (made() > 0) {
            parts.add(new Part(GENERATED, made(), Cause.GENERATED, time.text()));
        }
        parts.sort((one, other) -> Long.compare(other.bytes(), one.bytes()));
        return parts;
    }

    /** Returns the modules of which a considerable part records nothing, the most first. */
    public List<Unknown> unknown() {
        return modules.entrySet().stream()
                .filter(entry -> entry.getValue().isUnknown(used.getOrDefault(entry.getKey(), 0L)))
                .map(entry -> new Unknown(
                        entry.getKey(),
                        entry.getValue().unrecorded(),
                        share(entry.getValue().unrecorded(), entry.getValue().bytes())))
                .sorted(Comparator.comparingLong(Unknown::bytes).reversed())
                .toList();
    }

    /** Returns what records nothing in functions that are recorded but for that. */
    public List<Fixed> fixed() {
        return List.copyOf(fixed.values());
    }

    /** {@code 1.2 %} of all executable bytes. */
    public String share(long bytes) {
        return share(bytes, executable());
    }

    private static String share(long bytes, long all) {
        long tenths = Math.round(1000.0 * bytes / Math.max(1, all));
        return tenths / 10 + "." + tenths % 10 + " %";
    }
}

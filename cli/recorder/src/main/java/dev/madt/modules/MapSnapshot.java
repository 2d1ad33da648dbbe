package dev.madt.modules;

import dev.madt.natives.Libc;
import dev.madt.natives.NativeMemory;
import dev.madt.resolver.ProcMaps;
import dev.madt.resolver.elf.ElfImage;
import dev.madt.resolver.elf.ElfSegment;
import dev.madt.session.StoppedThreads;
import dev.madt.trace.event.RegionKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The address space of a process as /proc/PID/maps shows it, in the kinds and labels of MAPS frames
 * (docs/FORMAT.md).
 */
public final class MapSnapshot {
    /** Says how far the main stack may grow where its limit is not finite: 64 MiB. */
    private static final long MOST_STACK = 64L << 20;

    private static final int RLIMIT_STACK = 3;
    private static final long PAGE = 4096;
    private static final long STORAGE_ALIGNMENT = 64;
    /** The name of anonymous memory that processes share (proc_pid_maps(5)). */
    private static final String SHARED = "/dev/zero (deleted)";

    private static final Pattern NUMBERED_LOADER = Pattern.compile("ld-[0-9.]+\\.so.*");

    private final String shim;
    private final String session;
    private final String plans;
    /**
     * Says that the process ran before. Its map while it stood still, which is that of its begin,
     * has not been taken yet.
     */
    private final AtomicBoolean stopped;
    /** Null where a program is recorded from its begin on. */
    private volatile StoppedThreads threads;

    /** Holds stacks of threads that ran before; children of fork have their parent's. */
    private volatile NavigableMap<Long, Long> stacks = Collections.emptyNavigableMap();

    private volatile long storageBytes;

    /**
     * @param shim real path of libmadt.so
     * @param session directory of the shared files
     * @param plans directory of the splice plans
     */
    public MapSnapshot(Path shim, Path session, Path plans) {
        this(shim.toString(), session + "/", plans + "/", false);
    }

    private MapSnapshot(String shim, String session, String plans, boolean stopped) {
        this.shim = shim;
        this.session = session;
        this.plans = plans;
        this.stopped = new AtomicBoolean(stopped);
    }

    /**
     * Returns that of a process that ran before: its memory is the program's, but for stacks of
     * threads and what the loader keeps for the first of them.
     */
    public MapSnapshot ranBefore() {
        return new MapSnapshot(shim, session, plans, true);
    }

    /**
     * Returns from where on accesses to a region of anonymous memory that is there at the start do
     * not count; its end if they all do. Of a process that ran before, the first thread's storage
     * and what the loader keeps behind it do not. The kernel makes one mapping of it and what the
     * program has mapped below.
     */
    public long loadersStart(RegionMap.Region region) {
        if (threads == null) {
            return region.start();
        }
        long base = threads.storage();
        return base >= region.start() && base < region.end()
                ? Math.max(region.start(), base - storageBytes & -PAGE)
                : region.end();
    }

    /**
     * Bytes of the thread-local storage that each thread has below the base of FS, for all modules
     * (ELF Handling For Thread-Local Storage, 3.4.6).
     */
    private static long storageBytes(int pid, List<ProcMaps.Mapping> mappings) {
        long bytes = 0;
        for (String path : mappings.stream()
                .filter(mapping -> mapping.executable() && mapping.path().startsWith("/"))
                .map(ProcMaps.Mapping::path)
                .collect(Collectors.toSet())) {
            try {
                for (ElfSegment segment :
                        ElfImage.open(Path.of("/proc/" + pid + "/root" + path)).segments()) {
                    if (segment.threadLocal()) {
                        bytes += segment.memorySize() + STORAGE_ALIGNMENT - 1 & -STORAGE_ALIGNMENT;
                    }
                }
            } catch (IOException e) {
                continue; // it is no ELF file, or gone
            }
        }
        return bytes;
    }

    /**
     * The regions of a process; empty if it is gone.
     *
     * @param own tells the marks of MadT's mappings in it, asked behind the map: what MadT maps in
     *     between is in neither or marked
     */
    List<RegionMap.Region> take(int pid, Supplier<OwnMappings> own) {
        try {
            Path map = Path.of("/proc/" + pid + "/maps");
            stacks = Collections.emptyNavigableMap();
            if (stopped.getAndSet(false)) {
                threads = StoppedThreads.read(Path.of(session), pid);
                stacks = threads.stacks();
                Path known = Path.of(session, "maps"); // by madt-inject
                map = Files.exists(known) ? known : map;
            }
            String text = new String(Files.readAllBytes(map), StandardCharsets.UTF_8); // any names
            List<ProcMaps.Mapping> mappings = ProcMaps.parse(text);
            storageBytes = threads == null ? 0 : storageBytes(pid, mappings);
            return regions(mappings, own.get(), stackLimit(pid));
        } catch (IOException e) {
            return List.of();
        }
    }

    List<RegionMap.Region> regions(
            List<ProcMaps.Mapping> mappings, OwnMappings own, long stackLimit) {
        List<RegionMap.Region> regions = new ArrayList<>(mappings.size());
        long before = 0;
        RegionMap.Region last = null;
        ProcMaps.Mapping text = null;
        for (ProcMaps.Mapping mapping : mappings) {
            if (mapping.end() < 0) {
                continue; // [vsyscall]
            }
            boolean patched = last != null
                    && isPatchedText(mapping)
                    && (before == mapping.start() || goesOn(text, mapping));
            RegionMap.Region region = patched
                    ? last.followedBy(mapping.protection(), mapping.start(), mapping.end())
                    : region(mapping);
            text = patched ? mapping : null;
            last = region;
            if (mapping.path().equals("[stack]")) {
                long lowest = Math.max(before, mapping.end() - stackLimit);
                region = RegionMap.Region.stack(
                        3, Math.min(lowest, mapping.start()), mapping.end(), mapping.start());
            }
            for (RegionMap.Region part : withoutStacks(region)) {
                regions.addAll(own.split(part));
            }
            before = mapping.end();
        }
        return regions;
    }

    /**
     * The parts of a region: stacks that the C library has mapped for threads that ran before, and
     * what is beside them. The kernel may have made one mapping of all.
     */
    private List<RegionMap.Region> withoutStacks(RegionMap.Region region) {
        if (stacks.isEmpty() || region.kind() != RegionKind.ANONYMOUS) {
            return List.of(region);
        }
        List<RegionMap.Region> parts = new ArrayList<>();
        long reached = region.start();
        for (Map.Entry<Long, Long> stack : stacks.entrySet()) {
            long start = Math.max(reached, stack.getKey());
            long end = Math.min(region.end(), stack.getValue());
            if (start < end) {
                addPart(parts, region, reached, start);
                parts.add(RegionMap.Region.stack(region.protection(), start, end, start));
                reached = end;
            }
        }
        addPart(parts, region, reached, region.end());
        return parts;
    }

    private static void addPart(
            List<RegionMap.Region> parts, RegionMap.Region region, long start, long end) {
        if (start < end) {
            parts.add(region.cut(start, end));
        }
    }

    /**
     * Returns whether it is a module's text with the patches of a plan, which stands in the text's
     * place.
     */
    private boolean isPatchedText(ProcMaps.Mapping mapping) {
        return mapping.executable() && mapping.path().startsWith(plans);
    }

    /** Returns whether it is the next segment of a patched text, behind a hole. */
    private static boolean goesOn(ProcMaps.Mapping text, ProcMaps.Mapping mapping) {
        return text != null
                && text.path().equals(mapping.path())
                && mapping.start() - text.start() == mapping.offset() - text.offset();
    }

    private RegionMap.Region region(ProcMaps.Mapping mapping) {
        String path = mapping.path();
        if (path.isEmpty()) {
            return make(mapping, RegionKind.ANONYMOUS, mapping.start(), "[anon]");
        } else if (path.equals("[heap]")) {
            return make(mapping, RegionKind.HEAP, mapping.start(), "[heap]");
        } else if (path.startsWith("[anon")) {
            return make(mapping, RegionKind.ANONYMOUS, mapping.start(), "[anon]");
        } else if (path.startsWith("[")) {
            return make(mapping, RegionKind.SPECIAL, mapping.start(), path);
        }
        return file(mapping.start(), mapping.end(), mapping.protection(), mapping.offset(), path);
    }

    private static RegionMap.Region make(
            ProcMaps.Mapping mapping, RegionKind kind, long origin, String label) {
        return new RegionMap.Region(
                kind, mapping.protection(), mapping.start(), mapping.end(), origin, label);
    }

    /** A mapped file; the label's offset is that in the file. Empty path: anonymous memory. */
    RegionMap.Region file(long start, long end, int protection, long offset, String path) {
        if (path.isEmpty()) {
            return new RegionMap.Region(
                    RegionKind.ANONYMOUS, protection, start, end, start, "[anon]");
        }
        String name = name(path);
        boolean own = path.equals(shim) || path.startsWith(session);
        RegionKind kind = isLoader(name) ? RegionKind.UNTRACED : RegionKind.FILE;
        RegionMap.Region region = new RegionMap.Region(
                kind, protection, start, end, start - offset, label(path, name));
        return own ? region.madeOwn() : region;
    }

    private static String label(String path, String name) {
        return path.equals(SHARED) ? "[shared]" : "[file:" + name + "]";
    }

    /** Returns its last part; that a file never had a name in a folder is no news of it. */
    private static String name(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        return path.startsWith("/memfd:") || path.startsWith("/SYSV")
                ? name.replaceFirst(" \\(deleted\\)$", "")
                : name;
    }

    /** Returns whether a file is the dynamic loader, by its name: the shim cannot tell either. */
    public static boolean isLoader(String name) {
        return name.startsWith("ld-linux")
                || name.startsWith("ld-musl")
                || name.startsWith("ld-") && NUMBERED_LOADER.matcher(name).matches();
    }

    /** The soft limit (prlimit(2)); RLIM_INFINITY is a negative number here. */
    private static long stackLimit(int pid) {
        try (NativeMemory limit = new NativeMemory(2 * Long.BYTES)) {
            boolean known =
                    Libc.syscall(Libc.SYS_PRLIMIT64, pid, RLIMIT_STACK, 0, limit.address()) == 0;
            long soft = limit.bytes().getLong(0);
            return known && soft >= 0 ? Math.min(MOST_STACK, soft) : MOST_STACK;
        }
    }
}

package dev.madt.info;

import dev.madt.collector.TraceFrames;
import dev.madt.console.Numbers;
import dev.madt.resolver.line.CallPairs;
import dev.madt.resolver.line.NameShares;
import dev.madt.session.Windows;
import dev.madt.trace.codec.PrintableText;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.ProcessImage;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.file.TraceEnds;
import dev.madt.trace.file.TraceIndex;
import dev.madt.view.text.LineDetailOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Counts what a trace holds and writes it as a page of text. */
public final class TraceInfo implements EventConsumer {
    private static final int COLUMN = 16;
    private static final int MOST_TRAP_PLACES = 5;
    private static final int MOST_WINDOWS = 20;
    private static final int WINDOW_PARTS = 4;
    /** A trigger that names a function: {@code func:f}, {@code return:f>40ms}. */
    private static final Pattern FUNCTION = Pattern.compile("(func:|return:)(.*?)(>[^>]*)?");

    private static final int MOST_LIMITED = 20;
    private static final int MOST_OPEN = 20;
    private static final Pattern EVENTS = Pattern.compile("([A-Z_]+) (\\d{1,18})");
    /** Names of what this madt prints by its words; a newer one may have noted others. */
    private static final Set<String> EVENT_TYPES =
            RingEventType.printedByWords().stream().map(Enum::name).collect(Collectors.toSet());

    private static final Pattern ALLOCATIONS = Pattern.compile("(\\w) (\\d{1,18})");

    private final Map<String, String> meta = new LinkedHashMap<>();
    private final TreeSet<String> modules = new TreeSet<>();
    private final Map<Character, Long> allocations = new TreeMap<>();
    /** Events that are printed by their words alone, by type. */
    private final Map<String, Long> events = new TreeMap<>();

    private final Map<String, Long> unknown = new TreeMap<>();
    private final TreeSet<Integer> threads = new TreeSet<>();
    private final long[] blocks = new long[BlockKind.values().length];
    private final NameShares shares = new NameShares();
    private final CallPairs calls = new CallPairs(LineDetailOptions.readable());
    private final List<ProcessImage> processes = new ArrayList<>();
    private long loads;
    private long stores;
    /** Allocation events, where they have not been read; negative where they have. */
    private long allocationsTold = -1;

    public TraceInfo() {}

    /** Takes what the ends of a trace tell, which {@link #suffice}. */
    public TraceInfo(TraceEnds ends) {
        meta.putAll(ends.meta());
        processes.addAll(ends.processes());
        modules.addAll(List.of(value("modules").split(",")));
        loads = number("loads");
        stores = number("stores");
        for (BlockKind kind : BlockKind.values()) {
            blocks[kind.ordinal()] = number(TraceFrames.metaKey(kind));
        }
        allocationsTold = ends.index().allocations();
        Matcher told = ALLOCATIONS.matcher(value("allocations"));
        while (told.find()) {
            allocations.put(told.group(1).charAt(0), Long.parseLong(told.group(2)));
        }
        events.putAll(toldEvents());
    }

    /** Returns what the recorder says of events that are printed by their words alone, by type. */
    private Map<String, Long> toldEvents() {
        Map<String, Long> events = new TreeMap<>();
        Matcher told = EVENTS.matcher(meta.getOrDefault("events", ""));
        while (told.find()) {
            events.put(told.group(1), Long.parseLong(told.group(2)));
        }
        return events;
    }

    /**
     * Returns whether the recorder has counted what the trace holds; those of older versions have
     * not.
     */
    public static boolean suffice(TraceEnds ends) {
        return ends.meta().containsKey("loads") && ends.meta().containsKey("modules");
    }

    /** Returns what the recorder says and what was counted, where that is not the same. */
    public List<String> differences(TraceIndex index) {
        List<String> found = new ArrayList<>();
        compare(found, "loads", loads);
        compare(found, "stores", stores);
        long bulkTransfers = 0;
        for (BlockKind kind : BlockKind.values()) {
            bulkTransfers += blocks[kind.ordinal()];
            compare(found, TraceFrames.metaKey(kind), blocks[kind.ordinal()]);
        }
        compare(found, "accesses", index.accesses(), loads + stores);
        compare(found, "enters", calls.enters());
        compare(found, "leaves", calls.leaves());
        compare(
                found,
                "bulk transfers",
                index.blocks(),
                bulkTransfers + calls.enters() + calls.leaves());
        compare(found, "allocation events", index.allocations(), allocationEvents());
        String letters = letters(Long::toString);
        if (meta.containsKey("allocations") && !value("allocations").equals(letters)) {
            found.add("allocation events: " + value("allocations") + " are noted, " + letters
                    + " are in the trace");
        }
        Map<String, Long> told = toldEvents();
        told.keySet().removeIf(type -> !EVENT_TYPES.contains(type));
        if (!told.equals(events)) {
            found.add("other events: " + counted(told) + " are noted, " + counted(events)
                    + " are in the trace");
        }
        if (meta.containsKey("modules") && !String.join(",", modules).equals(value("modules"))) {
            found.add("modules: " + value("modules") + " are noted, " + String.join(",", modules)
                    + " are in the trace");
        }
        return found;
    }

    private void compare(List<String> found, String key, long counted) {
        if (meta.containsKey(key)) {
            compare(found, key, number(key), counted);
        }
    }

    private static void compare(List<String> found, String what, long told, long counted) {
        if (told != counted) {
            found.add(what + ": " + Numbers.grouped(told) + " are noted, "
                    + Numbers.grouped(counted) + " are in the trace");
        }
    }

    /** Pairs calls; it must get the same calls as this object. */
    public CallPairs calls() {
        return calls;
    }

    /** Counts names; it must get the same calls as this object. */
    public NameShares shares() {
        return shares;
    }

    @Override
    public void meta(Map<String, String> values) {
        meta.putAll(values);
    }

    @Override
    public void define(Definition definition) {
        if (definition instanceof Definition.Region region && region.kind() == RegionKind.CODE) {
            modules.add(region.label());
        }
    }

    @Override
    public void process(ProcessImage entry) {
        processes.add(entry);
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        loads += store ? 0 : 1;
        stores += store ? 1 : 0;
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        blocks[kind.ordinal()]++;
    }

    @Override
    public void ring(TraceEvent event) {
        threads.add(event.thread());
        RingEventType type = event.type();
        if (type.isAllocation()) {
            allocations.merge(type.letter(), 1L, Long::sum);
        } else if (type.isPrintedByWords()) {
            events.merge(type.name(), 1L, Long::sum);
        } else if (event instanceof TraceEvent.Unknown newer) {
            unknown.merge(newer.what(), 1L, Long::sum);
        }
    }

    /** Writes the page; {@code incompleteness} is null for a complete trace. */
    public void write(OutputStream out, Path file, String incompleteness) throws IOException {
        StringBuilder text = new StringBuilder();
        row(text, "trace", PrintableText.of(file.toString()));
        row(text, "command", value("command"));
        row(
                text,
                "engine",
                value("engine") + ", recording from " + value("start")
                        + (meta.containsKey("stack") ? ", stacks too" : "")
                        + (meta.containsKey("tls") ? ", thread-local storage too" : "")
                        + (meta.containsKey("only") ? ", " + value("only") : ""));
        row(
                text,
                "process",
                value("pid") + " on " + value("host") + ", " + value("begin") + " to "
                        + value("end") + ", child of " + value("parent"));
        row(text, "ended", value("ended"));
        row(
                text,
                "trace is",
                incompleteness == null ? completeness() : "truncated: " + incompleteness);
        windows(text);
        ThreadLines.of(meta).forEach(thread -> row(text, "thread", thread));
        row(text, "modules", String.join(" ", modules));
        text.append('\n');
        totals(text);
        text.append('\n');
        names(text);
        counters(text);
        processes(text);
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Says how the data of accesses are named, where there are accesses. */
    private void names(StringBuilder text) {
        if (allocationsTold >= 0) {
            String whole = ": info --verify reads the whole trace and does ";
            row(
                    text,
                    hasOnlyCalls() ? "frames" : "names",
                    hasOnlyCalls()
                            ? "not checked" + whole + "it"
                            : "not counted, and the frames not checked" + whole + "both");
        } else if (hasOnlyCalls()) {
            return;
        } else {
            names(text, "names", false);
            names(text, "of own code", true);
            String stacks = StackNames.of(shares);
            if (!stacks.isEmpty()) {
                row(text, "on stacks", stacks);
            }
        }
        text.append('\n');
    }

    /** Returns whether calls were recorded, and nothing of accesses is there. */
    private boolean hasOnlyCalls() {
        return meta.containsKey("calls")
                && loads + stores + Arrays.stream(blocks).sum() == 0;
    }

    /** A line for each window, as far as the trace tells of them. */
    private void windows(StringBuilder text) {
        row(text, "windows", value("started"));
        String windows = meta.getOrDefault("windows", "");
        List<String> lines = windows.lines().limit(MOST_WINDOWS).toList();
        for (int i = 0; i < lines.size(); i++) {
            row(text, "  " + (i + 1), window(lines.get(i)));
        }
        if (windows.lines().count() > MOST_WINDOWS) {
            row(text, "", "and more");
        }
    }

    private static String window(String line) {
        String[] parts = line.split(",", WINDOW_PARTS); // parameters of the closer have commas
        if (parts.length < WINDOW_PARTS) {
            return line;
        }
        String opened = String.format(Locale.ROOT, "at %.6f s", Long.parseLong(parts[0]) / 1e9);
        return opened + ", "
                + (parts[1].isEmpty()
                        ? "to the end: " + readable(parts[2])
                        : Windows.span(Long.parseLong(parts[1]) - Long.parseLong(parts[0])) + ": "
                                + readable(parts[2]) + " until " + readable(parts[3]));
    }

    /** A cause as other views have it: a function with the name of the source. */
    private static String readable(String cause) {
        Matcher function = FUNCTION.matcher(cause);
        return function.matches()
                ? function.group(1)
                        + LineDetailOptions.readable(function.group(2))
                        + (function.group(3) == null ? "" : function.group(3))
                : cause;
    }

    /** A line for each process image, indented below its parent's. */
    private void processes(StringBuilder text) {
        long all = processes.stream().map(ProcessImage::pid).distinct().count();
        if (all == 0) {
            return;
        }
        text.append('\n');
        row(text, "processes", Numbers.grouped(all));
        Map<Integer, String> reasons = reasons();
        for (int i = 0; i < processes.size(); i++) {
            ProcessImage entry = processes.get(i);
            String parent = entry.parent() == 0 ? "" : ", child of " + entry.parent();
            row(
                    text,
                    "  " + entry.pid(),
                    entry.program() + parent + ", " + entry.ended() + ", "
                            + (entry.trace().isEmpty()
                                    ? "not traced" + reasons.getOrDefault(i, "")
                                    : entry.trace()));
        }
    }

    /** Why images are not traced, by their numbers. */
    private Map<Integer, String> reasons() {
        Map<Integer, String> reasons = new HashMap<>();
        meta.getOrDefault("unrecorded_programs", "")
                .lines()
                .map(line -> line.split(",", 2))
                .filter(parts -> parts.length == 2 && parts[0].matches("[0-9]{1,9}"))
                .forEach(parts -> reasons.put(Integer.parseInt(parts[0]), ": " + parts[1]));
        return reasons;
    }

    /** In the words of the run; traces of an older version do not have them. */
    private String completeness() {
        if (meta.containsKey("completeness")) {
            return value("completeness");
        }
        boolean lost = number("ring_errors") + number("access_errors") > 0;
        return lost
                ? "complete but for "
                        + Numbers.counted(number("access_errors"), "lost access", "lost accesses")
                        + " and "
                        + Numbers.counted(number("ring_errors"), "lost event", "lost events")
                : "complete";
    }

    private void totals(StringBuilder text) {
        row(text, "program", value("program"));
        AllocatorLines.of(meta).forEach(line -> row(text, "allocators", line));
        calls(text);
        if (hasOnlyCalls()) {
            row(text, "accesses", "none");
        } else {
            accesses(text);
        }
        if (!hasOnlyCalls() || allocationEvents() > 0) {
            row(
                    text,
                    "allocations",
                    Numbers.grouped(allocationEvents())
                            + (allocations.isEmpty()
                                    ? ""
                                    : " (" + letters(Numbers::grouped) + ")"));
        }
        AllocatorLines.chains(meta).forEach(line -> row(text, "chains", line));
        others(text);
    }

    /** Events of other kinds, if there are any. */
    private void others(StringBuilder text) {
        if (meta.containsKey("locks")) {
            row(text, "acquisitions", Numbers.grouped(events.getOrDefault("LOCK_GOT", 0L)));
        }
        if (!events.isEmpty()) {
            row(text, "other events", counted(events));
        }
        if (!unknown.isEmpty()) {
            row(text, "unknown kinds", counted(unknown));
        }
    }

    /** Kinds with their numbers: {@code 4 (event 60: 3, run 9: 1)}. */
    private static String counted(Map<String, Long> kinds) {
        long all = kinds.values().stream().mapToLong(Long::longValue).sum();
        return Numbers.grouped(all)
                + kinds.entrySet().stream()
                        .map(kind -> kind.getKey() + ": " + Numbers.grouped(kind.getValue()))
                        .collect(Collectors.joining(", ", " (", ")"));
    }

    private void accesses(StringBuilder text) {
        long bulkTransfers = 0;
        StringBuilder letters = new StringBuilder();
        for (BlockKind kind : BlockKind.values()) {
            bulkTransfers += blocks[kind.ordinal()];
            letters.append(' ')
                    .append(kind.letter())
                    .append(' ')
                    .append(Numbers.grouped(blocks[kind.ordinal()]));
        }
        row(text, "accesses", Numbers.grouped(loads + stores));
        row(text, "loads", Numbers.grouped(loads));
        row(text, "stores", Numbers.grouped(stores));
        row(
                text,
                "bulk transfers",
                Numbers.grouped(bulkTransfers) + " (" + letters.toString().strip() + ")");
    }

    private long allocationEvents() {
        return allocationsTold >= 0
                ? allocationsTold
                : allocations.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Letters of allocation events with their numbers. */
    private String letters(LongFunction<String> number) {
        return allocations.entrySet().stream()
                .map(entry -> entry.getKey() + " " + number.apply(entry.getValue()))
                .collect(Collectors.joining(" "));
    }

    private void calls(StringBuilder text) {
        if (!meta.containsKey("calls")) {
            return;
        }
        boolean read = allocationsTold < 0;
        long enters = read ? calls.enters() : number("enters");
        long leaves = read ? calls.leaves() : number("leaves");
        row(
                text,
                "calls",
                Numbers.grouped(enters) + " entered, " + Numbers.grouped(leaves) + " left");
        if (meta.containsKey("calls_of")) {
            row(text, "calls of", value("calls_of"));
        }
        if (meta.containsKey("calls_within")) {
            row(text, "calls within", value("calls_within"));
        }
        if (meta.containsKey("rate_limited")) {
            List<String> limited = meta.get("rate_limited").lines().toList();
            row(
                    text,
                    "rate limit",
                    Numbers.counted(limited.size(), "function", "functions")
                            + " left out from when they were called more than "
                            + Numbers.grouped(number("rate_limit")) + " times a second");
            limited.stream().limit(MOST_LIMITED).forEach(line -> {
                String[] parts = line.split(",", 3);
                String rate = Numbers.grouped(Long.parseLong(parts[0]));
                row(
                        text,
                        "",
                        LineDetailOptions.readable(parts[2]) + " [" + parts[1] + "], " + rate
                                + " times");
            });
        }
        row(
                text,
                "without end",
                read
                        ? Numbers.grouped(calls.unseen())
                                + " left unseen (longjmp, exceptions), "
                                + Numbers.grouped(calls.jumps())
                                + " left by a jump (tail calls), "
                                + Numbers.grouped(calls.open()) + " still open at the end"
                        : "not counted: info --verify does");
        String open = value("ended").equals("running") ? "open" : "never left";
        calls.openCalls().stream()
                .limit(MOST_OPEN)
                .forEach(chain -> row(text, open, PrintableText.of(chain)));
        if (calls.before() > 0) {
            row(text, "without begin", Numbers.grouped(calls.before()) + " entered unseen");
        }
        if (meta.containsKey("pauses")) {
            row(
                    text,
                    "pauses",
                    Numbers.counted(number("pauses"), "wait", "waits") + " for MadT, "
                            + Numbers.grouped(number("paused") / 1000)
                            + " µs in all, which the times of calls leave out");
        }
        if (meta.containsKey("switches")) {
            long lost = number("switches_lost");
            row(
                    text,
                    "processor",
                    value("switches").equals("recorded")
                            ? "recorded when threads had none"
                                    + (lost > 0 ? ", but for " + Numbers.grouped(lost) : "")
                            : "unknown when threads had none: the system does not permit it"
                                    + " (perf_event_paranoid)");
        }
    }

    private void names(StringBuilder text, String key, boolean own) {
        long symbol = shares.bySymbol(own);
        long live = shares.byLiveBlock(own);
        long dead = shares.byDeadBlock(own);
        long region = shares.byRegion(own);
        long local = shares.byLocal(own);
        long all = symbol + live + dead + local + region;
        row(
                text,
                key,
                share(symbol, all) + " by symbol, " + share(live, all) + " by live block, "
                        + (dead > 0
                                ? share(dead, all) + " by dead block (" + Numbers.grouped(dead)
                                        + "), "
                                : "")
                        + (local > 0 ? share(local, all) + " by variable on a stack, " : "")
                        + share(region, all) + " by region and offset, of "
                        + Numbers.counted(all, "access", "accesses"));
    }

    /** Only what is everything is 100 %, and only nothing is 0 %. */
    static String share(long part, long all) {
        if (all == 0 || part == 0) {
            return "0 %";
        } else if (part == all) {
            return "100 %";
        }
        double percent = Math.min(99.9, Math.max(0.1, 100.0 * part / all));
        return Numbers.percent(percent);
    }

    private void counters(StringBuilder text) {
        row(text, "faults", Numbers.grouped(number("faults")));
        boolean trap = value("engine").equals("trap");
        if (trap) {
            row(
                    text,
                    "unknown code",
                    Numbers.counted(number("unknown_sites"), "access", "accesses")
                            + " by code without a map, "
                            + Numbers.counted(number("unmapped_modules"), "module", "modules")
                            + " without one");
        } else {
            row(text, "traps", Numbers.grouped(number("patch_traps")) + " in patches");
            meta.getOrDefault("trap_places", "")
                    .lines()
                    .limit(MOST_TRAP_PLACES)
                    .forEach(line -> row(text, "", line));
        }
        if (!meta.getOrDefault("unrecorded", "").isEmpty()) {
            row(
                    text,
                    "unrecorded code",
                    value("unrecorded_share") + " executable bytes record nothing");
            value("unrecorded").lines().forEach(line -> row(text, "", line));
        }
        row(
                text,
                "system calls",
                Numbers.grouped(number("calls_gated")) + " gated, "
                        + Numbers.grouped(number("calls_opened"))
                        + " of them with all memory opened");
        if (trap) {
            row(
                    text,
                    "threads",
                    Numbers.grouped(number("unsynchronised"))
                            + " times a page was open to other threads too; what they accessed"
                            + " there is not in the trace (a rough bound: "
                            + Numbers.counted(number("missed"), "access", "accesses") + ")");
        }
    }

    private String value(String key) {
        return meta.getOrDefault(key, "unknown");
    }

    private long number(String key) {
        return AllocatorLines.count(meta, key);
    }

    private static void row(StringBuilder text, String key, String value) {
        text.append(key);
        for (int i = key.length(); i < COLUMN; i++) {
            text.append(' ');
        }
        text.append(value).append('\n');
    }
}

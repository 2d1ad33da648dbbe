package dev.madt.cli;

import dev.madt.collector.TraceResult;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Numbers;
import dev.madt.console.Status;
import dev.madt.modules.AllocatorPresets;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.demangle.LateNames;
import dev.madt.session.CommandText;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.file.TraceEnds;
import dev.madt.trace.file.TraceReader;
import dev.madt.trace.file.TraceSample;
import dev.madt.view.Reading;
import dev.madt.view.Selection;
import dev.madt.view.ViewFeed;
import dev.madt.view.chains.UserSites;
import dev.madt.view.defects.DefectCounts;
import dev.madt.view.defects.DefectKind;
import dev.madt.view.defects.DefectView;
import dev.madt.view.hottest.HotView;
import dev.madt.view.hottest.HottestText;
import dev.madt.view.text.LineDetailOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;

/**
 * Says what a trace shows at first sight, when it has just been made: the hottest data and code,
 * and defects. That has to be quick: small traces are read whole, of others a sample; defects are
 * looked for in small traces only, and in those that are not tiny only where a quick count makes
 * them likely.
 */
final class FirstLook {
    /** Accesses of the largest trace that is read whole. */
    static final long SMALL = 700_000;
    /** Accesses of the largest trace that is searched for defects anyway. */
    private static final long TINY = 100_000;
    /** Places in a sample, and how many accesses each has. */
    private static final int PIECES = 64;

    private static final int SPAN = 1 << 10;
    /** Functions that may show what allocator a program has. */
    private static final int HOTTEST = 3;

    private final Messages messages;
    private final boolean alone;
    private final boolean offers;
    private boolean defective;

    /**
     * Says it by messages.
     *
     * @param alone whether nobody else says such things at the same time
     * @param offers whether allocators by other names are offered: nobody has chosen, and the
     *     program was recorded from its start
     */
    FirstLook(Messages messages, boolean alone, boolean offers) {
        this.messages = messages;
        this.alone = alone;
        this.offers = offers;
    }

    /**
     * Looks at the trace with most accesses of those that were written; what is said names the file
     * unless it is the only one.
     */
    void tell(List<TraceResult> results) {
        List<TraceResult> traces = results.stream()
                .filter(result -> result.isReadable() && result.accesses() > 0)
                .toList();
        TraceResult hottest = traces.stream()
                .max(Comparator.comparingLong(TraceResult::accesses))
                .orElse(null);
        if (hottest == null) {
            return;
        }
        long began = System.nanoTime();
        try {
            look(hottest, alone && traces.size() == 1 ? "" : " in " + hottest.file());
        } catch (IOException | Failure | RuntimeException | OutOfMemoryError e) {
            messages.detail("cannot look at " + hottest.file() + ": "
                    + e.getMessage()); // whoever reads it is told more
            messages.trace(e);
        }
        messages.detail("looked at " + hottest.file() + " for "
                + (System.nanoTime() - began) / 1_000_000 + " ms");
    }

    /** Returns whether defects were told of. */
    boolean isDefective() {
        return defective;
    }

    private void look(TraceResult trace, String where) throws IOException, Failure {
        boolean killed = trace.ended().startsWith("signal ");
        if (trace.accesses() > SMALL) {
            sample(trace, where);
        } else {
            whole(trace, where, killed || trace.accesses() <= TINY);
        }
    }

    /** @param anyway looks for defects in the same reading */
    private void whole(TraceResult trace, String where, boolean anyway)
            throws IOException, Failure {
        LateNames names = LineDetailOptions.late();
        HotView hot = anyway ? HotView.beside() : new HotView();
        DefectView defects = new DefectView(EnumSet.allOf(DefectKind.class), Selection.ALL);
        Reading reading = new Reading(Selection.ALL).add(hot);
        read(trace.file(), anyway ? reading.add(defects) : reading, names);
        tell(hot, names, where, "", true);
        if (!anyway && hot.suspicious()) {
            read(trace.file(), new Reading(Selection.ALL).add(defects), Demangler.NONE);
        }
        if (anyway || hot.suspicious()) {
            tell(defects, trace.file());
        }
    }

    private static void read(Path file, Reading reading, Demangler names) throws IOException {
        EventConsumer consumer = reading.naming(
                        new UserSites(TraceReadings.wrappers(file), List.of(), null))
                .consumer(names, null);
        try (TraceReader reader = new TraceReader(file)) {
            TraceReading.read(reader, consumer);
        }
        consumer.end(true);
    }

    private void sample(TraceResult trace, String where) throws IOException, Failure {
        TraceEnds ends = TraceEnds.read(trace.file());
        if (ends != null) {
            HotView hot = new HotView();
            LateNames names = LineDetailOptions.late();
            boolean followed = TraceSample.read(
                    trace.file(), ends.index(), PIECES, SPAN, new ViewFeed(hot, names));
            tell(
                    hot,
                    names,
                    where,
                    ", of a sample of " + Numbers.share(100.0 * hot.accesses() / trace.accesses())
                            + " of the accesses",
                    followed);
        }
    }

    private void tell(
            HotView hot, LateNames names, String where, String sample, boolean blocksAreKnown)
            throws Failure {
        if (hot.accesses() > 0 && blocksAreKnown) {
            messages.say("hottest data" + where + sample + ": " + HottestText.data(hot, names));
        } else if (hot.accesses() > 0) {
            messages.say("hottest data" + where + ": a sample does not tell; madt report does");
        }
        if (hot.accesses() > 0) {
            messages.say("hottest code" + where + sample + ": " + HottestText.code(hot, names));
        }
        if (offers) {
            AllocatorPresets presets = AllocatorPresets.read(Status.RUN_FAILED);
            hot.hottestFunctions(HOTTEST).stream()
                    .map(presets::offeredBy)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .ifPresent(allocator -> messages.say("most blocks lie in larger ones" + where
                            + "; to see them by who asked for them: madt run --alloc "
                            + allocator));
        }
    }

    private void tell(DefectView view, Path file) {
        if (view.found().crash() != null) {
            messages.say("the crash: " + view.found().crash().text());
        }
        String counts = DefectCounts.of(view.found().sorted());
        if (!counts.isEmpty()) {
            defective = true;
            messages.say("defects: " + counts + "; see them with: madt defects "
                    + CommandText.file(file));
        } else if (view.limits().blind()) {
            messages.say("defects: not looked for: " + view.limits().text());
        }
    }
}

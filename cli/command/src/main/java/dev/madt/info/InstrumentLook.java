package dev.madt.info;

import dev.madt.collector.TraceResult;
import dev.madt.collector.TraceResults;
import dev.madt.console.Messages;
import dev.madt.console.Numbers;
import dev.madt.resolver.InterposedFunctions;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.session.CommandText;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.file.TraceReader;
import dev.madt.trace.instrument.Instrument;
import dev.madt.view.Reading;
import dev.madt.view.Selection;
import dev.madt.view.chains.InstrumentStacks;
import dev.madt.view.report.InstrumentCounts;
import dev.madt.view.toolkit.Table;
import dev.madt.view.toolkit.TextTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Says what instruments have counted, when a trace has just been made. */
public final class InstrumentLook {
    /** Gives the events of a trace to a consumer. */
    public interface Pass {
        void read(TraceReader reader, EventConsumer consumer) throws IOException;
    }

    /** Rows of a table. */
    private static final int ROWS = 10;
    /** Traces whose tables are told. */
    private static final int MOST_TRACES = 10;

    private static final int COLUMNS = 80 - "madt: ".length();

    private final Messages messages;
    private final Pass pass;

    public InstrumentLook(Messages messages, Pass pass) {
        this.messages = messages;
        this.pass = pass;
    }

    /**
     * Looks at the traces that are small: of others, {@code madt points} tells.
     *
     * @param small bytes
     * @return the first of these in which an instrument was hit
     */
    public Optional<Path> tell(List<TraceResult> traces, long small) {
        Map<Integer, Instrument> asked = new TreeMap<>();
        Set<Integer> hit = new HashSet<>();
        int left = MOST_TRACES;
        boolean whole = true;
        Path firstHit = null;
        for (TraceResult trace : traces) {
            whole &= TraceResults.size(trace) <= small;
            if (TraceResults.size(trace) > small) {
                continue;
            }
            Path file = trace.file();
            InstrumentCounts counts = new InstrumentCounts();
            InstrumentStacks stacks = new InstrumentStacks();
            try (TraceReader reader = new TraceReader(file)) {
                pass.read(
                        reader,
                        new Reading(Selection.ALL)
                                .add(counts)
                                .add(stacks)
                                .consumer(Demangler.NONE, null));
            } catch (IOException | RuntimeException e) {
                messages.detail("cannot look at " + file + ": " + e.getMessage());
                whole = false;
                continue;
            }
            counts.all().forEach(one -> asked.put(one.number(), one));
            counts.all().stream().filter(counts::isHit).forEach(one -> hit.add(one.number()));
            boolean isHit = counts.all().stream().anyMatch(counts::isHit);
            firstHit = firstHit == null && isHit ? file : firstHit;
            if (traces.size() == 1 || isHit) {
                left--;
                if (left >= 0) {
                    tell(counts, stacks, traces.size() == 1 ? "" : CommandText.file(file));
                }
            }
        }
        if (left < 0) {
            messages.say("… and in " + Numbers.counted(-left, "more trace", "more traces"));
        }
        if (whole) {
            asked.forEach((number, instrument) -> tell(instrument, hit.contains(number)));
        }
        return Optional.ofNullable(firstHit);
    }

    private void tell(InstrumentCounts counts, InstrumentStacks stacks, String file) {
        if (!file.isEmpty()) {
            messages.say("instruments in " + file + ":");
        }
        for (Table table : List.of(
                counts.places(0).only(List.of("hits", "place", "action")),
                counts.times(0)
                        .only(List.of("hits", "place", "key", "total", "min", "median", "max")),
                counts.spread().only(List.of("place", "time", "hits", "total")),
                counts.values(),
                stacks.table(0))) {
            if (!table.rows().isEmpty()) {
                tell(new TextTable(false, COLUMNS).render(table));
            }
        }
    }

    private void tell(Instrument instrument, boolean hit) {
        String what = "--at '" + instrument.typed() + "' '" + instrument.typedActions() + "'";
        if (instrument.records()
                && InterposedFunctions.contains(instrument.place().function())) {
            messages.say(what + ": " + InterposedFunctions.CALLS_COME_FIRST);
        } else if (!hit) {
            messages.say(what + ": no hits.");
        }
    }

    private void tell(String table) {
        List<String> lines = table.lines().toList();
        lines.stream().limit(1 + ROWS).forEach(messages::say);
        if (lines.size() > 1 + ROWS) {
            messages.say("… and " + (lines.size() - 1 - ROWS) + " more");
        }
    }
}

package dev.madt.collector;

import dev.madt.console.Numbers;
import dev.madt.console.Version;
import dev.madt.modules.TrapSites;
import dev.madt.modules.UnrecordedCode;
import dev.madt.natives.TimeStamps;
import dev.madt.session.CommandText;
import dev.madt.session.Engine;
import dev.madt.session.RecordingClock;
import dev.madt.session.SeveralProcesses;
import dev.madt.trace.codec.MetaFrame;
import dev.madt.trace.codec.PrintableText;
import dev.madt.trace.instrument.Instrument;
import dev.madt.tracker.LockWords;
import dev.madt.tracker.ThreadNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Puts into META frames what a trace tells of its process and of the recording. */
final class TraceMeta {
    /** Places of traps that a trace tells. */
    private static final int MOST_TRAP_PLACES = 100;

    private final Recording recording;
    private final RecordingClock clock;
    private final String host = host();

    TraceMeta(Recording recording, RecordingClock clock) {
        this.recording = recording;
        this.clock = clock;
    }

    /**
     * Returns what the beginning of a trace says.
     *
     * @param absences null without times
     * @param ofFirst whether it is the first process, or has its memory from its parent
     */
    MetaFrame beginning(int pid, int parent, Path running, OffCpuTimes absences, boolean ofFirst) {
        MetaFrame meta = new MetaFrame();
        meta.add("command", CommandText.of(pid, recording.program()));
        meta.add("program", PrintableText.of(running.toString()));
        meta.add("engine", recording.engine().word())
                .add("start", recording.windows().text());
        if (recording.stack()) {
            meta.add("stack", "recorded");
        }
        if (recording.tls()) {
            meta.add("tls", "recorded");
        }
        if (recording.chain() > 1) {
            meta.add("chain", Integer.toString(recording.chain()));
        }
        if (recording.quarantine() > 0) {
            meta.add("quarantine", Long.toString(recording.quarantine()));
        }
        if (recording.running() != null && ofFirst) {
            meta.add("attached", "yes");
            if (SeveralProcesses.together() != null) {
                meta.add("together", SeveralProcesses.together());
            }
        }
        addScope(meta);
        if (!recording.instruments().areNone()) {
            meta.add(Instrument.KEY, recording.instruments().rows());
        }
        if (recording.kinds().calls()) {
            meta.add("calls", "recorded");
            if (recording.bounds().areAny()) {
                meta.add("calls_within", recording.bounds().text());
            }
        }
        if (recording.kinds().locks()) {
            meta.add("locks", "recorded");
        }
        if (recording.kinds().times()) {
            meta.add("clock_start", Long.toString(clock.start()))
                    .add("clock_hz", Long.toString(clock.hertz()))
                    .add("began_at", sinceTheBeginning());
        }
        if (absences != null) {
            meta.add("switches", absences.isKnown() ? "recorded" : "unknown");
        }
        meta.add("host", host);
        meta.add("begin", now())
                .add("pid", Integer.toString(pid))
                .add("parent", Integer.toString(parent));
        return meta.add("version", Version.TEXT);
    }

    private void addScope(MetaFrame meta) {
        if (!recording.scope().isEverything()) {
            meta.add("only", PrintableText.of(recording.scope().text()));
            if (!recording.scope().coversHeap()) {
                meta.add("heap", "in part");
            }
        }
    }

    private String sinceTheBeginning() {
        return Long.toString(clock.since(TimeStamps.now().ticks()));
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private static String host() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname"), StandardCharsets.UTF_8)
                    .strip();
        } catch (IOException e) {
            return "unknown";
        }
    }

    /** Returns what the end of a trace says; {@code absences} is null without times. */
    MetaFrame closing(
            ProcessRecorder recorder,
            String ended,
            Losses losses,
            String completeness,
            OffCpuTimes absences) {
        ProcessTrace trace = recorder.trace();
        MetaFrame meta = new MetaFrame().add("ended", ended).add("end", now());
        meta.add("started", Integer.toString(trace.windows().count()));
        if (!recording.windows().isWhole()) {
            meta.add("windows", trace.windows().text(clock));
        }
        if (!recording.functions().areAll() || recording.functions().haveValues()) {
            meta.add("calls_of", recording.functions().text());
        }
        if (!recording.allocators().areNone()) {
            meta.add("alloc", recording.allocators().text())
                    .add("alloc_unknown", Long.toString(trace.unknownEnds()))
                    .add("alloc_odd_sizes", Long.toString(trace.oddSizes()));
        }
        if (!trace.threadNames().isEmpty()) {
            meta.add(ThreadNames.KEY, trace.threadNames().text());
        }
        String unseen = trace.unseenLocks();
        if (!unseen.isEmpty()) {
            meta.add(LockWords.UNSEEN, unseen);
        }
        if (trace.rateLimit() != null) {
            meta.add("rate_limit", Long.toString(recording.callRate()))
                    .add("rate_limited", trace.rateLimit().text());
        }
        if (recording.kinds().times()) {
            meta.add("ended_at", sinceTheBeginning())
                    .add("pauses", Long.toString(trace.pauses()))
                    .add("paused", Long.toString(clock.nanos(trace.pausedTicks())));
        }
        if (absences != null) {
            meta.add("switches_lost", Long.toString(absences.lost()));
        }
        Losses.COUNTERS.forEach(
                (key, offset) -> meta.add(key, Long.toString(recorder.counter(offset))));
        meta.add("ring_errors", Long.toString(losses.events()))
                .add("access_errors", Long.toString(losses.accesses()));
        meta.add("completeness", completeness);
        if (recording.engine() == Engine.SPLICE) {
            unrecorded(trace.unrecorded(), meta);
            meta.add("trap_places", trapPlaces(recorder.trapSites()));
        }
        trace.frames().tell(meta);
        return meta;
    }

    private static void unrecorded(UnrecordedCode code, MetaFrame meta) {
        long bytes = code.parts().stream().mapToLong(UnrecordedCode.Part::bytes).sum();
        meta.add(
                "unrecorded_share",
                code.share(bytes) + " of " + Numbers.grouped(code.executable()));
        meta.add(
                "unrecorded",
                Stream.concat(
                                code.parts().stream().map(UnrecordedCode.Part::text),
                                code.fixed().stream().map(UnrecordedCode.Fixed::text))
                        .collect(Collectors.joining("\n")));
    }

    private static String trapPlaces(TrapSites sites) {
        return sites.places().stream()
                .limit(MOST_TRAP_PLACES)
                .map(TrapSites.Place::text)
                .collect(Collectors.joining("\n"));
    }
}

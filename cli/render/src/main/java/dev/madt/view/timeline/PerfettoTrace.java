package dev.madt.view.timeline;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Calls as a trace of Perfetto: one sequence of packets with a track for each process and lane and
 * a slice for each call. Field numbers are those of perfetto/protos/perfetto/trace. Names are
 * interned. Of a trace without times, a nanosecond is an event.
 */
final class PerfettoTrace implements CallSink {
    private static final int TRACE_PACKET = 1;

    private static final int PACKET_TIMESTAMP = 8;
    private static final int PACKET_SEQUENCE = 10;
    private static final int PACKET_EVENT = 11;
    private static final int PACKET_INTERNED = 12;
    private static final int PACKET_FLAGS = 13;
    private static final int PACKET_TRACK = 60;

    private static final int STATE_CLEARED = 1;
    private static final int NEEDS_STATE = 2;

    private static final int TRACK_UUID = 1;
    private static final int TRACK_NAME = 2;
    private static final int TRACK_PROCESS = 3;
    private static final int TRACK_THREAD = 4;
    private static final int TRACK_PARENT = 5;
    private static final int PROCESS_PID = 1;
    private static final int PROCESS_NAME = 6;
    private static final int THREAD_PID = 1;
    private static final int THREAD_TID = 2;
    private static final int THREAD_NAME = 5;

    private static final int EVENT_CATEGORY = 3;
    private static final int EVENT_NOTE = 4;
    private static final int EVENT_TYPE = 9;
    private static final int EVENT_NAME = 10;
    private static final int EVENT_TRACK = 11;
    private static final int EVENT_TEXT = 23;
    private static final int BEGIN = 1;
    private static final int END = 2;

    private static final int INTERNED_CATEGORY = 1;
    private static final int INTERNED_NAME = 2;
    private static final int INTERNED_NOTE = 3;
    private static final int IID = 1;
    private static final int NAME = 2;

    private static final int NOTE_NAME = 1;
    private static final int NOTE_NUMBER = 3;
    private static final int NOTE_TEXT = 6;
    private static final int NOTE_SELF = 1;
    private static final int NOTE_ACCESSES = 2;
    private static final int NOTE_BYTES = 3;
    private static final int NOTE_LEFT = 4;
    private static final int NOTE_LENGTH = 5;
    private static final int NOTE_OPENED = 6;
    private static final int NOTE_CLOSED = 7;
    private static final int NOTE_ARGUMENTS = 8;
    private static final int NOTE_RESULT = 9;
    /** Distance of the tracks of a thread: for calls, and for each kind of times off the CPU. */
    private static final long OFF_CPU = 1L << Integer.SIZE - 2;

    /** The last track of a process. */
    private static final long WINDOWS = (1L << Integer.SIZE) - 1;

    private final Functions functions;
    private final Lanes all;
    private final OutputStream out;
    private final ProtoBuffer trace = new ProtoBuffer();
    private final ProtoBuffer packet = new ProtoBuffer();
    private final ProtoBuffer event = new ProtoBuffer();
    private final ProtoBuffer inner = new ProtoBuffer();
    private final ProtoBuffer interned = new ProtoBuffer();
    private final Set<TracedProcess> processes = new HashSet<>();
    /** By lane: what its thread was called when that was told, if anything. */
    private final Map<Lane, String> lanes = new HashMap<>();

    private final Set<CalledFunction> names = new HashSet<>();
    private final Map<String, Integer> modules = new HashMap<>();
    /** The last position so far. */
    private long last;

    PerfettoTrace(Functions functions, Lanes all, OutputStream out) {
        this.functions = functions;
        this.all = all;
        this.out = out;
        interned.clear();
        note(NOTE_SELF, "self_ns");
        note(NOTE_ACCESSES, "accesses");
        note(NOTE_BYTES, "bytes");
        note(NOTE_LEFT, "left");
        note(NOTE_LENGTH, "ns");
        note(NOTE_OPENED, "opened by");
        note(NOTE_CLOSED, "closed by");
        note(NOTE_ARGUMENTS, "arguments");
        note(NOTE_RESULT, "result");
        write(packet.clear()
                .message(PACKET_INTERNED, interned)
                .number(PACKET_SEQUENCE, 1)
                .number(PACKET_FLAGS, STATE_CLEARED));
    }

    private void note(int number, String name) {
        interned.message(INTERNED_NOTE, inner.clear().number(IID, number).text(NAME, name));
    }

    @Override
    public void at(long position) {
        last = Math.max(last, position);
    }

    @Override
    public void begin(Call call) {
        describe(call.lane());
        CalledFunction function = call.function();
        interned.clear();
        boolean told = intern(function);
        event.clear()
                .number(EVENT_TYPE, BEGIN)
                .number(EVENT_TRACK, uuid(call.lane()))
                .number(EVENT_NAME, function.number() + 1L)
                .number(EVENT_CATEGORY, modules.get(function.cost().module()));
        if (call.arguments() != null) {
            text(NOTE_ARGUMENTS, call.arguments());
        }
        packet(call.start());
        write(told ? packet : packet.message(PACKET_INTERNED, interned));
    }

    /** Returns whether a function's name has been told before. */
    private boolean intern(CalledFunction function) {
        String module = function.cost().module();
        if (!modules.containsKey(module)) {
            modules.put(module, modules.size() + 1);
            inner.clear().number(IID, modules.size()).text(NAME, module);
            interned.message(INTERNED_CATEGORY, inner);
        }
        boolean told = !names.add(function);
        if (!told) {
            inner.clear().number(IID, function.number() + 1L).text(NAME, function.name());
            interned.message(INTERNED_NAME, inner);
        }
        return told;
    }

    @Override
    public void end(Call call) {
        event.clear().number(EVENT_TYPE, END).number(EVENT_TRACK, uuid(call.lane()));
        if (functions.profile().isTimed()) {
            number(NOTE_LENGTH, call.length());
            number(NOTE_SELF, call.self());
        }
        if (functions.profile().isOfAccesses()) {
            number(NOTE_ACCESSES, call.accesses());
            number(NOTE_BYTES, call.bytes());
        }
        if (call.result() != null) {
            text(NOTE_RESULT, call.result());
        }
        if (call.ending() != Call.Ending.RETURNED) {
            text(NOTE_LEFT, call.ending().word());
        }
        packet(call.end());
        write(packet);
    }

    /**
     * Writes when threads did not run the program, on tracks of its own, below that of the thread.
     */
    @Override
    public void finish() {
        windows();
        List.copyOf(lanes.keySet()).forEach(this::nameAgain);
        Set<Long> told = new HashSet<>();
        for (OffCpu time : all.offCpu()) {
            describe(time.lane());
            long uuid = uuid(time.lane()) + (time.kind() + 1) * OFF_CPU;
            if (told.add(uuid)) {
                event.clear()
                        .number(TRACK_UUID, uuid)
                        .text(TRACK_NAME, time.heading())
                        .number(TRACK_PARENT, uuid(time.lane()));
                track();
            }
            event.clear()
                    .number(EVENT_TYPE, BEGIN)
                    .number(EVENT_TRACK, uuid)
                    .text(EVENT_TEXT, time.why());
            packet(time.from());
            write(packet);
            event.clear().number(EVENT_TYPE, END).number(EVENT_TRACK, uuid);
            packet(time.to());
            write(packet);
        }
    }

    /** The windows of a process are on a track of their own. */
    private void windows() {
        Set<TracedProcess> told = new HashSet<>();
        for (RecordedWindow window : all.windows()) {
            TracedProcess process = window.process();
            describe(process);
            if (told.add(process)) {
                event.clear()
                        .number(TRACK_UUID, uuid(process) + WINDOWS)
                        .text(TRACK_NAME, "windows")
                        .number(TRACK_PARENT, uuid(process));
                track();
            }
            event.clear()
                    .number(EVENT_TYPE, BEGIN)
                    .number(EVENT_TRACK, uuid(process) + WINDOWS)
                    .text(EVENT_TEXT, window.title());
            text(NOTE_OPENED, window.opener());
            if (!window.closer().isEmpty()) {
                text(NOTE_CLOSED, window.closer());
            }
            packet(window.from());
            write(packet);
            event.clear().number(EVENT_TYPE, END).number(EVENT_TRACK, uuid(process) + WINDOWS);
            packet(window.end(last));
            write(packet);
        }
    }

    private void text(int name, String value) {
        event.message(EVENT_NOTE, inner.clear().number(NOTE_NAME, name).text(NOTE_TEXT, value));
    }

    private void number(int name, long value) {
        event.message(EVENT_NOTE, inner.clear().number(NOTE_NAME, name).number(NOTE_NUMBER, value));
    }

    private void packet(long position) {
        packet.clear()
                .number(PACKET_TIMESTAMP, Math.max(0, position))
                .message(PACKET_EVENT, event)
                .number(PACKET_SEQUENCE, 1)
                .number(PACKET_FLAGS, NEEDS_STATE);
    }

    private static long uuid(TracedProcess process) {
        return process.number() + 1L << Integer.SIZE;
    }

    private static long uuid(Lane lane) {
        return uuid(lane.process()) + lane.number() + 1;
    }

    /** Tells of a lane's track, and of its process's, before the first slice. */
    private void describe(Lane lane) {
        if (!lanes.containsKey(lane)) {
            describe(lane.process());
            track(lane);
        }
    }

    /** A track that is described once more has what was said last. */
    private void nameAgain(Lane lane) {
        if (!Objects.equals(lanes.get(lane), lane.process().names().of(lane.thread()))) {
            track(lane);
        }
    }

    private void track(Lane lane) {
        TracedProcess process = lane.process();
        String name = process.names().of(lane.thread());
        lanes.put(lane, name);
        event.clear().number(TRACK_UUID, uuid(lane)).number(TRACK_PARENT, uuid(process));
        if (lane.slot() == 0) {
            inner.clear().number(THREAD_PID, process.pid()).number(THREAD_TID, lane.thread());
            event.message(TRACK_THREAD, name == null ? inner : inner.text(THREAD_NAME, name));
        } else {
            event.text(TRACK_NAME, lane.title());
        }
        track();
    }

    private void describe(TracedProcess process) {
        if (processes.add(process)) {
            inner.clear().number(PROCESS_PID, process.pid()).text(PROCESS_NAME, process.title());
            event.clear().number(TRACK_UUID, uuid(process)).message(TRACK_PROCESS, inner);
            track();
        }
    }

    private void track() {
        write(packet.clear().message(PACKET_TRACK, event).number(PACKET_SEQUENCE, 1));
    }

    private void write(ProtoBuffer made) {
        try {
            trace.clear().message(TRACE_PACKET, made).writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.madt.collector;

import dev.madt.console.KeptExtent;
import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.BlockKeeper;
import dev.madt.tracker.BlockTracker;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A flight recorder: frames of one trace on their way to its file. Definitions go on; of the frames
 * of events the newest are kept in memory, until {@link #release}; behind that nothing is kept, and
 * all goes on. What is forgotten is counted, and what later events build upon is followed: the
 * blocks, the threads, whether recording is on. A frame that says so goes in front of the ones that
 * were kept.
 */
final class LastFrames {
    /**
     * Something that was kept.
     *
     * @param tally null for definitions, which wait for the events in front of them
     */
    private record Kept(Frame frame, EventTally tally, long time) {
        private int bytes() {
            return frame.payload().array().length;
        }
    }

    private final KeptExtent extent;
    private final FrameSink sink;
    private final Deque<Kept> kept = new ArrayDeque<>();
    private long bytes;
    private int eventFrames;
    /** Says when the newest frame of events came, and the one before it. */
    private long newest;

    private long before;
    private final EventTally forgotten = new EventTally();
    private boolean forgot;
    private boolean released;

    private final BlockTracker blocks = new BlockTracker((start, end) -> {}, BlockKeeper.NOTHING);
    /** By thread: its beginning. */
    private final Map<Integer, TraceEvent> threads = new HashMap<>();
    /** By thread: its name. */
    private final Map<Integer, TraceEvent> names = new HashMap<>();

    /** The calls of chains. */
    private final List<TraceEvent> nodes = new ArrayList<>();

    /** The beginning of the window of recording that is open, or null. */
    private TraceEvent window;

    /** @param sink where definitions go, and in the end everything that was kept */
    LastFrames(KeptExtent extent, FrameSink sink) {
        this.extent = extent;
        this.sink = sink;
    }

    KeptExtent extent() {
        return extent;
    }

    /** Returns what was forgotten. */
    EventTally forgotten() {
        return forgotten;
    }

    /** A frame of definitions. */
    void frame(Frame frame) throws IOException {
        if (kept.isEmpty()) {
            sink.frame(frame);
        } else {
            kept.add(new Kept(frame, null, 0));
        }
    }

    /**
     * A frame of events.
     *
     * @param now nanoseconds of System.nanoTime; the events are older
     */
    void events(Frame frame, EventTally tally, long now) throws IOException {
        if (released) {
            sink.frame(frame);
            return;
        }
        Kept last = new Kept(frame, tally, now);
        kept.add(last);
        bytes += last.bytes();
        eventFrames++;
        before = eventFrames == 1 ? now : newest;
        newest = now;
        forgetOld();
    }

    private void forgetOld() throws IOException {
        while (eventFrames > 1 && (bytes > extent.bytes() || isOld(kept.element()))) {
            forget(kept.remove());
            while (kept.element().tally() == null) {
                sink.frame(kept.remove().frame());
            }
        }
    }

    /**
     * Returns whether its events are too old, by the newest one: that was recorded when the frame
     * before had come, and how much later is not known. Long after it the process may still be
     * ending, and frames come late where others have the processors.
     */
    private boolean isOld(Kept frame) {
        return extent.nanos() > 0 && before - frame.time() > extent.nanos();
    }

    private void forget(Kept oldest) {
        forgot = true;
        bytes -= oldest.bytes();
        eventFrames--;
        forgotten.add(oldest.tally());
        EventsFrame.ringEvents(oldest.frame(), this::follow);
    }

    private void follow(TraceEvent event) {
        switch (event.type()) {
            case THREAD_START -> threads.put(event.thread(), event);
            case THREAD_END -> threads.remove(event.thread());
            case THREAD_NAME -> names.put(event.thread(), event);
            case CHAIN_NODE -> nodes.add(event);
            case RECORD_START -> window = event;
            case RECORD_STOP -> window = null;
            default -> {}
        }
        blocks.follow(event);
    }

    /** Hands on what was kept; nothing is kept any more of what comes. */
    void release() throws IOException {
        released = true;
        copy(sink);
        kept.clear();
        bytes = 0;
        eventFrames = 0;
    }

    /** Gives everything that was kept, as {@link #release} does, and goes on keeping it. */
    void copy(FrameSink to) throws IOException {
        if (forgot && !kept.isEmpty()) {
            before(kept.element().frame().pid(), to);
        }
        for (Kept one : kept) {
            to.frame(one.frame());
        }
    }

    /** Writes what the events that were kept build upon. */
    private void before(int pid, FrameSink to) throws IOException {
        List<TraceEvent> events = new ArrayList<>(blocks.inheritance());
        List<TraceEvent> others = new ArrayList<>(threads.values());
        others.addAll(names.values());
        others.addAll(nodes);
        if (window != null) {
            others.add(window);
        }
        others.sort(Comparator.comparingLong(TraceEvent::epoch));
        events.addAll(others);
        EventsFrame frame = new EventsFrame();
        for (TraceEvent event : events) {
            frame.event(event);
            if (frame.isFull()) {
                to.frame(frame.build(pid));
            }
        }
        if (!frame.isEmpty()) {
            to.frame(frame.build(pid));
        }
    }
}

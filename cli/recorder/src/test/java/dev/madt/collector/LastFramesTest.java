package dev.madt.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.console.KeptExtent;
import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LastFramesTest {
    private static final int PID = 77;
    private static final long MILLISECOND = 1_000_000;

    private final List<Frame> made = new ArrayList<>();
    private final List<Frame> written = new ArrayList<>();

    private final FrameSink sink = new FrameSink() {
        @Override
        public void frame(Frame frame) {
            written.add(frame);
        }

        @Override
        public void close() {}
    };

    /**
     * Checks that how long ago that was by the clock does not matter: the process may end slowly.
     */
    @Test
    void shouldCountTheTimeBackFromTheNewestEvent() throws Exception {
        LastFrames last = new LastFrames(KeptExtent.of("20ms"), sink);
        long begin = System.nanoTime() - 60_000 * MILLISECOND;
        for (int at : new int[] {0, 5, 14, 24, 30}) {
            last.events(frame(), new EventTally(), begin + at * MILLISECOND);
        }
        last.release();
        assertEquals(made.subList(1, 5), kept());
    }

    /** The newest event may have been recorded just behind the frame before. */
    @Test
    void shouldKeepTheFrameBeforeOneThatComesLate() throws Exception {
        LastFrames last = new LastFrames(KeptExtent.of("20ms"), sink);
        for (int at : new int[] {0, 31, 7_000}) {
            last.events(frame(), new EventTally(), at * MILLISECOND);
        }
        last.release();
        assertEquals(made.subList(1, 3), kept());
    }

    private Frame frame() throws IOException {
        EventsFrame events = new EventsFrame();
        events.event(TraceEvent.of(
                RingEventType.MALLOC, PID, made.size() + 1L, 0x600000, 17, 0, 0, "", 0x600000));
        made.add(events.build(PID));
        return made.get(made.size() - 1);
    }

    /** Returns what was kept of the frames that were made, without what they build upon. */
    private List<Frame> kept() {
        return written.stream()
                .filter(frame -> made.stream().anyMatch(one -> one == frame))
                .toList();
    }
}

package dev.madt.trace.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.codec.FrameType;
import dev.madt.trace.codec.MetaFrame;
import dev.madt.trace.codec.ProcessesFrame;
import dev.madt.trace.codec.RecordingConsumer;
import dev.madt.trace.codec.SampleTrace;
import dev.madt.trace.event.ProcessImage;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceEndsTest {
    @TempDir
    Path folder;

    private Path file(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("t.madt"), bytes);
    }

    @Test
    void shouldTellWhatReadingTheWholeTraceTells() throws Exception {
        Path file = file(SampleTrace.file());
        Map<String, String> meta = new LinkedHashMap<>();
        List<ProcessImage> processes = new ArrayList<>();
        TraceIndex index;
        try (TraceReader reader = new TraceReader(file)) {
            reader.read(new FrameSink() {
                @Override
                public void frame(Frame frame) throws IOException {
                    if (frame.type() == FrameType.META) {
                        meta.putAll(MetaFrame.decode(frame));
                    } else if (frame.type() == FrameType.PROCESSES) {
                        ProcessesFrame.decode(frame, new RecordingConsumer() {
                            @Override
                            public void process(ProcessImage entry) {
                                processes.add(entry);
                            }
                        });
                    }
                }

                @Override
                public void close() {}
            });
            index = reader.index();
        }
        TraceEnds ends = TraceEnds.read(file);
        assertEquals(meta, ends.meta());
        assertEquals(processes, ends.processes());
        assertEquals(index, ends.index());
    }

    @Test
    void shouldTellNothingOfATraceThatDoesNotEndInItsIndex() throws Exception {
        byte[] bytes = SampleTrace.file();
        for (int length = 0; length < bytes.length; length += 7) {
            assertNull(TraceEnds.read(file(Arrays.copyOf(bytes, length))), "of " + length);
        }
        assertNull(TraceEnds.read(file(Arrays.copyOf(bytes, bytes.length + 1))));
        bytes[bytes.length - 1] ^= 1;
        assertNull(TraceEnds.read(file(bytes)));
    }

    @Test
    void shouldFindAnIndexOfManyFrames() throws Exception {
        Path file = folder.resolve("long.madt");
        try (TraceWriter writer = new TraceWriter(file, true)) {
            writer.frame(new MetaFrame().add("begin", "1").build(1, 1));
            EventsFrame events = new EventsFrame();
            for (int i = 0; i < 9_001; i++) {
                events.record(SharedLayout.TEMPLATE_COPY, 1, new long[] {1, 2, 3, 4}, 0, 4);
                writer.frame(events.build(1, 1));
            }
            writer.frame(new MetaFrame().add("end", "2").build(1, 1));
        }
        TraceEnds ends = TraceEnds.read(file);
        assertEquals(Map.of("begin", "1", "end", "2"), ends.meta());
        assertEquals(9_001, ends.index().blocks());
        assertEquals(9_001, ends.index().events());
    }
}

package dev.madt.bench;

import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.codec.FrameType;
import dev.madt.trace.codec.MetaFrame;
import dev.madt.trace.file.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The keys and values of a whole trace; of a key that comes twice the later value. */
record TraceMeta(Map<String, String> values) {
    static TraceMeta of(Path trace) throws IOException {
        Map<String, String> values = new HashMap<>();
        try (TraceReader reader = new TraceReader(trace)) {
            reader.read(new FrameSink() {
                @Override
                public void frame(Frame frame) throws IOException {
                    if (frame.type() == FrameType.META) {
                        values.putAll(MetaFrame.decode(frame));
                    }
                }

                @Override
                public void close() {}
            });
        }
        return new TraceMeta(values);
    }

    /** 0 if there is no such key. */
    long number(String key) {
        return Long.parseLong(values.getOrDefault(key, "0"));
    }

    /** Empty if there is no such key. */
    String text(String key) {
        return values.getOrDefault(key, "");
    }
}

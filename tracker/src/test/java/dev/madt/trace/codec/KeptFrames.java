package dev.madt.trace.codec;

import java.util.ArrayList;
import java.util.List;

/** Keeps the frames that it gets. */
public final class KeptFrames implements FrameSink {
    private final List<Frame> frames = new ArrayList<>();

    @Override
    public void frame(Frame frame) {
        frames.add(frame);
    }

    @Override
    public void close() {}

    public List<Frame> frames() {
        return frames;
    }
}

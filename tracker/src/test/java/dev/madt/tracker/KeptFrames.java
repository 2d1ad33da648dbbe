package dev.madt.tracker;

import java.util.ArrayList;
import java.util.List;

/** Keeps the frames that it gets. */
final class KeptFrames implements FrameSink {
    private final List<Frame> frames = new ArrayList<>();

    @Override
    public void frame(Frame frame) {
        frames.add(frame);
    }

    @Override
    public void close() {}

    List<Frame> frames() {
        return frames;
    }
}

package dev.madt.view.convert;

import dev.madt.resolver.line.RecordingWindows;
import dev.madt.view.NamedEvent;
import dev.madt.view.Needs;
import dev.madt.view.Place;
import dev.madt.view.toolkit.TextBuffer;
import java.io.OutputStream;

/** A format that has each event by itself. */
public abstract class EventList extends Conversion {
    private Place place;

    EventList(TextBuffer text) {
        super(text);
    }

    /** For a list that is no text. */
    protected EventList() {
        super(new TextBuffer(OutputStream.nullOutputStream()));
    }

    @Override
    public Needs needs() {
        return Needs.BATCHES.listing();
    }

    @Override
    public final void call(int thread, Place at, long stack, long time) {
        place = at;
    }

    /** Returns where a function was entered or left last. */
    public final Place place() {
        return place;
    }

    public abstract void call(CallEvent event);

    @Override
    public abstract void event(NamedEvent event);

    /**
     * A window of the recording opens or closes.
     *
     * @param time nanoseconds since the recording began; negative: not known
     */
    public abstract void window(RecordingWindows.Turn turn, int thread, long time);

    @Override
    final void write() {
        // every event has been written
    }
}

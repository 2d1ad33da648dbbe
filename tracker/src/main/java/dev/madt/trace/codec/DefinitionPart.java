package dev.madt.trace.codec;

import dev.madt.trace.event.EventConsumer;

/**
 * A frame that defines something, or tells of the trace.
 *
 * @param file what messages call the trace
 * @param offset where the frame begins in it
 */
public record DefinitionPart(Frame frame, String file, long offset) implements TracePart {
    @Override
    public void give(EventConsumer consumer) throws TraceFormatException {
        try {
            decode(frame, consumer);
        } catch (TraceFormatException e) {
            throw e.in(file, offset);
        }
    }

    @Override
    public void skim(EventConsumer consumer) throws TraceFormatException {
        give(consumer);
    }

    /**
     * Makes the calls for a frame; none for EVTS, TMPL and INDX.
     *
     * @throws TraceFormatException if the payload is not what docs/FORMAT.md says
     */
    public static void decode(Frame frame, EventConsumer consumer) throws TraceFormatException {
        switch (frame.type()) {
            case META -> consumer.meta(MetaFrame.decode(frame));
            case MAPS -> MapsFrame.decode(frame, consumer);
            case SYMBOLS -> SymbolsFrame.decode(frame, consumer);
            case SOURCES -> SourcesFrame.decode(frame, consumer);
            case DECLARATIONS -> DeclarationsFrame.decode(frame, consumer);
            case TYPES -> TypesFrame.decode(frame, consumer);
            case LOCALS -> LocalsFrame.decode(frame, consumer);
            case ARGUMENTS -> ArgumentsFrame.decode(frame, consumer);
            case PROCESSES -> ProcessesFrame.decode(frame, consumer);
            case TEMPLATES, EVENTS, INDEX -> {}
        }
    }
}

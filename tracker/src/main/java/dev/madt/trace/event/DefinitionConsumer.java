package dev.madt.trace.event;

/** Takes what a trace defines, and none of its events: it is an error to give it any. */
public interface DefinitionConsumer extends EventConsumer {
    @Override
    default void access(long number, int thread, AccessSite site, boolean store, long address) {
        throw new IllegalStateException(UNEXPECTED);
    }

    @Override
    default void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        throw new IllegalStateException(UNEXPECTED);
    }

    @Override
    default void ring(TraceEvent event) {
        throw new IllegalStateException(UNEXPECTED);
    }

    /** Says what is wrong. */
    String UNEXPECTED = "an event among definitions";
}

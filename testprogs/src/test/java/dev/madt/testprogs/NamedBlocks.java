package dev.madt.testprogs;

import dev.madt.trace.event.TraceEvent;
import java.util.HashMap;
import java.util.Map;

/** Follows the blocks of allocators by other names that live. */
public class NamedBlocks extends QuietConsumer {
    private final Map<Long, Long> live = new HashMap<>();

    /** Returns how many live. */
    public long count() {
        return live.size();
    }

    /** Returns how many bytes they have. */
    public long bytes() {
        return live.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public void ring(TraceEvent event) {
        if (!(event instanceof TraceEvent.Allocation one)) {
            return;
        }
        switch (one.type()) {
            case NAMED_ALLOC -> live.put(one.address(), one.size());
            case NAMED_FREE -> live.remove(one.old());
            case NAMED_REALLOC_END -> {
                if (one.address() != 0) {
                    live.remove(one.old());
                    live.put(one.address(), one.size());
                }
            }
            default -> {}
        }
    }
}

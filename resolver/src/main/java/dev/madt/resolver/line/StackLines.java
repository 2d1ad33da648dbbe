package dev.madt.resolver.line;

import dev.madt.trace.event.TraceEvent;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes the callers of an instrument's place behind it, the innermost first: {@code ← send+34 ←
 * main+120}. Where callers are missing, {@code …} stands instead of them. Those by which the C
 * library begins the program are left out.
 */
final class StackLines {
    private static final byte[] CALLER = " ← ".getBytes(StandardCharsets.UTF_8);
    private static final byte[] MISSING = " ← …".getBytes(StandardCharsets.UTF_8);

    private final AddressSpace space;
    private final Map<Long, TraceEvent.ChainNode> nodes = new HashMap<>();

    StackLines(AddressSpace space) {
        this.space = space;
    }

    /** Takes a call that stacks have in common. */
    void take(TraceEvent.ChainNode node) {
        nodes.put(node.node(), node);
    }

    /**
     * Appends the callers of the innermost call of a stack.
     *
     * @param stack its node
     * @param calls that are told, at most, with the innermost one
     */
    void append(LineBuffer line, long stack, int calls) {
        TraceEvent.ChainNode node = nodes.get(stack);
        int left = calls - 1;
        while (node != null && node.outer() != 0 && left > 0) {
            node = nodes.get(node.outer());
            if (node != null && begins(node)) {
                return;
            }
            if (node != null) {
                line.text(CALLER);
                space.appendCode(line, node.code());
            }
            left--;
        }
        if (node == null || node.outer() != 0 || node.cut() != 0) {
            line.text(MISSING);
        }
    }

    private boolean begins(TraceEvent.ChainNode node) {
        AddressSpace.Symbol symbol = space.function(node.code());
        return symbol != null && StartFunctions.contains(symbol.linkerName());
    }
}

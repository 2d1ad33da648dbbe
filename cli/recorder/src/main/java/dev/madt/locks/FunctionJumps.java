package dev.madt.locks;

import dev.madt.resolver.ElfModule;
import dev.madt.resolver.elf.ElfSegment;
import dev.madt.resolver.elf.ElfSymbol;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds the functions of a module that others go on to by a jump. Every byte may begin one: what
 * looks like a jump to the first byte of a function, and is none, does no harm, since whoever asks
 * compares stack pointers.
 */
final class FunctionJumps {
    private static final int NEAR = 0xe9;
    private static final int ESCAPE = 0x0f;
    private static final int CONDITIONAL = 0x80;

    private final TreeMap<Long, Long> ends = new TreeMap<>();
    private final Map<ElfSegment, ByteBuffer> text;

    FunctionJumps(ElfModule elf) throws IOException {
        List<ElfSymbol> all = elf.functions();
        for (int i = 0; i < all.size(); i++) {
            long start = all.get(i).address();
            long next = i + 1 < all.size() ? all.get(i + 1).address() : Long.MAX_VALUE;
            ends.put(start, Math.min(Math.max(all.get(i).end(), start + 1), next));
        }
        text = ModuleCode.of(elf);
    }

    /** Returns where a function ends. */
    long end(long function) {
        return ends.get(function);
    }

    /** Returns the other functions that one jumps to. */
    Set<Long> from(long function) {
        Set<Long> found = new HashSet<>();
        text.forEach((segment, bytes) -> {
            int from = (int) (function - segment.address());
            int to = (int) Math.min(end(function) - segment.address(), bytes.limit());
            for (int at = from; from >= 0 && at + 1 + Integer.BYTES <= to; at++) {
                int code = bytes.get(at) & 0xff;
                boolean conditional =
                        code >> 4 == CONDITIONAL >> 4 && at > 0 && bytes.get(at - 1) == ESCAPE;
                if (code == NEAR || conditional) {
                    long next = segment.address() + at + 1 + Integer.BYTES;
                    long target = next + bytes.getInt(at + 1);
                    if (target != function && ends.containsKey(target)) {
                        found.add(target);
                    }
                }
            }
        });
        return found;
    }
}

package dev.madt.locks;

import dev.madt.resolver.ElfModule;
import dev.madt.resolver.elf.ElfSegment;
import dev.madt.resolver.elf.ElfSymbol;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds the functions of a module that others go on to by a jump. Every byte may begin one: what
 * looks like a jump to the first byte of a function, and is none, does no harm, since whoever asks
 * compares stack pointers.
 */
final class FunctionJumps {
    private static final int NEAR = 0xe9;
    private static final int SHORT = 0xeb;
    private static final int ESCAPE = 0x0f;
    private static final int CONDITIONAL = 0x80;
    private static final int SHORT_CONDITIONAL = 0x70;
    private static final int KIND = 0xf0;
    /** The two bytes of jmp [rip + distance], as a stub or the compiler has it of a slot. */
    private static final int BY_SLOT = 0x25ff;

    private static final String SLOT = "got.";

    private final ElfModule elf;
    private final TreeMap<Long, Long> ends = new TreeMap<>();
    private final Map<ElfSegment, ByteBuffer> text;
    /** Holds what jumps through a stub or a slot lead to, by its address. */
    private final Map<Long, String> named = new HashMap<>();

    FunctionJumps(ElfModule elf) throws IOException {
        this.elf = elf;
        List<ElfSymbol> all = elf.functions();
        for (int i = 0; i < all.size(); i++) {
            long start = all.get(i).address();
            long next = i + 1 < all.size() ? all.get(i + 1).address() : Long.MAX_VALUE;
            ends.put(start, Math.min(Math.max(all.get(i).end(), start + 1), next));
        }
        all.stream()
                .filter(one -> ElfSymbol.isStub(one.name()))
                .forEach(one -> named.put(one.address(), unversioned(one.name())));
        elf.dataSymbols().stream()
                .filter(one -> one.name().startsWith(SLOT))
                .forEach(one ->
                        named.put(one.address(), unversioned(one.name().substring(SLOT.length()))));
        text = ModuleCode.of(elf);
    }

    /** Returns a name without its version, and without what marks a stub. */
    private static String unversioned(String name) {
        return name.replaceFirst("@.*", "");
    }

    /** Returns where a function ends. */
    long end(long function) {
        return ends.get(function);
    }

    /** Returns the other functions of the module that one jumps to. */
    Set<Long> from(long function) {
        Set<Long> found = new HashSet<>();
        text.forEach((segment, bytes) -> {
            int from = (int) (function - segment.address());
            int to = (int) Math.min(end(function) - segment.address(), bytes.limit());
            for (int at = from; from >= 0 && at + 1 < to; at++) {
                int behind = at + 1 + distance(bytes, at);
                if (behind <= to && behind > at + 1) {
                    long next = segment.address() + behind;
                    found.addAll(reached(next + last(bytes, at + 1, behind)));
                }
            }
        });
        found.remove(function);
        return found;
    }

    /** Returns how many bytes the distance has of what looks like a jump's last byte; 0: none. */
    private static int distance(ByteBuffer bytes, int at) {
        int code = bytes.get(at) & 0xff;
        if (code == SHORT || (code & KIND) == SHORT_CONDITIONAL) {
            return 1;
        }
        boolean conditional = (code & KIND) == CONDITIONAL && at > 0 && bytes.get(at - 1) == ESCAPE;
        boolean bySlot = at > 0 && (bytes.getShort(at - 1) & 0xffff) == BY_SLOT;
        return code == NEAR || conditional || bySlot ? Integer.BYTES : 0;
    }

    private static long last(ByteBuffer bytes, int from, int to) {
        return to - from == 1 ? bytes.get(from) : bytes.getInt(from);
    }

    /** Returns the functions that a jump to an address, or through the slot there, leads to. */
    private Set<Long> reached(long target) {
        String name = named.get(target);
        if (name == null) {
            return ends.containsKey(target) ? Set.of(target) : Set.of();
        }
        return elf.functions().stream()
                .filter(one -> !ElfSymbol.isStub(one.name()))
                .map(ElfSymbol::address)
                .filter(address -> elf.functionNames(address).stream()
                        .anyMatch(other -> unversioned(other).equals(name)))
                .collect(Collectors.toSet());
    }
}

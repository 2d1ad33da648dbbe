package dev.madt.locks;

import dev.madt.modules.LoadedModule;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.elf.ElfSegment;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Finds the instructions that are atomic: those with a lock prefix, and exchanges with memory. */
public final class AtomicInstructions {
    private static final int LOCK = 0xf0;
    private static final int EXCHANGE_BYTE = 0x86;
    private static final int EXCHANGE = 0x87;
    private static final int REX = 0x40;
    private static final int MOST_BYTES = 15;

    private final Map<ElfModule, Map<ElfSegment, ByteBuffer>> texts = new HashMap<>();

    /** Returns the sites of a template, those of atomic instructions marked. */
    public AccessSite[] marked(AccessSite[] sites, LoadedModule module) {
        if (module == null || module.elf() == null) {
            return sites;
        }
        AccessSite[] all = sites.clone();
        for (int i = 0; i < all.length; i++) {
            if (isAtomic(all[i], module)) {
                all[i] = all[i].ofAtomic();
            }
        }
        return all;
    }

    /**
     * Returns whether a site is one of an atomic instruction.
     *
     * @param module where it is; null: not known
     */
    public boolean isAtomic(AccessSite site, LoadedModule module) {
        return site.kind() == AccessKind.MODIFY
                && module != null
                && module.elf() != null
                && isAtomic(module.elf(), site.address() - module.bias());
    }

    private boolean isAtomic(ElfModule elf, long address) {
        for (Map.Entry<ElfSegment, ByteBuffer> text :
                texts.computeIfAbsent(elf, AtomicInstructions::read).entrySet()) {
            ElfSegment segment = text.getKey();
            if (address >= segment.address()
                    && address < segment.address() + text.getValue().limit()) {
                return isAtomic(text.getValue(), (int) (address - segment.address()));
            }
        }
        return false;
    }

    private static boolean isAtomic(ByteBuffer text, int from) {
        for (int at = from; at < Math.min(from + MOST_BYTES, text.limit()); at++) {
            int code = text.get(at) & 0xff;
            if (code == LOCK || code == EXCHANGE || code == EXCHANGE_BYTE) {
                return true;
            }
            if (!isPrefix(code)) {
                return false;
            }
        }
        return false;
    }

    private static boolean isPrefix(int code) {
        return switch (code) {
            case 0x66, 0x67, 0xf2, 0xf3, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65 -> true;
            default -> (code & 0xf0) == REX;
        };
    }

    private static Map<ElfSegment, ByteBuffer> read(ElfModule elf) {
        try {
            return ModuleCode.of(elf);
        } catch (IOException e) {
            return Map.of(); // none of it is known to be atomic
        }
    }
}

package dev.madt.locks;

import dev.madt.resolver.ElfModule;
import dev.madt.resolver.elf.ElfSegment;
import dev.madt.resolver.elf.ElfSymbol;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the functions of a module whose addresses it puts into registers, to hand them over. Every
 * byte may begin such an instruction, as {@link FunctionJumps} has it of jumps.
 */
final class HandedFunctions {
    private static final int LEA = 0x8d;
    /** The byte behind it: an address relative to the next instruction, whatever the register. */
    private static final int RELATIVE = 0b00_000_101;

    private static final int NOT_THE_REGISTER = 0b11_000_111;
    /** The first byte of mov register, number, without the three bits of the register. */
    private static final int MOVE = 0xb8;

    private static final int REGISTERS = 7;

    private HandedFunctions() {}

    /** Returns where they begin, by their ELF virtual addresses. */
    static Set<Long> of(ElfModule elf) throws IOException {
        Set<Long> starts = new HashSet<>();
        for (ElfSymbol function : elf.functions()) {
            if (!ElfSymbol.isStub(function.name())) {
                starts.add(function.address());
            }
        }
        Set<Long> found = new TreeSet<>();
        for (Map.Entry<ElfSegment, ByteBuffer> text : ModuleCode.of(elf).entrySet()) {
            ByteBuffer bytes = text.getValue();
            for (int at = 1; at + Integer.BYTES < bytes.limit(); at++) {
                int number = bytes.getInt(at + 1);
                int code = bytes.get(at) & 0xff;
                if ((code & ~REGISTERS) == MOVE) {
                    found.add(Integer.toUnsignedLong(number));
                } else if ((bytes.get(at - 1) & 0xff) == LEA
                        && (code & NOT_THE_REGISTER) == RELATIVE) {
                    found.add(text.getKey().address() + at + 1 + Integer.BYTES + number);
                }
            }
        }
        found.retainAll(starts);
        return found;
    }
}

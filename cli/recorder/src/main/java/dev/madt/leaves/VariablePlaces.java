package dev.madt.leaves;

import dev.madt.resolver.ElfModule;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.dwarf.FrameRules;
import dev.madt.resolver.dwarf.Local;
import dev.madt.resolver.dwarf.Signature;
import dev.madt.resolver.type.ArrayType;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.Type;
import dev.madt.trace.event.Argument;
import java.util.ArrayList;
import java.util.List;

/**
 * Says where parameters and local variables are at an instruction. Where a function is entered it
 * has no frame yet: its parameters are where the ABI of C has them, and of other variables only
 * what lies in front of the frame is there.
 */
final class VariablePlaces {
    /** General registers, as instructions number them, by their DWARF numbers. */
    private static final int[] BY_DWARF = {0, 2, 1, 3, 6, 7, 5, 4};

    private static final int RSP = 4;
    private static final int RBP = 5;
    /** From the frame pointer to the canonical frame address. */
    private static final long FRAME_POINTER = 16;

    private final ElfModule elf;
    private final DebugInfo debug;
    private final long address;
    private final boolean entry;

    /** @param entry whether a function is entered at the instruction */
    VariablePlaces(ElfModule elf, DebugInfo debug, long address, boolean entry) {
        this.elf = elf;
        this.debug = debug;
        this.address = address;
        this.entry = entry;
    }

    /** Returns where a variable is: also {@link Way#NOWHERE} where that takes computing. */
    Way of(Local local) {
        boolean parameter = entry && local.parameter() && local.function() == null;
        Way passed = parameter ? passed(local) : null;
        return passed != null ? passed : place(local);
    }

    /** Returns what has an address of its own. */
    static Way fixed(long at, Type type) {
        return new Way(false, Way.FIXED, List.of(at), type);
    }

    /**
     * Returns where the caller has put a parameter; null: that is not in general registers, or not
     * known.
     */
    private Way passed(Local local) {
        Type type = local.type();
        if (isWhole(type) && !isInFrame(local)) {
            return null; // only its place tells which parts of it are passed
        }
        Signature signature = debug.signature(address);
        for (int i = 0; signature != null && i < signature.arguments().size(); i++) {
            if (signature.arguments().get(i).name().equals(local.name())) {
                return passed(type, signature.registers().get(i));
            }
        }
        return null;
    }

    private static Way passed(Type type, List<Integer> registers) {
        if (!registers.isEmpty() && registers.get(0) >= Signature.ADDRESS) {
            int register = registers.get(0) - Signature.ADDRESS;
            return new Way(false, register, List.of(0L), type);
        }
        List<Way.Part> parts = new ArrayList<>();
        for (int i = 0; i < registers.size(); i++) {
            if (registers.get(i) < Argument.VECTOR) {
                Way way = new Way(true, registers.get(i), List.of(), type);
                parts.add(new Way.Part((long) Long.BYTES * i, Long.BYTES, way));
            }
        }
        return parts.isEmpty()
                ? null
                : isWhole(type) ? Way.inParts(parts, type) : parts.get(0).way();
    }

    private static boolean isWhole(Type type) {
        return type.bare() instanceof RecordType || type.bare() instanceof ArrayType;
    }

    /** Returns whether a variable will be in the frame of the function that is entered. */
    private static boolean isInFrame(Local local) {
        return local.base() == Local.Base.FRAME && local.offset() < 0
                || local.base() == Local.Base.REGISTER && local.framed();
    }

    private Way place(Local local) {
        List<Way.Part> parts = new ArrayList<>();
        for (Local.Piece piece : local.pieces()) {
            Way way = place(
                    piece.base(), piece.register(), piece.offset(), piece.framed(), local.type());
            if (way != Way.NOWHERE) {
                parts.add(new Way.Part(
                        piece.start(), piece.size(), piece.computed() ? way.asValue() : way));
            }
        }
        if (local.base() == Local.Base.PIECES) {
            return Way.inParts(parts, local.type());
        }
        Way way =
                place(local.base(), local.register(), local.offset(), local.framed(), local.type());
        return local.indirect()
                ? way.loaded(0, local.type())
                : local.computed() ? way.asValue() : way;
    }

    private Way place(Local.Base base, int dwarf, long offset, boolean framed, Type type) {
        int register = dwarf < BY_DWARF.length ? BY_DWARF[dwarf] : dwarf < 16 ? dwarf : -1;
        if (entry && framed && base == Local.Base.REGISTER) {
            return register == RBP
                    ? inFrame(offset - FRAME_POINTER, type)
                    : register == RSP && hasNoFrame()
                            ? new Way(false, RSP, List.of(offset), type)
                            : Way.NOWHERE;
        }
        return switch (base) {
            case VALUE -> register < 0 ? Way.NOWHERE : new Way(true, register, List.of(), type);
            case REGISTER ->
                register < 0 ? Way.NOWHERE : new Way(false, register, List.of(offset), type);
            case FRAME -> inFrame(offset, type);
            case FIXED -> fixed(offset, type);
            case CONSTANT -> new Way(true, Way.CONSTANT, List.of(offset), type);
            case PIECES, NONE -> Way.NOWHERE;
        };
    }

    /** Returns whether the stack pointer stays where it is from the entry of the function on. */
    private boolean hasNoFrame() {
        FrameRules.Rule first = elf.frame(address);
        long end = address + elf.function(address).size();
        for (long at = address; at < end; at++) {
            if (first == null || !first.equals(elf.frame(at))) {
                return false;
            }
        }
        return true;
    }

    /** Returns what lies so many bytes behind the canonical frame address. */
    private Way inFrame(long offset, Type type) {
        FrameRules.Rule rule = entry && offset < 0 ? null : elf.frame(address);
        int register = rule == null
                ? -1
                : rule.register() == FrameRules.RSP
                        ? RSP
                        : rule.register() == FrameRules.RBP ? RBP : -1;
        return register < 0
                ? Way.NOWHERE
                : new Way(false, register, List.of(rule.offset() + offset), type);
    }
}

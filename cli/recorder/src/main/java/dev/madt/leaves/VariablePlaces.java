package dev.madt.leaves;

import dev.madt.resolver.ElfModule;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.dwarf.FrameRules;
import dev.madt.resolver.local.Computed;
import dev.madt.resolver.local.Given;
import dev.madt.resolver.local.Local;
import dev.madt.resolver.local.Signature;
import dev.madt.resolver.type.ArrayType;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.Type;
import dev.madt.trace.event.Argument;
import dev.madt.trace.instrument.FormulaStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Says where parameters and local variables are at an instruction. Where a function is entered it
 * has no frame yet: its parameters are where the ABI of C has them, and of other variables only
 * what lies in front of the frame is there.
 */
final class VariablePlaces {
    /** General registers, as instructions number them, by their DWARF numbers. */
    private static final int[] BY_DWARF = {0, 2, 1, 3, 6, 7, 5, 4};

    /** Registers that calls keep, by their DWARF numbers: rbx, rbp, r12 to r15. */
    private static final Set<Integer> KEPT = Set.of(3, 6, 12, 13, 14, 15);

    private static final int XMM0 = 17;
    private static final int VECTORS = 16;
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

    /** Returns what lies so far behind the thread's copy of the module's storage. */
    Way inThread(long offset, Type type) {
        Long distance = elf.threadDistance();
        return distance == null
                ? Way.NOWHERE
                : new Way(false, Way.THREAD, List.of(distance + offset), type);
    }

    /**
     * Returns where the caller has put a parameter; null: that is not in registers, or not known.
     */
    private Way passed(Local local) {
        Type type = local.type();
        if (isWhole(type) && !isInFrame(local)) {
            return null; // only its place tells which parts of it are passed
        }
        Signature signature = signature();
        for (int i = 0; signature != null && i < signature.arguments().size(); i++) {
            if (signature.arguments().get(i).name().equals(local.name())) {
                return passed(type, signature.registers().get(i));
            }
        }
        return null;
    }

    /**
     * Returns what the function is given and returns; null if that is not known: a clone may take
     * other arguments than the function that its debug information is of.
     */
    Signature signature() {
        return debug == null || elf.isClone(address) ? null : debug.signature(address);
    }

    private static Way passed(Type type, List<Integer> registers) {
        if (!registers.isEmpty() && registers.get(0) >= Signature.ADDRESS) {
            int register = registers.get(0) - Signature.ADDRESS;
            return new Way(false, register, List.of(0L), type);
        }
        List<Way.Part> parts = new ArrayList<>();
        for (int i = 0; i < registers.size(); i++) {
            int vector = registers.get(i) - Argument.VECTOR;
            int register = vector < 0 ? registers.get(i) : Way.VECTOR + vector;
            Way way = new Way(true, register, List.of(), type);
            parts.add(new Way.Part((long) Long.BYTES * i, Long.BYTES, way));
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
        Type type = local.type();
        if (local.base() == Local.Base.PIECES) {
            List<Way.Part> parts = new ArrayList<>();
            for (Local.Piece piece : local.pieces()) {
                Way way = place(piece, type);
                if (way != Way.NOWHERE) {
                    parts.add(new Way.Part(piece.start(), piece.size(), way));
                }
            }
            return Way.inParts(parts, type);
        }
        if (local.base() == Local.Base.POINTER) {
            Way target = place(local.target());
            boolean far = target == Way.NOWHERE || local.offset() != 0;
            return far ? Way.NOWHERE : Way.pointerTo(target, type);
        }
        Way way = local.base() == Local.Base.COMPUTED
                ? computed(local.computation(), local.computed(), local.framed(), type)
                : place(local.base(), local.register(), local.offset(), local.framed(), type);
        return local.indirect()
                ? way.loaded(0, type)
                : local.computed() && !way.isComputed() ? way.asValue() : way;
    }

    private Way place(Local.Piece piece, Type type) {
        if (piece.base() == Local.Base.COMPUTED) {
            return computed(piece.computation(), piece.computed(), piece.framed(), type);
        }
        Way way = place(piece.base(), piece.register(), piece.offset(), piece.framed(), type);
        return piece.computed() ? way.asValue() : way;
    }

    /** Returns what has a value that is computed, or lies at such an address. */
    private Way computed(Computed computation, boolean value, boolean framed, Type type) {
        if (entry && framed) {
            return Way.NOWHERE;
        }
        if (value) {
            return Way.of(computation, type);
        }
        Way place = at(computation);
        return place == Way.NOWHERE ? place : new Way(false, place.base(), place.distances(), type);
    }

    /** Returns what lies at an address that takes loads and sums alone; or nowhere. */
    Way at(Computed address) {
        if (address instanceof Computed.Register register) {
            int number = register(register.dwarf());
            return number < 0 || number >= Way.FIXED
                    ? Way.NOWHERE
                    : new Way(false, number, List.of(0L), Type.UNKNOWN);
        }
        if (address instanceof Computed.Frame) {
            return inFrame(0, Type.UNKNOWN);
        }
        if (address instanceof Computed.ThreadLocal local) {
            return inThread(local.offset(), Type.UNKNOWN);
        }
        if (address instanceof Computed.Fixed fixed) {
            return fixed(fixed.address(), Type.UNKNOWN);
        }
        if (address instanceof Computed.Binary sum
                && sum.step() == FormulaStep.ADD
                && sum.right() instanceof Computed.Number number) {
            Way from = at(sum.left());
            return from == Way.NOWHERE ? from : from.moved(number.value(), Type.UNKNOWN);
        }
        if (address instanceof Computed.Memory memory && memory.bytes() == Long.BYTES) {
            Way from = at(memory.address());
            return from == Way.NOWHERE ? from : from.loaded(0, Type.UNKNOWN);
        }
        return Way.NOWHERE;
    }

    long address() {
        return address;
    }

    /** Returns whether the function is entered at the instruction. */
    boolean isEntry() {
        return entry;
    }

    /**
     * Returns what callers have given to the function in a register, in its own terms: what calls
     * keep is still in registers, or where the function has saved it.
     */
    List<Given> given(int register) {
        List<Given> all = new ArrayList<>();
        if (!elf.savesPlainly(address)) {
            return all;
        }
        Map<Integer, Long> saved = elf.saved(address);
        for (Given given : debug.callSites().given(address, register)) {
            Computed value = given.value().with(part -> ofCaller(part, given.after() - 1, saved));
            if (value != null) {
                all.add(new Given(given.after(), value));
            }
        }
        return all;
    }

    /** Returns null for what is lost by now. */
    private Computed ofCaller(Computed part, long call, Map<Integer, Long> saved) {
        if (part instanceof Computed.Register register) {
            int number = register.dwarf();
            Long offset = saved.get(number);
            return number == FrameRules.RSP
                    ? new Computed.Frame()
                    : !KEPT.contains(number)
                            ? null
                            : offset == null
                                    ? part
                                    : new Computed.Memory(
                                            new Computed.Frame().plus(offset), Long.BYTES);
        }
        if (part instanceof Computed.Frame) {
            FrameRules.Rule rule = elf.frame(call);
            Computed from = rule == null ? null : new Computed.Register(rule.register());
            Computed known = from == null ? null : ofCaller(from, call, saved);
            return known == null ? null : known.plus(rule.offset());
        }
        return part instanceof Computed.Entry ? null : part;
    }

    /** Returns the number of a register; -1: it is none of those that are recorded. */
    static int register(int dwarf) {
        boolean vector = dwarf >= XMM0 && dwarf < XMM0 + VECTORS;
        return dwarf < 0
                ? -1
                : dwarf < BY_DWARF.length
                        ? BY_DWARF[dwarf]
                        : dwarf < VECTORS ? dwarf : vector ? Way.VECTOR + dwarf - XMM0 : -1;
    }

    private Way place(Local.Base base, int dwarf, long offset, boolean framed, Type type) {
        int register = register(dwarf);
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
                register < 0 || register >= Way.VECTOR
                        ? Way.NOWHERE
                        : new Way(false, register, List.of(offset), type);
            case FRAME -> inFrame(offset, type);
            case FIXED -> fixed(offset, type);
            case CONSTANT -> new Way(true, Way.CONSTANT, List.of(offset), type);
            case PIECES, COMPUTED, POINTER, NONE -> Way.NOWHERE;
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

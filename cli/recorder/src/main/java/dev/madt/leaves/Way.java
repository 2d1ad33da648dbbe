package dev.madt.leaves;

import dev.madt.resolver.local.Computed;
import dev.madt.resolver.type.ArrayType;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.Type;
import dev.madt.trace.layout.SharedLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Something on the way to a value: in a register, in memory behind some loads, or in several of
 * these.
 *
 * @param inRegister whether its value is in the register itself
 * @param base the register
 * @param distances of each load and of the place behind them
 * @param type null if it is unknown
 * @param bits the bit-field that it is, in memory; else null
 * @param parts of a struct or array that is in several places; else empty
 * @param shift bits of the register in front of its own
 * @param computed its value, or its address in memory, for {@link #COMPUTED}; else null
 * @param target where that is, perhaps in no memory, what it points to; null: it is in memory
 */
record Way(
        boolean inRegister,
        int base,
        List<Long> distances,
        Type type,
        RecordType.Field bits,
        List<Part> parts,
        int shift,
        Computed computed,
        Way target) {
    /** Stands for what is in no place. */
    static final Way NOWHERE = new Way(true, -1, List.of(), null);

    /** {@code MADT_REGISTER_RIP}: a displacement is an ELF virtual address. */
    static final int FIXED = 16;
    /** The value is the distance itself. */
    static final int CONSTANT = 17;
    /** The value is computed, or the address. */
    static final int COMPUTED = 18;
    /** {@code MADT_REGISTER_FS}: the first distance counts from the thread pointer. */
    static final int THREAD = SharedLayout.REGISTER_FS;
    /** The first of 16 vector registers. */
    static final int VECTOR = 32;

    /** Bytes of a variable, from one on, and where they are. */
    record Part(long start, long size, Way way) {}

    Way(boolean inRegister, int base, List<Long> distances, Type type) {
        this(inRegister, base, distances, type, null, List.of(), 0, null, null);
    }

    /** Returns one whose value is computed. */
    static Way of(Computed computed, Type type) {
        return new Way(true, COMPUTED, List.of(), type, null, List.of(), 0, computed, null);
    }

    /** Returns what lies in memory at an address that is computed. */
    private static Way far(Computed address, Type type) {
        return new Way(false, COMPUTED, List.of(), type, null, List.of(), 0, address, null);
    }

    /** Returns a pointer that is nowhere. */
    static Way pointerTo(Way target, Type type) {
        return target == NOWHERE
                ? NOWHERE
                : new Way(true, NOWHERE.base, List.of(), type, null, List.of(), 0, null, target);
    }

    static Way inParts(List<Part> parts, Type type) {
        return parts.isEmpty()
                ? NOWHERE
                : new Way(true, NOWHERE.base, List.of(), type, null, parts, 0, null, null);
    }

    /** Returns it where members have places: what a register holds is one part. */
    private List<Part> inParts() {
        return inRegister && parts.isEmpty() && this != NOWHERE
                ? List.of(new Part(0, Long.BYTES, this))
                : parts;
    }

    /** Returns a bit-field of it. */
    Way cut(RecordType.Field field) {
        Way there = moved(field.offset(), field.type());
        return there.inRegister
                ? NOWHERE
                : new Way(
                        false,
                        there.base,
                        there.distances,
                        field.type(),
                        field,
                        List.of(),
                        0,
                        there.computed,
                        null);
    }

    /** Returns what lies so many bytes behind its beginning. */
    Way moved(long distance, Type to) {
        if (inRegister) {
            return part(distance, to);
        }
        if (isComputed()) {
            return far(computed.plus(distance), to);
        }
        List<Long> all = new ArrayList<>(distances);
        all.set(all.size() - 1, all.get(all.size() - 1) + distance);
        return new Way(false, base, all, to);
    }

    private Way part(long distance, Type to) {
        boolean whole = to.bare() instanceof RecordType || to.bare() instanceof ArrayType;
        List<Part> moved = new ArrayList<>();
        for (Part part : inParts()) {
            long start = part.start - distance;
            if (whole) {
                moved.add(new Part(start, part.size, part.way));
            } else if (start <= 0 && start + part.size >= to.size()) {
                return part.way.inRegister
                        ? part.way.shifted(Byte.SIZE * (int) -start, to)
                        : part.way.moved(-start, to);
            }
        }
        return inParts(moved, to);
    }

    private Way shifted(int bits, Type to) {
        return new Way(true, base, distances, to, null, List.of(), shift + bits, computed, target);
    }

    /** Returns it as something of another type. */
    private Way as(Type to) {
        return this == NOWHERE
                ? this
                : new Way(inRegister, base, distances, to, bits, parts, shift, computed, target);
    }

    /** Returns it with a register or a load in front: FS may be taken for loads alone. */
    Way based() {
        return base == THREAD && !inRegister && loads() == 0
                ? new Way(false, base, List.of(0L, sum()), type)
                : this;
    }

    /** Returns what has its address as its value. */
    Way asValue() {
        return this == NOWHERE || base == THREAD ? NOWHERE : new Way(true, base, distances, type);
    }

    /** Returns what it points to. */
    Way loaded(long distance, Type to) {
        if (target != null) {
            return target.as(to).moved(distance, to);
        }
        boolean apart = inRegister && base >= CONSTANT && (base != COMPUTED || shift > 0);
        if (!parts.isEmpty() || this == NOWHERE || apart) {
            return NOWHERE;
        }
        if (isComputed()) {
            Computed pointer = inRegister ? computed : new Computed.Memory(computed, Long.BYTES);
            return far(pointer.plus(distance), to);
        }
        if (inRegister) {
            return new Way(false, base, List.of(sum() + distance), to);
        }
        List<Long> all = new ArrayList<>(distances);
        all.add(distance);
        return new Way(false, base, all, to);
    }

    boolean isComputed() {
        return base == COMPUTED;
    }

    /** Returns whether it has no value of its own, but may point to something that has. */
    boolean hasNoValue() {
        return target != null;
    }

    boolean isConstant() {
        return base == CONSTANT;
    }

    int loads() {
        return distances.size() - 1;
    }

    /** Returns what is added to a register. */
    long sum() {
        return distances.isEmpty() ? 0 : distances.get(0);
    }
}

package dev.madt.leaves;

import dev.madt.resolver.type.ArrayType;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.Type;
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
 */
record Way(
        boolean inRegister,
        int base,
        List<Long> distances,
        Type type,
        RecordType.Field bits,
        List<Part> parts,
        int shift) {
    /** Stands for what is in no place. */
    static final Way NOWHERE = new Way(true, -1, List.of(), null);

    /** {@code MADT_REGISTER_RIP}: a displacement is an ELF virtual address. */
    static final int FIXED = 16;
    /** The value is the distance itself. */
    static final int CONSTANT = 17;

    /** Bytes of a variable, from one on, and where they are. */
    record Part(long start, long size, Way way) {}

    Way(boolean inRegister, int base, List<Long> distances, Type type) {
        this(inRegister, base, distances, type, null, List.of(), 0);
    }

    static Way inParts(List<Part> parts, Type type) {
        return parts.isEmpty()
                ? NOWHERE
                : new Way(true, NOWHERE.base, List.of(), type, null, parts, 0);
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
                : new Way(false, there.base, there.distances, field.type(), field, List.of(), 0);
    }

    /** Returns what lies so many bytes behind its beginning. */
    Way moved(long distance, Type to) {
        if (inRegister) {
            return part(distance, to);
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
        return new Way(true, base, distances, to, null, List.of(), bits);
    }

    /** Returns what has its address as its value. */
    Way asValue() {
        return this == NOWHERE ? this : new Way(true, base, distances, type);
    }

    /** Returns what it points to. */
    Way loaded(long distance, Type to) {
        if (!parts.isEmpty() || this == NOWHERE) {
            return NOWHERE;
        }
        if (inRegister) {
            return new Way(false, base, List.of(sum() + distance), to);
        }
        List<Long> all = new ArrayList<>(distances);
        all.add(distance);
        return new Way(false, base, all, to);
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

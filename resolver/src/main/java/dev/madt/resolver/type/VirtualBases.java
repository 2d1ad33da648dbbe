package dev.madt.resolver.type;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Collects the virtual bases of a class, which lie behind its other parts in an object of just this
 * class (Itanium C++ ABI, section 2.4), and elsewhere where the class is itself a base. Debug
 * information does not tell their places: one alone is placed where the ABI has it, if the size of
 * the class agrees.
 */
public final class VirtualBases {
    private static final int WIDEST = 16;
    private static final int DEEPEST = 100;

    private final Set<Type> found = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean unplaced;

    /** Adds a virtual base, and the virtual bases of it. */
    public void add(Type base) {
        found.add(base);
        inherit(base);
    }

    /** The part of an object that a base class is, without virtual bases; adds these. */
    public Type inherit(Type base) {
        if (!(base.bare() instanceof RecordType record) || record.virtual().isEmpty()) {
            return base;
        }
        for (RecordType.Field field : record.virtual()) {
            found.add(field.type());
            unplaced |= field.name().isEmpty();
        }
        return new RecordType(
                record.kind(), record.name(), end(record, 0), record.fields(), record.notation());
    }

    /**
     * The virtual bases as parts of a class: the one, or an empty part without a name where they
     * begin; none if there are none.
     *
     * @param own other parts of the class
     * @param size bytes of the class
     */
    public List<RecordType.Field> behind(List<RecordType.Field> own, long size) {
        if (found.isEmpty()) {
            return List.of();
        }
        RecordType parts = new RecordType(RecordType.Kind.STRUCT, "", 0, List.copyOf(own));
        long last = own.stream()
                .filter(field -> !field.base() || end(field.type(), 0) > 0)
                .mapToLong(field -> field.offset() + field.size())
                .max()
                .orElse(0);
        if (found.size() == 1
                && !unplaced
                && found.iterator().next() instanceof RecordType base
                && end(base, 0) > 0) {
            long place = up(last, alignment(base, 0));
            long all = up(place + end(base, 0), Math.max(alignment(base, 0), alignment(parts, 0)));
            if (place == up(end(parts, 0), alignment(base, 0)) && all == size) {
                return List.of(new RecordType.Field(base.name(), base, place, 0, 0, true));
            }
        }
        Type none = new RecordType(RecordType.Kind.STRUCT, "", 0, List.of());
        return List.of(new RecordType.Field("", none, last, 0, 0, true));
    }

    private static long up(long offset, long alignment) {
        return (offset + alignment - 1) / alignment * alignment;
    }

    /** Returns where the members of a class end, of which others may use what is left. */
    private static long end(Type type, int depth) {
        if (!(type.bare() instanceof RecordType record) || depth > DEEPEST) {
            return type.size();
        }
        long end = 0;
        for (RecordType.Field field : record.fields()) {
            long size = field.base() ? end(field.type(), depth + 1) : field.size();
            end = Math.max(end, size == 0 ? 0 : field.offset() + size);
        }
        return end;
    }

    /** The alignment that a type has if the source asks for no other. */
    private static long alignment(Type type, int depth) {
        Type bare = type.bare();
        if (depth > DEEPEST) {
            return 1;
        }
        if (bare instanceof ArrayType array) {
            return alignment(array.element(), depth + 1);
        }
        if (bare instanceof RecordType record) {
            long most = 1;
            for (RecordType.Field field : record.parts()) {
                most = Math.max(most, alignment(field.type(), depth + 1));
            }
            return most;
        }
        return bare instanceof PointerType
                ? Long.BYTES
                : Math.max(1, Math.min(bare.size(), WIDEST));
    }
}

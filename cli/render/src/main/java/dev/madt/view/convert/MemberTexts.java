package dev.madt.view.convert;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.resolver.line.Members;
import dev.madt.view.DataObject;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * The names of members in the form that a view needs, made once for each place in a variable or in
 * the blocks of one call and size. A bounded number is kept.
 */
public final class MemberTexts<T> {
    private static final int MOST_SHAPES = 1 << 14;
    private static final int MOST_PLACES = 1 << 16;
    private static final int SIZES = 7;

    /** Blocks whose members are the same. */
    private record Shape(long code, long size) {}

    /** The members of one variable, or of blocks that share them. */
    public static final class Texts<T> {
        private final Members members;
        private final Function<String, T> written;
        private final T none;
        private final LongObjectHashMap<T> known = new LongObjectHashMap<>();

        private Texts(Members members, Function<String, T> written, T none) {
            this.members = members;
            this.written = written;
            this.none = none;
        }

        /**
         * The member at an offset of which so many bytes are accessed; what there is for none for
         * the whole, or if it is not known.
         */
        public T at(long offset, long size) {
            if (members == null || offset < 0) {
                return none;
            }
            if (size >>> SIZES != 0 || offset >>> Long.SIZE - SIZES - 1 != 0) {
                return make(offset, size);
            }
            long key = offset << SIZES | size;
            T text = known.get(key);
            if (text == null) {
                text = make(offset, size);
                if (known.size() == MOST_PLACES) {
                    known.clear();
                }
                known.put(key, text);
            }
            return text;
        }

        private T make(long offset, long size) {
            String path = members.path(offset, size, Members.ALL_INDICES);
            return path.isEmpty() ? none : written.apply(path.replaceFirst("^(->|[.%])", ""));
        }
    }

    private final MemberTypes types;
    private final Function<String, T> written;
    private final T none;
    private final Texts<T> unknown;
    private final Map<Shape, Texts<T>> blocks = new HashMap<>();

    /**
     * @param written how the path of a member is written
     * @param none what stands for no member
     */
    public MemberTexts(MemberTypes types, Function<String, T> written, T none) {
        this.types = types;
        this.written = written;
        this.none = none;
        this.unknown = new Texts<>(null, written, none);
    }

    /** Returns the members of a data object. */
    public Texts<T> of(DataObject object) {
        return switch (object.kind()) {
            case REGION -> unknown;
            case VARIABLE -> of(types.ofVariable(object.start()));
            case LOCAL -> of(types.ofNumber(object.local().type()));
            case BLOCK -> ofBlock(object);
        };
    }

    private Texts<T> of(Members members) {
        return members == null ? unknown : new Texts<>(members, written, none);
    }

    private Texts<T> ofBlock(DataObject object) {
        if (object.isOfGo()) {
            return unknown;
        }
        if (blocks.size() == MOST_SHAPES) {
            blocks.clear();
        }
        return blocks.computeIfAbsent(
                new Shape(object.typeCode(), object.block().size()),
                absent -> of(types.ofBlock(object.typeCode(), object.block().size())));
    }
}

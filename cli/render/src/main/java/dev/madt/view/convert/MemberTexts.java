package dev.madt.view.convert;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.resolver.line.Members;
import dev.madt.view.DataObject;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * The names of members as they are written, made once for each place in a variable or in the blocks
 * of one call and size. A bounded number is kept.
 */
final class MemberTexts {
    private static final int MOST_SHAPES = 1 << 14;
    private static final int MOST_PLACES = 1 << 16;
    private static final int SIZES = 7;
    private static final byte[] NONE = {};

    /** Blocks whose members are the same. */
    private record Shape(long code, long size) {}

    /** The members of one variable, or of blocks that share them. */
    static final class Texts {
        private final Members members;
        private final Function<String, byte[]> written;
        private final LongObjectHashMap<byte[]> known = new LongObjectHashMap<>();

        private Texts(Members members, Function<String, byte[]> written) {
            this.members = members;
            this.written = written;
        }

        /**
         * The member at an offset of which so many bytes are accessed; empty for the whole, or if
         * it is not known.
         */
        byte[] at(long offset, long size) {
            if (members == null || offset < 0) {
                return NONE;
            }
            if (size >>> SIZES != 0 || offset >>> Long.SIZE - SIZES - 1 != 0) {
                return make(offset, size);
            }
            long key = offset << SIZES | size;
            byte[] text = known.get(key);
            if (text == null) {
                text = make(offset, size);
                if (known.size() == MOST_PLACES) {
                    known.clear();
                }
                known.put(key, text);
            }
            return text;
        }

        private byte[] make(long offset, long size) {
            String path = members.path(offset, size, Members.ALL_INDICES);
            return path.isEmpty() ? NONE : written.apply(path.replaceFirst("^(->|[.%])", ""));
        }
    }

    private final MemberTypes types;
    private final Function<String, byte[]> written;
    private final Texts unknown;
    private final Map<Shape, Texts> blocks = new HashMap<>();

    /** @param written how the path of a member is written */
    MemberTexts(MemberTypes types, Function<String, byte[]> written) {
        this.types = types;
        this.written = written;
        this.unknown = new Texts(null, written);
    }

    Texts of(DataObject object) {
        return switch (object.kind()) {
            case REGION -> unknown;
            case VARIABLE -> of(types.ofVariable(object.start()));
            case LOCAL -> of(types.ofNumber(object.local().type()));
            case BLOCK -> ofBlock(object);
        };
    }

    private Texts of(Members members) {
        return members == null ? unknown : new Texts(members, written);
    }

    private Texts ofBlock(DataObject object) {
        if (blocks.size() == MOST_SHAPES) {
            blocks.clear();
        }
        return blocks.computeIfAbsent(
                new Shape(object.typeCode(), object.block().size()),
                absent -> of(types.ofBlock(object.typeCode(), object.block().size())));
    }
}

package dev.madt.resolver.line;

import dev.madt.resolver.type.Type;
import dev.madt.resolver.type.TypeTable;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.FrameVariable;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Holds what a trace knows of the types of variables and, as a guess from the source line of their
 * allocation, of blocks.
 */
public final class MemberTypes {
    private final TypeTable types = new TypeTable();
    private final LongIntHashMap variables = new LongIntHashMap();
    private final LongObjectHashMap<Type> blocks = new LongObjectHashMap<>();
    private boolean locals;

    /** Takes what a trace says of types; other definitions change nothing here. */
    public void define(Definition definition) {
        if (definition instanceof Definition.Type it) {
            types.add(it.type());
        } else if (definition instanceof Definition.InFrame it) {
            locals |= it.variable().type() != FrameVariable.NO_TYPE;
        } else if (definition instanceof Definition.VariableType it) {
            variables.put(it.address(), it.type());
        } else if (definition instanceof Definition.BlockType it) {
            blocks.put(it.code(), types.get(it.type()));
        } else if (definition instanceof Definition.SymbolsForgotten range) {
            forget(range.start(), range.end());
        }
    }

    /** Forgets the variables that begin inside a range. */
    private void forget(long start, long end) {
        for (long address : variables.keySet().toArray()) {
            if (Long.compareUnsigned(address - start, end - start) < 0) {
                variables.remove(address);
            }
        }
    }

    /** Returns whether nothing is known. */
    public boolean isEmpty() {
        return variables.isEmpty() && blocks.isEmpty() && !locals;
    }

    /**
     * The name of the type of the variable that begins at an address; null if it is not known, or
     * has none.
     */
    public String nameOfVariable(long address) {
        int number = variables.getIfAbsent(address, -1);
        return number < 0 ? null : named(types.get(number));
    }

    /**
     * The name of the type of which a call allocates values, by its code word; null if it is not
     * known, or has none.
     */
    public String nameOfBlocks(long code) {
        Type type = blocks.get(CodeWord.inside(code));
        return type == null ? null : named(type);
    }

    /**
     * The name of what a block of so many bytes holds whose allocator told its type, by the type's
     * address: of several values as an array, {@code [3]main.node}; null if it is not known.
     */
    public String nameOfTold(long address, long size) {
        long count = count(address, size);
        String name = nameOfBlocks(address);
        return name == null || count < 2 ? name : "[" + count + "]" + name;
    }

    /** The same of all such blocks that hold several values, or one: {@code []main.node}. */
    public String nameOfTold(long address, boolean several) {
        String name = nameOfBlocks(address);
        return name == null || !several ? name : "[]" + name;
    }

    /** Returns whether such a block holds several values. */
    public boolean holdsSeveral(long address, long size) {
        return count(address, size) > 1;
    }

    private long count(long address, long size) {
        Type type = blocks.get(address);
        return type == null || type.size() <= 0 ? 0 : size / type.size();
    }

    private static String named(Type type) {
        return type.name().isEmpty() || type.equals(Type.UNKNOWN) ? null : type.name();
    }

    /** The members of the variable that begins at an address; null if its type is not known. */
    public Members ofVariable(long address) {
        int number = variables.getIfAbsent(address, -1);
        return number < 0 ? null : Members.ofVariable(types.get(number));
    }

    /** The members of a variable of a type, by its number; null if that is not known. */
    public Members ofNumber(int type) {
        return type < 0 ? null : Members.ofVariable(types.get(type));
    }

    /** The name of a type, by its number; null if it is not known, or has none. */
    public String nameOf(int type) {
        return type < 0 ? null : named(types.get(type));
    }

    /** The members of a block; null if it is not known what it holds. */
    public Members ofBlock(Block block) {
        return ofBlock(block.code(), block.size());
    }

    /**
     * The members of a block of so many bytes that a call allocated, by its code word; null if it
     * is not known what it holds.
     */
    public Members ofBlock(long code, long size) {
        Type type = blocks.get(CodeWord.inside(code));
        return type == null ? null : Members.ofBlock(type, size);
    }
}

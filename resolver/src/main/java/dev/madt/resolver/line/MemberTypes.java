package dev.madt.resolver.line;

import dev.madt.resolver.type.Type;
import dev.madt.resolver.type.TypeTable;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.TypeRecord;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * What a trace knows of the types of variables and, as a guess from the source line of their
 * allocation, of blocks.
 */
public final class MemberTypes {
    private final TypeTable types = new TypeTable();
    private final LongIntHashMap variables = new LongIntHashMap();
    private final LongObjectHashMap<Type> blocks = new LongObjectHashMap<>();

    /** Adds the type with the next number. */
    public void type(TypeRecord type) {
        types.add(type);
    }

    /** The variable at an address has a type, by its number. */
    public void variable(long address, int type) {
        variables.put(address, type);
    }

    /** Blocks allocated by the call at an address hold values of a type, by its number. */
    public void blocks(long code, int type) {
        blocks.put(code, types.get(type));
    }

    /** Forgets the variables that begin inside a range. */
    public void forget(long start, long end) {
        for (long address : variables.keySet().toArray()) {
            if (Long.compareUnsigned(address - start, end - start) < 0) {
                variables.remove(address);
            }
        }
    }

    /** Whether nothing is known. */
    public boolean isEmpty() {
        return variables.isEmpty() && blocks.isEmpty();
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

    private static String named(Type type) {
        return type.name().isEmpty() || type.equals(Type.UNKNOWN) ? null : type.name();
    }

    /** The members of the variable that begins at an address; null if its type is not known. */
    public Members ofVariable(long address) {
        int number = variables.getIfAbsent(address, -1);
        return number < 0 ? null : Members.ofVariable(types.get(number));
    }

    /** The members of a block; null if it is not known what it holds. */
    public Members ofBlock(Block block) {
        Type type = blocks.get(CodeWord.inside(block.code()));
        return type == null || type.size() <= 0 ? null : Members.ofBlock(type, block.size());
    }
}

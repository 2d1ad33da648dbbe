package dev.madt.resolver;

import dev.madt.resolver.dwarf.FieldPath;
import dev.madt.resolver.dwarf.RecordType;
import dev.madt.resolver.dwarf.Type;
import dev.madt.resolver.dwarf.TypeTable;
import dev.madt.tracker.Block;
import dev.madt.tracker.TypeRecord;
import java.nio.charset.StandardCharsets;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Names of places inside variables and blocks by their members. What a block holds is a guess from the source line of its
 * allocation, and is marked with {@code ?}.
 */
final class FieldNames {
    private final TypeTable types = new TypeTable();
    private final LongIntHashMap variables = new LongIntHashMap();
    private final LongObjectHashMap<Type> blocks = new LongObjectHashMap<>();

    void type(TypeRecord type) {
        types.add(type);
    }

    void variable(long address, int type) {
        variables.put(address, type);
    }

    void blocks(long code, int type) {
        blocks.put(code, types.get(type));
    }

    /** Forgets the variables that begin inside a range. */
    void forget(long start, long end) {
        for (long address : variables.keySet().toArray()) {
            if (Long.compareUnsigned(address - start, end - start) < 0) {
                variables.remove(address);
            }
        }
    }

    /** Appends {@code variable.member}; false, with nothing appended, if its type is not known. */
    boolean append(LineBuffer line, AddressSpace.Symbol symbol, long address, long size) {
        int number = variables.getIfAbsent(symbol.address(), -1);
        if (number < 0) {
            return false;
        }
        line.text(symbol.name());
        line.text(bytes(FieldPath.of(types.get(number), address - symbol.address(), size)));
        return true;
    }

    /** Appends {@code <block>->member?} or {@code <block>[3].member?}; false if it is not known what the block holds. */
    boolean append(LineBuffer line, byte[] name, Block block, long address, long size) {
        Type type = blocks.get(CodeWord.inside(block.code()));
        long offset = address - block.address();
        if (type == null || type.size() <= 0 || offset < 0) {
            return false;
        }
        line.text(name);
        line.text(bytes(inBlock(type, block.size(), offset, size) + "?"));
        return true;
    }

    private static String inBlock(Type type, long blockSize, long offset, long size) {
        boolean open = type.bare() instanceof RecordType record && record.endsOpen();
        if (!open && blockSize >= 2 * type.size()) {
            return "[" + offset / type.size() + "]" + FieldPath.of(type, offset % type.size(), size);
        }
        String path = FieldPath.of(type, offset, size);
        return path.startsWith(".") ? "->" + path.substring(1) : "[0]" + path;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

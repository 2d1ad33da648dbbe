package dev.madt.resolver.line;

import dev.madt.trace.event.Block;
import java.nio.charset.StandardCharsets;

/** Appends the names of places inside variables and blocks by their members. */
final class FieldNames {
    private final MemberTypes types = new MemberTypes();

    MemberTypes types() {
        return types;
    }

    /** Appends {@code variable.member}; false, with nothing appended, if its type is not known. */
    boolean append(LineBuffer line, AddressSpace.Symbol symbol, long address, long size) {
        Members members = types.ofVariable(symbol.address());
        if (members == null) {
            return false;
        }
        line.text(symbol.name());
        line.text(bytes(members.path(address - symbol.address(), size, Members.ALL_INDICES)));
        return true;
    }

    /**
     * Appends {@code <block>->member?} or {@code <block>[3].member?}; false for the whole, or if it
     * is not known what it holds.
     */
    boolean append(LineBuffer line, byte[] name, Block block, long address, long size) {
        long offset = address - block.address();
        Members members = offset < 0 ? null : types.ofBlock(block);
        String path = members == null ? "" : members.path(offset, size, Members.ALL_INDICES);
        if (path.isEmpty()) {
            return false;
        }
        line.text(name);
        line.text(bytes(path));
        return true;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

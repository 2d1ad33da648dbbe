package dev.madt.view.report;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.resolver.line.Members;
import dev.madt.view.DataObject;

/** Says which members data have. */
public final class DataMembers {
    private DataMembers() {}

    /** Returns the members of data; null if their type is not known. */
    public static Members of(DataObject object, MemberTypes types) {
        return switch (object.kind()) {
            case VARIABLE -> types.ofVariable(object.start());
            case LOCAL -> types.ofNumber(object.local().type());
            case BLOCK ->
                object.isOfGo()
                        ? null
                        : types.ofBlock(object.typeCode(), object.block().size());
            case REGION -> null;
        };
    }

    /**
     * Returns what the place at an offset is called: with its member, or else the offset.
     *
     * @param name of the whole
     * @param indices elements of the longest array whose members have their indexes
     */
    public static String name(
            DataObject object, String name, long offset, MemberTypes types, long indices) {
        Members members = of(object, types);
        String path = members == null ? "" : members.path(offset, 1, indices);
        boolean plain = path.isEmpty() && (offset == 0 || members != null);
        return plain ? name : object.member(name, path.isEmpty() ? "+" + offset : path);
    }
}

package dev.madt.view.locks;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.resolver.line.Members;
import dev.madt.view.DataObject;
import dev.madt.view.Neighbours;
import dev.madt.view.report.DataMembers;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Names locks by the data that they lie in. */
public final class LockNames {
    /** Finds members of the lock types of the C and C++ libraries. */
    private static final Pattern INSIDE =
            Pattern.compile("(\\.|->)(__(data|size|align|mutex_base)|_M_(mutex|rwlock|impl)|%).*$");

    /** Finds the C library's loader, which is no module of a trace: its variables have no names. */
    private static final Pattern LOADER = Pattern.compile("\\[ld(-linux|64|\\.so|-\\d)[^]]*]");

    private static final String STACK = "[stack";
    private static final String LOADER_LOCK = "the loader's lock";

    private final MemberTypes types;
    /** Variables on stacks by the addresses of locks in them, which not each call tells. */
    private final Map<Long, DataObject> locals = new HashMap<>();

    private boolean onStacks;

    private final Map<DataObject, Map<Long, LockName>> known = new IdentityHashMap<>();

    /** @param types what is known of them; may become more while the trace is read */
    public LockNames(MemberTypes types) {
        this.types = types;
    }

    /**
     * Returns the name of a lock that a call of a thread is given.
     *
     * @param space null: nothing is known of what lies where
     * @param word the call's code word
     */
    public LockName of(Neighbours space, int thread, long word, long lock) {
        DataObject object = space == null ? null : space.given(thread, word, lock);
        if (object != null && object.kind() == DataObject.Kind.LOCAL) {
            locals.put(lock, object);
        } else if (object != null && object.kind() == DataObject.Kind.REGION) {
            object = locals.getOrDefault(lock, object);
            onStacks |=
                    object.kind() == DataObject.Kind.REGION && object.region().startsWith(STACK);
        }
        return of(object, lock);
    }

    /**
     * Returns the name of what lies at an address.
     *
     * @param object null: nothing is known of it
     */
    private LockName of(DataObject object, long address) {
        if (object == null) {
            String name = "0x" + Long.toHexString(address);
            return new LockName(name, name);
        }
        return known.computeIfAbsent(object, absent -> new HashMap<>())
                .computeIfAbsent(address - object.start(), offset -> name(object, offset));
    }

    /** Returns whether some lock lies on a stack, and nothing tells in which variable. */
    boolean areOnStacks() {
        return onStacks;
    }

    private LockName name(DataObject object, long offset) {
        if (LOADER.matcher(object.shownName()).matches()) {
            return new LockName(LOADER_LOCK + " +" + offset, LOADER_LOCK);
        }
        return new LockName(
                plain(DataMembers.name(
                        object, object.shownName(), offset, types, Members.ALL_INDICES)),
                plain(DataMembers.name(object, object.commonName(), offset, types, 0)));
    }

    /** Leaves out what a lock is made of. */
    public static String plain(String name) {
        return INSIDE.matcher(name).replaceFirst(name.endsWith("?") ? "?" : "");
    }
}

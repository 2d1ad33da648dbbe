package dev.madt.resolver.type;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names members of the C++ library of LLVM (libc++) as its users know them, and as those of the
 * library of GNU are named.
 */
public final class LlvmMembers {
    private static final String VALUE = "value";
    private static final String NAMESPACE = "std::__";
    private static final Pattern LEAF =
            Pattern.compile("(?:\\w+::)*__tuple_leaf<(\\d+).*", Pattern.DOTALL);
    private static final Pattern PAIR =
            Pattern.compile("(?:\\w+::)*__compressed_pair_elem<.*", Pattern.DOTALL);

    private LlvmMembers() {}

    /** Returns whether a member only lets the library look at the bytes of those beside it. */
    public static boolean isView(String member, Type type) {
        return member.equals("__lx") || member.equals("__r") && type.name().endsWith("::__raw");
    }

    /** Returns whether the name may be one of the library's own. */
    public static boolean isOne(String record, String member) {
        return member.startsWith("__")
                && (member.endsWith("_")
                        || member.length() == "__l".length()
                        || record.startsWith(NAMESPACE));
    }

    /** The name that a member is given; empty for one whose parts stand for it. */
    public static String of(String record, String member, Type type) {
        return switch (member) {
            case "__r_",
                    "__l",
                    "__s",
                    "__base_",
                    "__impl",
                    "__impl_",
                    "__data",
                    "__head",
                    "__tail",
                    "__cc",
                    "__cc_",
                    "__tree_",
                    "__table_",
                    "__pair1_",
                    "__f_" -> part(type, member);
            case "__value_" -> value(record, type);
            case "__val_", "__storage_" -> part(type, VALUE);
            case "__value" -> alternative(type);
            case "__engaged_" -> "has_value";
            case "__index" -> "index";
            case "__begin_" -> type.bare() instanceof PointerType ? "begin" : member;
            case "__end_" -> type.bare() instanceof PointerType ? "end" : member;
            case "__end_cap_" -> "end_of_storage";
            case "__cap_" -> type.bare() instanceof PointerType ? "end_of_storage" : "capacity";
            case "__pair3_", "__size_alloc_", "__size_" -> "size";
            case "__data_" -> type.bare() instanceof PointerType ? "data" : "text";
            case "__ptr_" -> "pointer";
            case "__cntrl_" -> "control";
            case "__shared_owners_" -> "use_count";
            case "__shared_weak_owners_" -> "weak_count";
            default -> member;
        };
    }

    /** A part of a pair that has the pair's name, an element of a tuple, or what a node holds. */
    private static String value(String record, Type type) {
        Matcher leaf = LEAF.matcher(record);
        if (leaf.matches()) {
            return "get<" + leaf.group(1) + ">";
        }
        return PAIR.matcher(record).matches() ? "" : part(type, VALUE);
    }

    /** Returns no name for a record, whose parts stand for it; for anything else this one. */
    public static String part(Type type, String otherwise) {
        return type.bare() instanceof RecordType ? "" : otherwise;
    }

    /** Names what a {@code variant} may hold, by its type. */
    public static String alternative(Type type) {
        String name = type.bare().name();
        return name.isEmpty() ? VALUE : name;
    }
}

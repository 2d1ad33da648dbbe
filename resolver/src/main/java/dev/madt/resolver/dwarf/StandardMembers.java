package dev.madt.resolver.dwarf;

import dev.madt.resolver.type.LlvmMembers;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.Type;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names members of the C++ library as its users know them; here those of GNU's. What nodes of maps
 * and lists, an {@code optional} or a control block keep for somebody is a buffer of bytes there:
 * it is given the type that the template's argument says. Names of parts that only hold other parts
 * are left out, as those of base classes are; {@code _M_} names without a word of users for them
 * stay.
 */
final class StandardMembers {
    private static final String VALUE = "value";
    private static final Pattern HEAD =
            Pattern.compile("(?:\\w+::)*_Head_base<(\\d+).*", Pattern.DOTALL);
    private static final int POINTER = 8;

    private StandardMembers() {}

    /** The entry of the type that a buffer has room for; null for what is no buffer. */
    static Die held(Die record) {
        return switch (base(record)) {
            case "__aligned_membuf", "__aligned_buffer", "_Uninitialized" -> argument(record);
            default -> null;
        };
    }

    /** The entry of what a {@code unique_ptr} without a state of its own points to; or null. */
    static Die pointed(Die record, long size) {
        return size == POINTER
                        && base(record).equals("unique_ptr")
                        && (hasMember(record, "_M_t") || hasMember(record, "__ptr_"))
                ? argument(record)
                : null;
    }

    /**
     * The entry of what the control block of {@code make_shared} keeps in a member, where that is a
     * buffer without a name of its own (libc++); or null.
     */
    static Die kept(Die record, Die member) {
        return "__storage_".equals(member.name()) && base(record).equals("__shared_ptr_emplace")
                ? argument(record)
                : null;
    }

    private static boolean hasMember(Die record, String name) {
        DieWalk walk = DieWalk.below(record);
        while (walk.next()) {
            if (walk.tag() == Tag.MEMBER && name.equals(walk.die().name())) {
                return true;
            }
            walk.skipChildren();
        }
        return false;
    }

    /** The type that is the first argument of a template; or null. */
    private static Die argument(Die record) {
        DieWalk walk = DieWalk.below(record);
        while (walk.next()) {
            if (walk.tag() == Tag.TEMPLATE_TYPE_PARAMETER) {
                return walk.die().type();
            }
            walk.skipChildren();
        }
        return null;
    }

    private static String base(Die record) {
        String name = record.name();
        return name == null ? "" : base(name);
    }

    /** The name of a type without arguments and namespaces. */
    private static String base(String name) {
        int end = name.indexOf('<');
        String plain = end < 0 ? name : name.substring(0, end);
        return plain.substring(plain.lastIndexOf(':') + 1);
    }

    /** The name that a member is given; empty for one whose parts stand for it. */
    static String of(RecordType record, RecordType.Field field) {
        String member = field.name();
        Type type = field.type();
        if (field.base()) {
            return member;
        }
        if (LlvmMembers.isOne(record.name(), member)) {
            return LlvmMembers.of(record.name(), member, type);
        }
        return member.startsWith("_M_") ? of(record.name(), member, type) : member;
    }

    private static String of(String record, String member, Type type) {
        return switch (member) {
            case "_M_impl", "_M_payload", "_M_u", "_M_rest", "_M_h", "_M_dataplus", "_M_refcount" ->
                LlvmMembers.part(type, member);
            case "_M_storage", "_M_value", "_M_t" -> LlvmMembers.part(type, VALUE);
            case "_M_first" ->
                base(record).equals("_Variadic_union") ? LlvmMembers.alternative(type) : member;
            case "_M_head_impl" -> head(record, member);
            case "_M_engaged" -> "has_value";
            case "_M_index" -> base(record).equals("_Variant_storage") ? "index" : member;
            case "_M_p" -> "data";
            case "_M_string_length" -> "size";
            case "_M_local_buf" -> "text";
            case "_M_allocated_capacity" -> "capacity";
            case "_M_start" -> "begin";
            case "_M_finish" -> "end";
            case "_M_end_of_storage" -> "end_of_storage";
            case "_M_ptr" -> "pointer";
            case "_M_pi" -> "control";
            case "_M_use_count" -> "use_count";
            case "_M_weak_count" -> "weak_count";
            default -> member;
        };
    }

    private static String head(String record, String otherwise) {
        Matcher head = HEAD.matcher(record);
        return head.matches() ? "get<" + head.group(1) + ">" : otherwise;
    }
}

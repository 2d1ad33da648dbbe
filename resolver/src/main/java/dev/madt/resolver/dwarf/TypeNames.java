package dev.madt.resolver.dwarf;

/** Names of types as declarations write them: {@code const struct node *}. */
final class TypeNames {
    private static final int DEEPEST = 16;

    private TypeNames() {}

    /** The name of a type's entry; {@code void} for null, empty for a record without a name. */
    static String of(Die die) {
        return of(die, 0);
    }

    private static String of(Die die, int depth) {
        if (die == null) {
            return "void";
        }
        if (depth > DEEPEST) {
            return "…";
        }
        return switch (die.tag()) {
            case Tag.POINTER_TYPE -> pointed(die, depth) + "*";
            case Tag.REFERENCE_TYPE -> pointed(die, depth) + "&";
            case Tag.RVALUE_REFERENCE_TYPE -> pointed(die, depth) + "&&";
            case Tag.PTR_TO_MEMBER_TYPE -> pointed(die, depth) + "::*";
            case Tag.CONST_TYPE -> "const " + of(die.type(), depth + 1);
            case Tag.VOLATILE_TYPE -> "volatile " + of(die.type(), depth + 1);
            case Tag.RESTRICT_TYPE -> of(die.type(), depth + 1) + " restrict";
            case Tag.ATOMIC_TYPE -> "_Atomic " + of(die.type(), depth + 1);
            case Tag.ARRAY_TYPE -> of(die.type(), depth + 1) + "[]";
            case Tag.SUBROUTINE_TYPE -> of(die.type(), depth + 1) + "()";
            case Tag.STRUCTURE_TYPE -> keyword(die, "struct ");
            case Tag.UNION_TYPE -> keyword(die, "union ");
            case Tag.ENUMERATION_TYPE -> keyword(die, "enum ");
            default -> bare(die);
        };
    }

    private static String pointed(Die die, int depth) {
        String target = of(die.type(), depth + 1);
        return target.endsWith("*") || target.endsWith("&") ? target : target + " ";
    }

    /** In C a tag stands behind its keyword. */
    private static String keyword(Die die, String keyword) {
        String name = bare(die);
        return name.isEmpty() || !isC(die.unit()) ? name : keyword + name;
    }

    private static boolean isC(Unit unit) {
        return switch ((int) unit.root().constant(Attribute.LANGUAGE, 0)) {
            case 0x01, 0x02, 0x0c, 0x1d, 0x2c -> true;
            default -> false;
        };
    }

    private static String bare(Die die) {
        String name = die.name();
        return name == null ? "" : name;
    }
}

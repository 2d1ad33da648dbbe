package dev.madt.resolver.dwarf;

import dev.madt.resolver.type.ArrayType;
import dev.madt.resolver.type.ScalarType;
import dev.madt.resolver.type.Type;
import dev.madt.resolver.type.TypePlaces;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Names of types as declarations write them: {@code const struct node *}, in Fortran
 * {@code type(node)}. A type without a name is called by its place: {@code struct {file.c:12}}.
 */
final class TypeNames {
    private static final int DEEPEST = 16;

    /** Stands between a package and what is in it; three such signs are followed by a note. */
    private static final Pattern ADA_SCOPE = Pattern.compile("(?<!_)__(?!_)");

    /** Says how gcc calls the type of a lambda. */
    static final String LAMBDA = "<lambda(";

    private final Function<Die, String> places;
    private final Function<Die, String> scopes;
    private final TypePlaces known;

    /**
     * @param places gives {@code file:line} of a declaration, {@link TypePlaces#UNKNOWN} if that is
     *     not known
     * @param scopes gives the name of what an entry is in, {@code a::b::}; empty for nothing
     * @param known tells types of one name apart
     */
    TypeNames(Function<Die, String> places, Function<Die, String> scopes, TypePlaces known) {
        this.places = places;
        this.scopes = scopes;
        this.known = known;
    }

    /** Names that say no place. */
    TypeNames() {
        this(die -> TypePlaces.UNKNOWN, die -> "", new TypePlaces());
    }

    /** The name of a type's entry; {@code void} for null. */
    String of(Die die) {
        return of(die, 0);
    }

    private String of(Die die, int depth) {
        if (die == null) {
            return "void";
        }
        if (depth > DEEPEST) {
            return "…";
        }
        return switch (die.tag()) {
            case Tag.POINTER_TYPE -> pointer(die, "*", depth);
            case Tag.REFERENCE_TYPE -> pointer(die, "&", depth);
            case Tag.RVALUE_REFERENCE_TYPE -> pointer(die, "&&", depth);
            case Tag.PTR_TO_MEMBER_TYPE -> pointer(die, "::*", depth);
            case Tag.CONST_TYPE, Tag.VOLATILE_TYPE, Tag.ATOMIC_TYPE -> qualified(die, depth);
            case Tag.RESTRICT_TYPE -> of(die.type(), depth + 1) + " restrict";
            case Tag.ARRAY_TYPE -> array(die, of(die.type(), depth + 1));
            case Tag.SUBROUTINE_TYPE -> of(die.type(), depth + 1) + "()";
            case Tag.STRUCTURE_TYPE -> record(die, "struct");
            case Tag.CLASS_TYPE -> record(die, "class");
            case Tag.UNION_TYPE -> record(die, "union");
            case Tag.ENUMERATION_TYPE -> record(die, "enum");
            case Tag.STRING_TYPE ->
                "character(len="
                        + (die.isConstant(Attribute.BYTE_SIZE)
                                ? die.constant(Attribute.BYTE_SIZE, 0)
                                : ":")
                        + ")";
            case Tag.TYPEDEF -> die.name() == null ? "" : told(scoped(die, die.name()), die);
            default ->
                die.name() == null
                        ? ""
                        : Language.isAda(die.unit()) ? scoped(die, die.name()) : die.name();
        };
    }

    /** An array whose elements have a name; without bounds if they cannot be read. */
    private static String array(Die die, String element) {
        Type array = TypeReader.array(die, new ScalarType(element, 1));
        return array instanceof ArrayType ? array.name() : element + "[]";
    }

    private String pointer(Die die, String mark, int depth) {
        Die target = die.type();
        if (target != null && target.tag() == Tag.SUBROUTINE_TYPE) {
            return of(target.type(), depth + 2) + " (" + mark + ")()";
        }
        if (target != null
                && target.tag() == Tag.ARRAY_TYPE
                && !Language.isFortran(target.unit())) {
            return array(target, of(target.type(), depth + 2) + " (" + mark + ")");
        }
        String name = of(target, depth + 1);
        return name + (name.endsWith("*") || name.endsWith("&") ? "" : " ") + mark;
    }

    /**
     * A qualified array is one of qualified elements, which compilers say besides; a word that the
     * elements have is not said again. A pointer's own words stand behind its star.
     */
    private String qualified(Die die, int depth) {
        List<String> words = new ArrayList<>();
        Die bare = unqualified(die, words);
        boolean array = bare != null && bare.tag() == Tag.ARRAY_TYPE;
        if (array) {
            List<String> said = new ArrayList<>();
            unqualified(bare.type(), said);
            words.removeAll(said);
        }
        String name = of(array ? bare.type() : bare, depth + 1);
        if (name.endsWith("*")) {
            return name + String.join(" ", words);
        }
        for (int i = words.size() - 1; i >= 0; i--) {
            name = words.get(i) + " " + name;
        }
        return array ? array(bare, name) : name;
    }

    /** The type behind qualifiers, whose words are added, the outermost first. */
    private static Die unqualified(Die die, List<String> words) {
        Die at = die;
        while (at != null && words.size() < DEEPEST) {
            String word =
                    switch (at.tag()) {
                        case Tag.CONST_TYPE -> "const";
                        case Tag.VOLATILE_TYPE -> "volatile";
                        case Tag.ATOMIC_TYPE -> "_Atomic";
                        default -> null;
                    };
            if (word == null) {
                return at;
            }
            words.add(word);
            at = at.type();
        }
        return at;
    }

    /** In C a tag stands behind its keyword; a lambda of C++ is called by its place. */
    private String record(Die die, String keyword) {
        String name = die.name();
        Die whole = die.defined();
        if (name == null && whole != null && whole.has(Attribute.NAME)) {
            return record(whole, keyword);
        }
        if (name == null || name.isEmpty()) {
            return keyword + " {" + places.apply(die) + "}";
        }
        if (name.startsWith(LAMBDA)) {
            return scoped(die, "{lambda at " + places.apply(die) + "}");
        }
        if (Language.isFortran(die.unit())) {
            return told("type(" + name + ")", die);
        }
        return told(Language.isC(die.unit()) ? keyword + " " + name : scoped(die, name), die);
    }

    private String told(String name, Die die) {
        return known.told(name, places.apply(die));
    }

    /**
     * The name with what it is in; C and Fortran have no names for that, and with GNAT it is part
     * of the name.
     */
    private String scoped(Die die, String name) {
        if (Language.isAda(die.unit())) {
            return ADA_SCOPE.matcher(name).replaceAll(".");
        }
        return Language.isC(die.unit()) || Language.isFortran(die.unit())
                ? name
                : scopes.apply(die) + name;
    }
}

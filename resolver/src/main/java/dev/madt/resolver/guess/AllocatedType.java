package dev.madt.resolver.guess;

import dev.madt.resolver.type.ArrayType;
import dev.madt.resolver.type.PointerType;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.Type;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says what an allocation seems to be for, by the call's source line: the type that stands behind
 * {@code new}; else the type that the variable or member points to which the result is assigned to,
 * or that the function returns a pointer to; else the type that {@code sizeof} is taken of. A
 * guess: it reads the line, not the code.
 */
public final class AllocatedType {
    private static final String TYPE =
            "(?<type>(?:(?:unsigned|signed|long|short)\\s+)*(?:\\w+::)*[A-Za-z_]\\w*)";
    private static final Pattern ASSIGNMENT =
            Pattern.compile("(?<stars>\\**)\\s*(?<base>[A-Za-z_]\\w*)"
                    + "(?<rest>(?:\\s*(?:->|\\.)\\s*[A-Za-z_]\\w*|"
                    + "\\s*\\[[^\\[\\]]*\\])*)\\s*=(?!=)\\s*(?<value>[^;=]*\\(|new\\b|"
                    + "[^;=]*\\bnew\\b)");
    private static final Pattern RETURN = Pattern.compile("\\breturn\\b[^;]*(\\(|\\bnew\\b)");
    private static final Pattern NEW = Pattern.compile(
            "\\bnew\\s+(?:\\([^()]*\\)\\s*)?(?:(?:\\w+::)*remove_extent_t<\\s*)?" + TYPE);
    private static final Pattern SIZEOF =
            Pattern.compile("\\bsizeof\\s*\\(\\s*(?:(?:struct|union)\\s+)?" + TYPE + "\\s*\\)");
    private static final Pattern STEP = Pattern.compile("(->|\\.)\\s*([A-Za-z_]\\w*)|\\[");
    private static final int DEEPEST = 8;

    private final Function<String, Type> locals;
    private final Function<String, Type> globals;
    private final Function<String, Type> types;
    private final Type returned;

    /**
     * @param locals finds the type of a local variable in scope at the call; null for one that
     *     there is not
     * @param globals finds the type of a global variable; null for one that it does not know
     * @param types finds a type by its name in the source; null for one that it does not know
     * @param returned what the function returns
     */
    public AllocatedType(
            Function<String, Type> locals,
            Function<String, Type> globals,
            Function<String, Type> types,
            Type returned) {
        this.locals = locals;
        this.globals = globals;
        this.types = types;
        this.returned = returned;
    }

    /** The type of what a statement allocates, or null if nothing can be said. */
    public Type guess(String statement) {
        Type made = named(NEW, statement);
        if (made != null || isOfTemplate(statement)) {
            return made;
        }
        Type pointer = pointer(statement);
        Type target = pointer == null ? null : target(pointer);
        return target == null || target.size() <= 0 ? named(SIZEOF, statement) : target;
    }

    /**
     * Returns whether a value of a template's type is made: what is assigned to may point to a base
     * of it.
     */
    private static boolean isOfTemplate(String statement) {
        Matcher matcher = NEW.matcher(statement);
        return matcher.find() && statement.startsWith("<", matcher.end());
    }

    /** The type that a pattern finds just one name of, or null. */
    private Type named(Pattern pattern, String statement) {
        Matcher matcher = pattern.matcher(statement);
        Type found = matcher.find() ? type(matcher.group("type")) : null;
        boolean open = found != null && found.size() <= 0;
        found = open && found.bare() instanceof ArrayType array ? array.element() : found;
        return found == null || found.size() <= 0 || matcher.find() ? null : found;
    }

    private Type type(String name) {
        return BasicTypes.names(name).stream()
                .map(types)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private Type pointer(String statement) {
        Matcher matcher = ASSIGNMENT.matcher(statement);
        if (matcher.find()) {
            Type type = steps(variable(matcher.group("base")), matcher.group("rest"));
            boolean dereferenced = statement.substring(0, matcher.start()).isBlank();
            for (int i = 0; dereferenced && i < matcher.group("stars").length(); i++) {
                type = type == null ? null : target(type);
            }
            boolean another = matcher.find();
            return another ? null : type;
        }
        return RETURN.matcher(statement).find() ? returned : null;
    }

    private Type variable(String name) {
        Type local = locals.apply(name);
        Type known = local == null ? globals.apply(name) : local;
        Type self = known == null ? locals.apply("this") : null;
        return self == null ? known : member(target(self), name, 0);
    }

    private static Type steps(Type from, String rest) {
        Type type = from;
        Matcher step = STEP.matcher(rest);
        while (type != null && step.find()) {
            if (step.group().equals("[")) {
                type = type.bare() instanceof ArrayType array ? array.element() : target(type);
            } else {
                type = member(step.group(1).equals("->") ? target(type) : type, step.group(2), 0);
            }
        }
        return type;
    }

    private static Type target(Type type) {
        return type.bare() instanceof PointerType pointer ? pointer.target() : null;
    }

    private static Type member(Type type, String name, int depth) {
        if (type == null || depth > DEEPEST || !(type.bare() instanceof RecordType record)) {
            return null;
        }
        for (RecordType.Field field : record.fields()) {
            Type found = field.isTransparent()
                    ? member(field.type(), name, depth + 1)
                    : field.name().equals(name) ? field.type() : null;
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}

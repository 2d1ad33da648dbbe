package dev.madt.resolver.dwarf;

/**
 * Says whether copying, moving or destroying a value of a class of C++ runs code of the class's:
 * then the address of the value is passed to functions instead (Itanium C++ ABI, section 3.1.1).
 */
final class CopyCode {
    private static final int BY_REFERENCE = 4; // DW_CC_pass_by_reference
    private static final int BY_VALUE = 5;
    private static final int IN_CLASS = 1; // DW_DEFAULTED_in_class
    private static final int DEEPEST = 32;

    private final Die type;
    private final String name;
    private boolean written;
    private boolean copied;
    private boolean deleted;

    private CopyCode(Die type) {
        this.type = type;
        String own = type.name() == null ? "" : type.name();
        int template = own.indexOf('<');
        this.name = template < 0 ? own : own.substring(0, template);
    }

    /** Returns whether it is so of a whole struct, class or union. */
    static boolean isIn(Die type) {
        return isIn(type, 0);
    }

    private static boolean isIn(Die type, int depth) {
        int convention = (int) type.constant(Attribute.CALLING_CONVENTION, 0);
        if (convention == BY_REFERENCE || convention == BY_VALUE) {
            return convention == BY_REFERENCE;
        }
        if (depth > DEEPEST) {
            throw new MalformedDwarfException(".debug_info", type.offset(), "nested too deep");
        }
        return new CopyCode(type).find(depth);
    }

    private boolean find(int depth) {
        DieWalk walk = DieWalk.below(type);
        while (walk.next() && !written) {
            switch (walk.tag()) {
                case Tag.SUBPROGRAM -> method(walk.die());
                case Tag.INHERITANCE, Tag.MEMBER -> part(walk.die(), depth);
                default -> {}
            }
            walk.skipChildren();
        }
        return written || deleted && !copied;
    }

    private void part(Die part, int depth) {
        written |= part.constant(Attribute.VIRTUALITY, 0) != 0;
        if (part.flag(Attribute.DECLARATION) || part.flag(Attribute.EXTERNAL)) {
            return; // static
        }
        Die of = Passing.bare(part.type());
        while (of != null && of.tag() == Tag.ARRAY_TYPE) {
            of = Passing.bare(of.type());
        }
        boolean record = of != null
                && (of.tag() == Tag.STRUCTURE_TYPE
                        || of.tag() == Tag.CLASS_TYPE
                        || of.tag() == Tag.UNION_TYPE);
        written |= record && isIn(of, depth + 1);
    }

    private void method(Die method) {
        String called = method.name() == null ? "" : method.name();
        written |= method.constant(Attribute.VIRTUALITY, 0) != 0;
        boolean own = !method.flag(Attribute.ARTIFICIAL)
                && method.constant(Attribute.DEFAULTED, 0) != IN_CLASS;
        if (called.startsWith("~")) {
            written |= own && !method.flag(Attribute.DELETED);
        } else if (called.equals(name) && copies(method)) {
            deleted |= method.flag(Attribute.DELETED);
            copied |= !method.flag(Attribute.DELETED);
            written |= own && !method.flag(Attribute.DELETED);
        }
    }

    /** Returns whether a constructor takes a reference to the class first. */
    private boolean copies(Die constructor) {
        DieWalk walk = DieWalk.below(constructor);
        while (walk.next()) {
            if (walk.tag() == Tag.FORMAL_PARAMETER && !walk.die().flag(Attribute.ARTIFICIAL)) {
                Die taken = walk.die().type();
                boolean reference = taken != null
                        && (taken.tag() == Tag.REFERENCE_TYPE
                                || taken.tag() == Tag.RVALUE_REFERENCE_TYPE);
                Die referred = reference ? Passing.bare(taken.type()) : null;
                return referred != null
                        && referred.offset() == type.offset()
                        && referred.unit().offset() == type.unit().offset();
            }
            walk.skipChildren();
        }
        return false;
    }
}

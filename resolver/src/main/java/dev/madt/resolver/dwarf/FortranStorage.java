package dev.madt.resolver.dwarf;

import dev.madt.resolver.local.Variable;
import dev.madt.resolver.type.Notation;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Storage of Fortran in which several variables lie, one behind the other in a common block and at
 * one place where an equivalence says so: its variables are members of one symbol. Units may give a
 * common block different variables; all of them count.
 */
final class FortranStorage {
    private record Seen(String name, long address, String type) {}

    private FortranStorage() {}

    /**
     * The variable itself if it is the only one of a symbol, else a record.
     *
     * @param found all that begin in the symbol's bytes
     */
    static Variable of(Variable first, List<Variables.Found> found, long size, TypeReader types) {
        Set<Seen> seen = new HashSet<>();
        List<RecordType.Field> fields = new ArrayList<>();
        boolean common = false;
        for (Variables.Found one : found) {
            String name = one.die().name();
            Type type = types.of(one.die().type());
            if (name != null && seen.add(new Seen(name, one.address(), type.name()))) {
                fields.add(new RecordType.Field(name, type, one.address() - first.start()));
            }
            common |= one.common();
        }
        if (fields.size() < 2 && !common) {
            return first;
        }
        Type record = new RecordType(
                RecordType.Kind.STRUCT, "", size, List.copyOf(fields), Notation.FORTRAN);
        return new Variable(first.name(), record, first.start());
    }
}

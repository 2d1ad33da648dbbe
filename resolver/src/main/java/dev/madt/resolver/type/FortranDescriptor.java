package dev.madt.resolver.type;

import java.util.List;

/**
 * Holds what lies at the address of an allocatable or pointer array of gfortran: not its elements
 * but a descriptor, which says where they are (libgfortran.h, {@code GFC_ARRAY_DESCRIPTOR}).
 *
 * <pre>
 *  0 base_addr | 8 offset | 16 dtype                                | 32 span | 40 dim[rank]
 *  0 base_addr | 8 offset | 16 dtype | 24 dim[rank]                    up to GCC 8
 *                                      dim: 0 stride | 8 lower_bound | 16 upper_bound
 * </pre>
 *
 * <p>Being a struct of the compiler, its parts are named as in C: {@code field.dim[1].stride}.
 */
public final class FortranDescriptor {
    private static final int WORD = 8;
    private static final int DIMENSION = 3 * WORD;
    private static final int OLD_BOUNDS = 24;
    private static final int BOUNDS = 40;
    private static final String DATA = "base_addr";
    private static final Type INDEX = new ScalarType("integer(kind=8)", WORD);
    private static final Type KIND = new RecordType(
            RecordType.Kind.STRUCT,
            "struct dtype_type",
            2 * WORD,
            List.of(
                    new RecordType.Field("elem_len", INDEX, 0),
                    new RecordType.Field("version", new ScalarType("integer(kind=4)", 4), 8),
                    new RecordType.Field("rank", new ScalarType("integer(kind=1)", 1), 12),
                    new RecordType.Field("type", new ScalarType("integer(kind=1)", 1), 13),
                    new RecordType.Field("attribute", new ScalarType("integer(kind=2)", 2), 14)));
    private static final Type BOUND = new RecordType(
            RecordType.Kind.STRUCT,
            "struct descriptor_dimension",
            DIMENSION,
            List.of(
                    new RecordType.Field("stride", INDEX, 0),
                    new RecordType.Field("lower_bound", INDEX, WORD),
                    new RecordType.Field("upper_bound", INDEX, 2 * WORD)));

    private FortranDescriptor() {}

    /**
     * The descriptor of an array; a type without a size if its layout is not known.
     *
     * @param bound where in it the first lower bound stands; -1 if that is not known
     */
    public static Type of(Type element, int rank, long bound) {
        String name = element.name() + "(:" + ",:".repeat(rank - 1) + ")";
        long bounds = bound - WORD;
        if (bounds != BOUNDS && bounds != OLD_BOUNDS) {
            return new ScalarType(name, 0);
        }
        boolean old = bounds == OLD_BOUNDS;
        Type data = new PointerType(element.name() + " *", WORD, () -> element);
        Type dimensions = new ArrayType(BOUND, rank, DIMENSION);
        RecordType.Field base = new RecordType.Field(DATA, data, 0);
        RecordType.Field offset = new RecordType.Field("offset", INDEX, WORD);
        RecordType.Field kind = new RecordType.Field("dtype", old ? INDEX : KIND, 2 * WORD);
        RecordType.Field span = new RecordType.Field("span", INDEX, 4 * WORD);
        RecordType.Field dim = new RecordType.Field("dim", dimensions, bounds);
        return new RecordType(
                RecordType.Kind.STRUCT,
                name,
                bounds + dimensions.size(),
                old ? List.of(base, offset, kind, dim) : List.of(base, offset, kind, span, dim));
    }

    /** The type of the elements that a descriptor tells the place of; null if it is none. */
    public static Type element(Type type) {
        return type.bare() instanceof RecordType record
                        && !record.fields().isEmpty()
                        && record.fields().get(0).name().equals(DATA)
                        && record.fields().get(0).type() instanceof PointerType data
                ? data.target()
                : null;
    }

    /** The number of dimensions that a descriptor describes. */
    public static int rank(Type type) {
        List<RecordType.Field> fields = ((RecordType) type.bare()).fields();
        return (int) ((ArrayType) fields.get(fields.size() - 1).type()).count();
    }
}

package dev.madt.resolver.type;

/** Says how a language writes places in a variable. */
public enum Notation {
    /** {@code table[3][1].soft}: indices from the slowest to the fastest. */
    C(".", "[]"),
    /** {@code table(1,3)%soft}: indices from the fastest to the slowest, as they lie in memory. */
    FORTRAN("%", "(:)");

    private final String member;
    private final String any;

    Notation(String member, String any) {
        this.member = member;
        this.any = any;
    }

    /** Returns what stands in front of a member's name. */
    public String member() {
        return member;
    }

    /** Returns what stands for the index of an element that is not told. */
    String any() {
        return any;
    }

    /** Returns what stands for the index of an element of an array of one dimension. */
    String index(long index) {
        return this == C ? "[" + index + "]" : "(" + index + ")";
    }
}

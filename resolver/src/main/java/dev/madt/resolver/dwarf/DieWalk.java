package dev.madt.resolver.dwarf;

/**
 * Walks entries depth first without reading what nobody asks for. It ends with the tree that it
 * began in, whatever the entries claim, since it only moves forward.
 */
final class DieWalk {
    private final Unit unit;
    private final Encoding encoding;
    private final AbbreviationTable abbreviations;
    private final SectionReader in;
    private Abbreviation current;
    private Die read;
    private int offset;
    private int depth;

    private DieWalk(Unit unit, int from, int depth) {
        this.unit = unit;
        this.encoding = unit.encoding();
        this.abbreviations = unit.abbreviations();
        this.in = new SectionReader(unit.bytes(), from);
        this.depth = depth;
    }

    /** All entries of a unit; the unit's own has depth 0. */
    static DieWalk of(Unit unit) {
        return new DieWalk(unit, unit.firstEntry(), 0);
    }

    /** The entries below one, whose children have depth 1. */
    static DieWalk below(Die die) {
        return new DieWalk(
                die.unit(), die.hasChildren() ? die.end() : die.unit().end(), 1);
    }

    /** Moves to the next entry; false at the end. */
    boolean next() {
        leave();
        while (in.hasMore()) {
            offset = in.position();
            long code = in.uleb();
            if (code != 0) {
                current = abbreviations.get(code);
                read = null;
                return true;
            }
            if (--depth <= 0) {
                in.seek(unit.end());
            }
        }
        return false;
    }

    /** Moves behind the current entry's attributes, if it has not been read. */
    private void leave() {
        if (current == null) {
            return;
        }
        if (read == null) {
            current.skip(encoding, in);
        }
        if (current.children) {
            depth++;
        } else if (depth == 0) {
            in.seek(unit.end());
        }
        current = null;
    }

    int depth() {
        return depth;
    }

    int tag() {
        return current.tag;
    }

    Abbreviation abbreviation() {
        return current;
    }

    int offset() {
        return offset;
    }

    /** The current entry. */
    Die die() {
        if (read == null) {
            read = new Die(unit, offset, current, in);
        }
        return read;
    }

    /**
     * Leaves out everything below the current entry: {@link #next} goes on with its next sibling.
     */
    void skipChildren() {
        if (!current.children) {
            return;
        }
        long sibling = current.has(Attribute.SIBLING) ? die().sibling() : -1;
        if (sibling > offset && sibling <= unit.end() && sibling >= die().end()) {
            in.seek(sibling);
            current = null;
            return;
        }
        int level = depth;
        leave();
        skipTo(level);
    }

    /** Reads over entries until the depth is {@code level} again. */
    private void skipTo(int level) {
        while (depth > level && in.hasMore()) {
            long code = in.uleb();
            if (code == 0) {
                depth--;
                continue;
            }
            Abbreviation one = abbreviations.get(code);
            one.skip(encoding, in);
            depth += one.children ? 1 : 0;
        }
    }
}

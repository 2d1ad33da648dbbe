package dev.madt.resolver.dwarf;

/**
 * Says how one kind of entry is laid out (DWARF 5, section 7.5.3). The arrays are of equal length
 * and never change.
 */
final class Abbreviation {
    private static final Encoding USUAL = new Encoding(4, false);

    final int tag;
    final boolean children;
    final int[] attributes;
    final int[] forms;
    final long[] implicit;
    private final int usualSize;

    Abbreviation(int tag, boolean children, int[] attributes, int[] forms, long[] implicit) {
        this.tag = tag;
        this.children = children;
        this.attributes = attributes;
        this.forms = forms;
        this.implicit = implicit;
        this.usualSize = usualSize(forms);
    }

    private static int usualSize(int[] forms) {
        int sum = 0;
        for (int form : forms) {
            int size = Form.size(form, USUAL);
            if (size < 0) {
                return -1;
            }
            sum += size;
        }
        return sum;
    }

    boolean has(int attribute) {
        for (int one : attributes) {
            if (one == attribute) {
                return true;
            }
        }
        return false;
    }

    /** Moves behind the attributes of an entry; at once where all have fixed sizes. */
    void skip(Encoding encoding, SectionReader in) {
        if (usualSize >= 0 && !encoding.wide() && encoding.version() > 2) {
            in.skip(usualSize);
            return;
        }
        for (int form : forms) {
            Form.skip(form, encoding, in);
        }
    }
}

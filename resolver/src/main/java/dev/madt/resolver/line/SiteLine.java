package dev.madt.resolver.line;

/** Says what the lines of one site end with, and where it accessed memory last. */
final class SiteLine {
    final long size;
    final PackedText symbolicEnd;
    final PackedText rawEnd;
    /**
     * Holds what its data are called, whatever the address: a variable, or a place in the
     * function's frame; null elsewhere.
     */
    final PackedText frame;

    NamedRange last;
    DataName lastName;

    /**
     * @param code name of the instruction's place
     * @param frame name of what it accesses in its function's frame, or null
     * @param note what lines say of its source, with a comma in front, or nothing
     */
    SiteLine(long address, long size, byte[] code, byte[] frame, byte[] note) {
        this.size = size;
        this.frame = frame == null ? null : new PackedText(frame);
        LineBuffer raw = LineBuffer.detached();
        raw.hexadecimal(address);
        this.symbolicEnd = end(code, note);
        this.rawEnd = end(raw.toBytes(), note);
    }

    private static PackedText end(byte[] code, byte[] note) {
        LineBuffer text = LineBuffer.detached();
        text.text(code);
        text.text(note);
        text.character('\n');
        return new PackedText(text.toBytes());
    }
}

package dev.madt.testprogs;

/**
 * One load or store by the program's own code: an element of the sequence in which MadT and Lackey
 * must agree.
 *
 * @param instruction address of the instruction in the program file
 * @param store false for a load
 * @param size bytes
 * @param data address in the program file where the access is to the program's own data,
 *     {@link #ELSEWHERE} for heap and mapped memory, whose addresses differ from run to run
 */
public record Access(long instruction, boolean store, int size, long data)
        implements MemoryAccess<Access> {
    public static final long ELSEWHERE = -1;

    @Override
    public int compareData(Access other) {
        return Long.compare(data, other.data);
    }

    @Override
    public Access ofWholeWord() {
        return new Access(instruction, store, 0, data == ELSEWHERE ? ELSEWHERE : data & -8L);
    }

    @Override
    public String toString() {
        String where = data == ELSEWHERE ? "elsewhere" : "0x" + Long.toHexString(data);
        return (store ? "S " : "L ") + size + " at " + where + " by 0x"
                + Long.toHexString(instruction);
    }
}

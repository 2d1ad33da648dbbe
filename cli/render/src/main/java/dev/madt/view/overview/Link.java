package dev.madt.view.overview;

/**
 * Counts how often one piece of code accessed one row of data. Whatever counts here counts in the
 * rows at both ends, too; only a copy has two links where its sides are in two rows, and one code.
 */
final class Link {
    private final int index;
    private final Row data;
    private final Code code;
    private long loads;
    private long stores;
    private long transfers;

    /** @param index counts the links that are kept from 0; others have a negative one */
    Link(int index, Row data, Code code) {
        this.index = index;
        this.data = data;
        this.code = code;
    }

    void add(long moreLoads, long moreStores, long size) {
        loads += moreLoads;
        stores += moreStores;
        data.add(moreLoads, moreStores, size);
        code.add(moreLoads, moreStores, size);
    }

    void touch(long address, long size) {
        data.touch(address, size);
        code.touch(address, size);
    }

    void transfer(long address, long length, long reach) {
        transfers++;
        data.transfer(address, length, reach);
        code.transfer(address, length, reach);
    }

    /**
     * The other side of a copy, which the code has counted.
     *
     * @param counted whether the data has, too
     */
    void copiedFrom(long address, long length, long reach, boolean counted) {
        code.touchBlock(address, reach);
        if (counted) {
            data.touchBlock(address, reach);
        } else {
            transfers++;
            data.transfer(address, length, reach);
        }
    }

    int index() {
        return index;
    }

    Row data() {
        return data;
    }

    Code code() {
        return code;
    }

    long loads() {
        return loads;
    }

    long stores() {
        return stores;
    }

    long transfers() {
        return transfers;
    }

    long weight() {
        return loads + stores + transfers;
    }
}

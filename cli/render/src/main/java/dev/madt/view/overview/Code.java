package dev.madt.view.overview;

import dev.madt.view.defects.CodeRole;

/**
 * The instructions of one line in one function.
 *
 * @param index counts them from 0
 * @param role of the function
 */
record Code(int index, Row function, Row line, CodeRole role) {
    void add(long loads, long stores, long size) {
        function.add(loads, stores, size);
        line.add(loads, stores, size);
    }

    void touch(long address, long size) {
        function.touch(address, size);
        line.touch(address, size);
    }

    void transfer(long address, long length, long reach) {
        function.transfer(address, length, reach);
        line.transfer(address, length, reach);
    }

    void touchBlock(long address, long reach) {
        function.touchBlock(address, reach);
        line.touchBlock(address, reach);
    }
}

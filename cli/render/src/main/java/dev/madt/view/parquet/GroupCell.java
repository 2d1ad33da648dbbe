package dev.madt.view.parquet;

import java.util.List;

/** Holds what columns say of something that many rows have, with its number in a row group. */
abstract class GroupCell {
    private int index;
    /** The group in which it has had a number last. */
    private int group = -1;

    /**
     * Returns the number that a cell has in a group, which is its place among the group's cells;
     * gives it one if it has none.
     */
    static <C extends GroupCell> int numberOf(C cell, int group, List<C> cells) {
        GroupCell numbered = cell;
        if (numbered.group != group) {
            numbered.group = group;
            numbered.index = cells.size();
            cells.add(cell);
        }
        return numbered.index;
    }
}

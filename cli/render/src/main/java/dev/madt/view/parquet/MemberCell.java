package dev.madt.view.parquet;

/** Holds the name of a member, and its number in a row group. */
final class MemberCell {
    final String text;
    /** Index in the group that it was in last. */
    int index;

    int group = -1;

    MemberCell(String text) {
        this.text = text;
    }
}

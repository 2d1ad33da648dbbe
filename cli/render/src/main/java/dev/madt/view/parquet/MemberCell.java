package dev.madt.view.parquet;

/** Holds the name of a member, and its number in a row group. */
final class MemberCell extends GroupCell {
    final String text;

    MemberCell(String text) {
        this.text = text;
    }
}

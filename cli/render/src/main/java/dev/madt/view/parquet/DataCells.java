package dev.madt.view.parquet;

import dev.madt.view.DataObject;
import dev.madt.view.convert.MemberTexts;

/** Holds what columns say of a data object, and its number in a row group. */
final class DataCells extends GroupCell {
    private final DataObject object;
    private final MemberTexts.Texts<MemberCell> members;

    DataCells(DataObject object, MemberTexts.Texts<MemberCell> members) {
        this.object = object;
        this.members = members;
    }

    String data() {
        return object.commonName();
    }

    String symbol() {
        return object.rowName();
    }

    String region() {
        return object.region();
    }

    Long block() {
        return object.block() == null ? null : object.block().number();
    }

    String site() {
        return object.block() == null ? null : object.shownCall().siteName();
    }

    String allocatedAt() {
        String line = object.block() == null ? "" : object.shownCall().ownLine();
        return line.isEmpty() ? null : line;
    }

    String type() {
        return object.type();
    }

    /** The member at an offset; one without a name for the whole, or if it is not known. */
    MemberCell member(long offset, long size) {
        return members.at(offset, size);
    }
}

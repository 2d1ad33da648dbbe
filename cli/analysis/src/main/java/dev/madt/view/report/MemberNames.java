package dev.madt.view.report;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.resolver.line.Members;
import dev.madt.view.DataObject;
import dev.madt.view.Notes;
import dev.madt.view.Selection;

/**
 * Holds what a report that splits rows into members calls what is accessed: the name by one of its
 * keys, and the member, where the type is known.
 */
final class MemberNames {
    private final ReportKey key;
    private final MemberTypes types;
    private final Notes<MemberRows<String>> notes = new Notes<>();

    /** @param types what is known of them; may become more while the trace is read */
    MemberNames(ReportKey key, MemberTypes types) {
        this.key = key;
        this.types = types;
    }

    /** The key whose names have members. */
    ReportKey key() {
        return key;
    }

    /** Returns what is kept on data. */
    Notes<MemberRows<String>> notes() {
        return notes;
    }

    /** The name of what so many bytes from an address on are in. */
    String of(DataObject object, long address, long size) {
        MemberRows<String> rows = notes.of(object);
        if (rows == null) {
            rows = rowsOf(object);
            notes.keep(object, rows);
        }
        return rows.of(address - object.start(), size);
    }

    private MemberRows<String> rowsOf(DataObject object) {
        Members members = DataMembers.of(object, types);
        if (key == ReportKey.TYPE) {
            String whole = typeOf(object);
            return new MemberRows<>(
                    members,
                    0,
                    Members::ofType,
                    member -> member.isEmpty() || member.equals("?") ? whole : member);
        }
        if (key == ReportKey.SITE && object.block() == null) {
            return new MemberRows<>(null, 0, path -> Selection.NO_BLOCK);
        }
        boolean single = key == ReportKey.BLOCK;
        String name = single ? object.rowName() : object.commonName();
        return new MemberRows<>(
                members, single ? MemberGrouping.SHORT : 0, path -> object.member(name, path));
    }

    private static String typeOf(DataObject object) {
        return ReportKey.typeOf(object) + (object.guessed() ? "?" : "");
    }
}

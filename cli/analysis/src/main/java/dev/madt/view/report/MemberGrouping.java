package dev.madt.view.report;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.resolver.line.Members;
import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.BlockLives;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Notes;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Rows by the members of what is accessed, where its type is known, else by its name. An event
 * belongs to the member that it begins in, or to the whole that it covers. Elements of an array
 * share their rows, those of short arrays in single blocks and variables excepted: so there are as
 * many rows as the types have members.
 */
final class MemberGrouping extends Grouping {
    /** Elements of the longest array that has a row for each, by block. */
    static final long SHORT = 16;

    /** Data whose places share their rows. */
    private record Shape(String name, String region, Members members) {
        @Override
        public boolean equals(Object object) {
            return object instanceof Shape other
                    && name.equals(other.name)
                    && region.equals(other.region)
                    && (members == null || other.members == null
                            ? members == other.members
                            : members.alike(other.members));
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }

    private final Function<DataObject, String> name;
    private final long indices;
    private final MemberTypes types;
    private final Notes<MemberRows<Tally>> rows = new Notes<>();
    private final Map<Shape, MemberRows<Tally>> shapes = new HashMap<>();

    private MemberGrouping(Function<DataObject, String> name, long indices, MemberTypes types) {
        this.name = name;
        this.indices = indices;
        this.types = types;
    }

    /** @param types what is known of them; may become more while the trace is read */
    static Grouping by(ReportKey key, MemberTypes types) {
        return key == ReportKey.BLOCK
                ? new MemberGrouping(DataObject::shownName, SHORT, types)
                : new MemberGrouping(DataObject::commonName, 0, types);
    }

    /** The size of a block is part of its shape. */
    @Override
    Needs needs() {
        return Needs.BATCHES.living(BlockLives.UNHEEDED).keeping(rows);
    }

    @Override
    Tally of(Accesses batch, int row) {
        DataObject object = batch.object(row);
        return rows(object).of(batch.address(row) - object.start(), batch.size(row));
    }

    @Override
    Tally of(BlockAccess event, DataObject object, long address) {
        return rows(object).of(address - object.start(), event.length());
    }

    private MemberRows<Tally> rows(DataObject object) {
        MemberRows<Tally> rows = this.rows.of(object);
        if (rows == null) {
            Shape shape = new Shape(name.apply(object), object.region(), members(object));
            rows = shapes.computeIfAbsent(shape, absent -> rowsOf(absent, object));
            this.rows.keep(object, rows);
        }
        return rows;
    }

    private MemberRows<Tally> rowsOf(Shape shape, DataObject first) {
        return new MemberRows<>(shape.members(), indices, path -> {
            Tally row = row(first.member(shape.name(), path), shape.region());
            if (path.isEmpty()) {
                row.describe(first);
            } else {
                row.source(first);
            }
            return row;
        });
    }

    private Members members(DataObject object) {
        return DataMembers.of(object, types);
    }
}

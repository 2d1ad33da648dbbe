package dev.madt.sql;

import dev.madt.duckdb.TextPool;
import dev.madt.view.DataObject;
import dev.madt.view.convert.MemberTexts;

/** Holds what columns say of a data object, each made when it is asked for first. */
final class DataTexts {
    private final DataObject object;
    private final TextPool pool;
    private final MemberTexts.Texts<TextPool.Text> members;
    private TextPool.Text data;
    private TextPool.Text symbol;
    private TextPool.Text region;
    private TextPool.Text site;
    private TextPool.Text allocatedAt;
    private TextPool.Text type;

    /** @param members null where no column is of members */
    DataTexts(DataObject object, TextPool pool, MemberTexts.Texts<TextPool.Text> members) {
        this.object = object;
        this.pool = pool;
        this.members = members;
    }

    /**
     * Returns the text of a column of data.
     *
     * @param offset of the access in the block or variable, for members
     * @param size of the access, for members
     */
    TextPool.Text text(AccessColumn what, long offset, long size) {
        return switch (what) {
            case DATA -> data();
            case SYMBOL -> symbol();
            case REGION -> region();
            case SITE -> site();
            case ALLOCATED_AT -> allocatedAt();
            case TYPE -> type();
            default -> member(offset, size);
        };
    }

    /** The name that all blocks of one call share, else the symbol. */
    private TextPool.Text data() {
        if (data == null) {
            data = pool.of(object.commonName());
        }
        return data;
    }

    private TextPool.Text symbol() {
        if (symbol == null) {
            boolean shared = object.block() == null;
            symbol = shared ? pool.of(object.rowName()) : pool.once(object.rowName());
        }
        return symbol;
    }

    private TextPool.Text region() {
        if (region == null) {
            region = pool.of(object.region());
        }
        return region;
    }

    /** The call that allocated the block; null for what is none. */
    private TextPool.Text site() {
        if (site == null && object.block() != null) {
            site = pool.of(object.shownCall().siteName());
        }
        return site;
    }

    /** The source line of that call; null if unknown. */
    private TextPool.Text allocatedAt() {
        if (allocatedAt == null && object.block() != null) {
            String line = object.shownCall().ownLine();
            allocatedAt = line.isEmpty() ? null : pool.of(line);
        }
        return allocatedAt;
    }

    /** The type of the variable, or of what the block holds; null if unknown. */
    private TextPool.Text type() {
        if (type == null && object.type() != null) {
            type = pool.of(object.type());
        }
        return type;
    }

    /** The member at an offset; null for the whole, or if it is not known. */
    private TextPool.Text member(long offset, long size) {
        TextPool.Text member = members.at(offset, size);
        return member == TextPool.Text.EMPTY ? null : member;
    }

    /** The number of the block; 0 for what is none. */
    long block() {
        return object.block() == null ? 0 : object.block().number();
    }
}

package dev.madt.sql;

import dev.madt.duckdb.TextPool;
import dev.madt.view.Place;

/** Holds what columns say of a place, each made when it is asked for first. */
final class PlaceTexts {
    private final Place place;
    private final TextPool pool;
    private TextPool.Text function;
    private TextPool.Text code;
    private TextPool.Text module;
    private TextPool.Text file;

    PlaceTexts(Place place, TextPool pool) {
        this.place = place;
        this.pool = pool;
    }

    /** Returns the text of a column of code. */
    TextPool.Text text(AccessColumn what) {
        return switch (what) {
            case FUNCTION -> function();
            case CODE -> code();
            case MODULE -> module();
            default -> file();
        };
    }

    private TextPool.Text function() {
        if (function == null) {
            function = pool.of(place.function());
        }
        return function;
    }

    /** The function and the offset of the instruction in it. */
    private TextPool.Text code() {
        if (code == null) {
            code = pool.of(place.name());
        }
        return code;
    }

    /** The module without brackets, as in tables. */
    private TextPool.Text module() {
        if (module == null) {
            module = pool.of(place.moduleName());
        }
        return module;
    }

    /** The source file; null if unknown. */
    private TextPool.Text file() {
        if (file == null && !place.file().isEmpty()) {
            file = pool.of(place.file());
        }
        return file;
    }
}

package dev.madt.view.defects;

import dev.madt.view.DataObject;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import java.util.List;

/** Holds what the search for defects keeps on instructions and blocks. */
final class DefectNotes {
    private final Notes<CodeNote> code = new Notes<>();
    private final Notes<BlockState> blocks = new Notes<>();

    List<Notes<?>> all() {
        return List.of(code, blocks);
    }

    CodeNote of(Place place) {
        CodeNote note = code.of(place);
        if (note == null) {
            note = new CodeNote(place, this);
            code.keep(place, note);
        }
        return note;
    }

    /** Returns what is known of a block of a heap; null if nothing. */
    BlockState of(DataObject object) {
        return blocks.of(object);
    }

    void keep(DataObject block, BlockState state) {
        blocks.keep(block, state);
    }
}

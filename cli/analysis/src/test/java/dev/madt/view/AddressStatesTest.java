package dev.madt.view;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.AccessKind;
import dev.madt.tracker.AddressRange;
import org.junit.jupiter.api.Test;

class AddressStatesTest {
    private static final long DATA = 0x40_4000;

    private final AddressStates states = new AddressStates();
    private final Place place = place(0, 0x401000, "main+1");

    private static Place place(int index, long address, String name) {
        CodeName code = new CodeName("main", "main", name, "[program]");
        return new Place(index, address, 3, AccessKind.LOAD, 8, code, PlaceSource.UNKNOWN);
    }

    private static AddressRange range() {
        AddressRange range = new AddressRange();
        range.cut(DATA, DATA + 0x2000);
        return range;
    }

    private DataObject data() {
        return DataObject.rest(DATA, DATA + 0x2000, "[.data]");
    }

    @Test
    void shouldLookAgainNearAChange() {
        place.keep(data(), DATA, DATA + 0x1f8, range(), states);
        states.changed(DATA + 0x800_0000, DATA + 0x800_0010);
        assertTrue(place.holds(DATA + 0x1f8, states));
        states.changed(DATA + 0x3000, DATA + 0x3010);
        assertFalse(place.holds(DATA + 0x1f8, states));
    }

    @Test
    void shouldTellAllWhoLookedSinceTheLastChange() {
        Place other = place(1, 0x401008, "main+9");
        place.keep(data(), DATA, DATA + 0x1f8, range(), states);
        other.keep(data(), DATA, DATA + 0x1f8, range(), states);
        long looked = states.all();
        states.changed(DATA, DATA + 0x10);
        assertFalse(place.holds(DATA + 0x1f8, states) || other.holds(DATA + 0x1f8, states));
        assertTrue(states.all() > looked);
        other.keep(data(), DATA, DATA + 0x1f8, range(), states);
        assertFalse(place.holds(DATA + 0x1f8, states));
        assertTrue(other.holds(DATA + 0x1f8, states));
        states.changed(DATA, DATA + 0x10);
        assertFalse(other.holds(DATA + 0x1f8, states));
    }

    @Test
    void shouldNotTellOfChangesWhereNobodyHasLooked() {
        place.keep(data(), DATA, DATA + 0x1f8, range(), states);
        long looked = states.all();
        states.changed(DATA + 0x800_0000, DATA + 0x800_0010);
        assertTrue(states.all() == looked && place.holds(DATA + 0x1f8, states));
    }

    /** The heap may begin right behind a module's data. */
    @Test
    void shouldKeepTheDataOfModulesUntilEverythingChanges() {
        place.keepOfModule(data(), range(), states);
        states.changed(DATA + 0x2000, DATA + 0x2010);
        assertTrue(place.holds(DATA + 0x1ff8, states) && states.holds(place.cell()));
        assertFalse(place.holds(DATA + 0x2000, states));
        states.allChanged();
        assertFalse(place.holds(DATA + 0x1ff8, states) || states.holds(place.cell()));
    }
}

package dev.madt.modules;

import dev.madt.console.Numbers;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Says where patches trapped, and how often, as the target counts it (madt_layout.h,
 * {@code struct madt_trap_site}). Its table is of a fixed size: what found no room there is in no
 * place.
 */
public record TrapSites(List<Place> places) {
    private static final int TEMPLATE_SHIFT = 33;

    /**
     * An instruction. {@code name} is its module with the ELF virtual address, and the function if
     * one is known.
     */
    public record Place(long count, String name, String kind) {
        /** For people. */
        public String text() {
            return Numbers.grouped(count) + "  " + name + ": " + kind;
        }
    }

    /** The places, the most frequent first. */
    public TrapSites {
        places = places.stream()
                .sorted(Comparator.comparingLong(Place::count)
                        .reversed()
                        .thenComparing(Place::name))
                .toList();
    }

    /** Reads what stands in a control file now. */
    public static TrapSites of(ByteBuffer control, ModuleTable modules) {
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < SharedLayout.TRAP_SITES; i++) {
            int at = SharedLayout.TRAPS_OFFSET + i * SharedLayout.TrapSite.BYTES;
            long place = control.getLong(at + SharedLayout.TrapSite.PLACE);
            long count = control.getLong(at + SharedLayout.TrapSite.COUNT);
            if (place != 0 && count > 0) {
                places.add(new Place(count, name(place, modules), kind((int) place & 3)));
            }
        }
        return new TrapSites(places);
    }

    private static String name(long place, ModuleTable modules) {
        long address = (place & (1L << TEMPLATE_SHIFT) - 1) >>> 2;
        LoadedModule module = modules.withFirstTemplate((int) (place >>> TEMPLATE_SHIFT));
        if (module == null) {
            return String.format("unknown+0x%x", address);
        }
        ElfSymbol function = module.function(address + module.bias());
        return String.format("%s+0x%x", module.name(), address)
                + (function == null ? "" : " in " + function.name());
    }

    private static String kind(int kind) {
        return switch (kind) {
            case SharedLayout.TRAP_INSIDE -> "a jump into a patch";
            case SharedLayout.TRAP_SITE -> "a patch of one byte";
            case SharedLayout.TRAP_STEP -> "recorded by a handler";
            default -> "of unknown kind";
        };
    }
}

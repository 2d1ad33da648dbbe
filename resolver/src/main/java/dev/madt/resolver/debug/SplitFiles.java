package dev.madt.resolver.debug;

import dev.madt.resolver.elf.ElfImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds what a compiler has split off from the debug information of a module ({@code
 * -gsplit-dwarf}; DWARF 5, section 7.3): in a package beside the module ({@code .dwp}), else in the
 * files that the module names, where they were compiled to or beside the module.
 */
public final class SplitFiles {
    private final Path module;
    private SplitPackage packed;

    /**
     * Opens the package, if there is one.
     *
     * @param module the file that has the rest
     * @throws IOException if there is a package that cannot be read
     */
    public SplitFiles(Path module) throws IOException {
        this.module = module;
        String name = module.toString();
        for (String bare : new String[] {name, name.replaceFirst("\\.debug$", "")}) {
            Path file = Path.of(bare + ".dwp");
            if (packed == null && Files.isRegularFile(file)) {
                packed = new SplitPackage(DebugSections.split(file));
            }
        }
    }

    /**
     * Returns what may be the rest of a unit, the likeliest first; none if no file is there.
     *
     * @param signature of the unit
     * @param name of the file that it names, or null
     * @param folder where it was compiled, or null
     * @throws IOException if a file cannot be read or is malformed
     */
    public List<DebugSections> of(long signature, String name, String folder) throws IOException {
        DebugSections part = packed == null ? null : packed.unit(signature);
        if (part != null) {
            return List.of(part);
        }
        List<DebugSections> all = new ArrayList<>();
        for (Path place : name == null ? List.<Path>of() : places(name, folder)) {
            if (Files.isRegularFile(place)) {
                all.add(DebugSections.split(place));
            }
        }
        return all;
    }

    /**
     * Returns the part of the package that describes a type; null if there is none.
     *
     * @throws IOException if the package is malformed
     */
    public DebugSections type(long signature) throws IOException {
        return packed == null ? null : packed.type(signature);
    }

    private Set<Path> places(String name, String folder) throws IOException {
        Path real = module.toRealPath();
        try {
            Set<Path> places = new LinkedHashSet<>();
            places.add(real.resolveSibling(folder == null ? "" : folder).resolve(name));
            places.add(real.resolveSibling(name));
            places.add(real.resolveSibling(Path.of(name).getFileName()));
            return places;
        } catch (RuntimeException e) {
            throw ElfImage.malformed(module, e);
        }
    }
}

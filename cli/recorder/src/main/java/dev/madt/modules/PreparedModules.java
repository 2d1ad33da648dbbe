package dev.madt.modules;

import dev.madt.trace.code.ModuleTemplates;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Modules in the order of their template numbers, which do not overlap. Finding the module of a
 * number takes logarithmic time. Immutable.
 */
final class PreparedModules {
    static final PreparedModules NONE = new PreparedModules(new LoadedModule[0]);

    private final LoadedModule[] modules;

    private PreparedModules(LoadedModule[] modules) {
        this.modules = modules;
    }

    /** In the order of their numbers. */
    List<LoadedModule> all() {
        return Arrays.asList(modules);
    }

    /** The module that has this template number; null if none has it. */
    LoadedModule of(int template) {
        int low = 0;
        int high = modules.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            LoadedModule module = modules[middle];
            if (template < module.firstTemplate()) {
                high = middle - 1;
            } else if (template >= end(module)) {
                low = middle + 1;
            } else {
                return module;
            }
        }
        return null;
    }

    /** With one more, whose numbers no other has. */
    PreparedModules with(LoadedModule module) {
        int at = 0;
        while (at < modules.length && end(modules[at]) <= module.firstTemplate()) {
            at++;
        }
        LoadedModule[] more = new LoadedModule[modules.length + 1];
        System.arraycopy(modules, 0, more, 0, at);
        System.arraycopy(modules, at, more, at + 1, modules.length - at);
        more[at] = module;
        return new PreparedModules(more);
    }

    /**
     * The number for template 0 of a module that is to be added: its own, where it has one and all
     * of its numbers are free, or else the lowest behind all others, or the first room between
     * them.
     *
     * @throws IOException if there is no room
     */
    int place(ModuleTemplates templates) throws IOException {
        if (templates.firstTemplate() >= SharedLayout.TEMPLATE_FIRST_MODULE
                && isFree(templates.firstTemplate(), templates.entries())) {
            return templates.firstTemplate();
        }
        int behind = modules.length == 0
                ? SharedLayout.TEMPLATE_FIRST_MODULE
                : end(modules[modules.length - 1]);
        if (isFree(behind, templates.entries())) {
            return behind;
        }
        int from = SharedLayout.TEMPLATE_FIRST_MODULE;
        for (LoadedModule module : modules) {
            if (module.firstTemplate() - from >= templates.entries()) {
                return from;
            }
            from = end(module);
        }
        throw new IOException(
                "there are no template numbers left for its " + templates.entries() + " templates");
    }

    private boolean isFree(int first, int count) {
        for (LoadedModule module : modules) {
            if (first < end(module) && module.firstTemplate() < first + (long) count) {
                return false;
            }
        }
        return first + (long) count <= SharedLayout.TEMPLATE_RESERVED;
    }

    private static int end(LoadedModule module) {
        return module.firstTemplate() + module.entries();
    }
}

package dev.madt.view;

import dev.madt.resolver.demangle.NameBook;
import dev.madt.resolver.line.AddressSpace;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.DefinitionConsumer;
import dev.madt.trace.event.SourceLevel;
import java.util.Map;

/** Gathers the names of a trace from its definitions; events are not needed. */
public final class NameGatherer implements DefinitionConsumer {
    private final NameBook names;
    private final AddressSpace space = new AddressSpace();
    private final MemberTypes types = new MemberTypes();

    /** @param names gets the names */
    public NameGatherer(NameBook names) {
        this.names = names;
    }

    @Override
    public void meta(Map<String, String> values) {
        String path = values.get("program");
        if (path != null) {
            names.program(path.substring(path.lastIndexOf('/') + 1));
        }
    }

    @Override
    public void define(Definition definition) {
        if (definition instanceof Definition.Symbol symbol) {
            names.symbol(symbol.name(), space.label(symbol.address()));
        } else if (definition instanceof Definition.Source source) {
            source.levels().stream().map(SourceLevel::file).forEach(names::path);
            source.callers().stream().map(SourceLevel::file).forEach(names::path);
        } else if (definition instanceof Definition.Declared it) {
            names.declared(it.function(), it.file(), it.line());
        } else {
            space.define(definition);
            types.define(definition);
            type(definition);
        }
    }

    private void type(Definition definition) {
        String name = null;
        if (definition instanceof Definition.VariableType variable) {
            name = types.nameOfVariable(variable.address());
        } else if (definition instanceof Definition.BlockType block) {
            name = types.nameOfBlocks(block.code());
        }
        if (name != null) {
            names.type(name);
        }
    }
}

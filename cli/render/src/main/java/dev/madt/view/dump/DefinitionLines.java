package dev.madt.view.dump;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Argument;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.FrameVariable;
import dev.madt.trace.event.SourceLevel;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.event.TypeEntry;
import dev.madt.view.toolkit.TextBuffer;
import java.util.List;
import java.util.Locale;

/** A line for each entry of MAPS, SYMS, SRCS, DECL, TYPS, LOCS and ARGS frames. */
final class DefinitionLines implements EventConsumer {
    private final TextBuffer text;

    DefinitionLines(TextBuffer text) {
        this.text = text;
    }

    private TextBuffer range(String operation, long start, long end) {
        return text.text(operation)
                .text("0x")
                .hexadecimal(start, 1)
                .text("-0x")
                .hexadecimal(end, 1);
    }

    @Override
    public void define(Definition definition) {
        if (definition instanceof Definition.RegionsForgotten it) {
            range("  forget ", it.start(), it.end()).character('\n');
        } else if (definition instanceof Definition.Region it) {
            region(it);
        } else if (definition instanceof Definition.SymbolsForgotten it) {
            range("  forget ", it.start(), it.end()).character('\n');
        } else if (definition instanceof Definition.Symbol it) {
            symbol(it);
        } else if (definition instanceof Definition.Source it) {
            source(it);
        } else if (definition instanceof Definition.Declared it) {
            text.text("  ")
                    .text(it.function())
                    .text(" is at ")
                    .text(it.file())
                    .character(':')
                    .decimal(it.line())
                    .character('\n');
        } else if (definition instanceof Definition.Type it) {
            type(it.type());
        } else if (definition instanceof Definition.VariableType it) {
            text.text("  variable 0x")
                    .hexadecimal(it.address(), 1)
                    .text(" has type ")
                    .decimal(it.type())
                    .character('\n');
        } else if (definition instanceof Definition.BlockType it) {
            text.text("  blocks of the call at 0x")
                    .hexadecimal(it.code(), 1)
                    .text(" hold type ")
                    .decimal(it.type())
                    .character('\n');
        } else if (definition instanceof Definition.Arguments it) {
            arguments(it);
        } else {
            frame(definition);
        }
    }

    private void frame(Definition definition) {
        if (definition instanceof Definition.InFrame it) {
            FrameVariable variable = it.variable();
            text.text("  in frame at ")
                    .decimal(variable.offset())
                    .text(", ")
                    .decimal(variable.size())
                    .text(" bytes: ")
                    .text(variable.kind().name().toLowerCase(Locale.ROOT))
                    .character(' ')
                    .text(variable.name())
                    .text(variable.function().isEmpty() ? "" : " of " + variable.function())
                    .text(", type ")
                    .decimal(variable.type())
                    .character('\n');
        } else if (definition instanceof Definition.FrameScope it) {
            text.text("  scope of ").text(it.variables().toString()).character('\n');
        } else if (definition instanceof Definition.CodeScope it) {
            text.text("  0x")
                    .hexadecimal(it.code(), 1)
                    .text(" has scope ")
                    .decimal(it.scope())
                    .character('\n');
        } else if (definition instanceof Definition.CallSite it) {
            text.text("  0x")
                    .hexadecimal(it.code(), 1)
                    .text(" calls 0x")
                    .hexadecimal(it.target(), 1)
                    .character('\n');
        }
    }

    private void arguments(Definition.Arguments arguments) {
        text.text("  template ").decimal(arguments.template()).text(" has ");
        for (Argument argument : arguments.all()) {
            text.text(argument.name())
                    .character(' ')
                    .text(argument.form().name().toLowerCase(Locale.ROOT))
                    .text(" of ")
                    .decimal(argument.size())
                    .text(" at ")
                    .decimal(argument.place())
                    .text(", ");
        }
        text.text(arguments.more() ? "and more\n" : "no more\n");
    }

    private void region(Definition.Region region) {
        int protection = region.protection();
        range("  add ", region.start(), region.end())
                .character(' ')
                .character((protection & 1) != 0 ? 'r' : '-')
                .character((protection & 2) != 0 ? 'w' : '-')
                .character((protection & 4) != 0 ? 'x' : '-')
                .text(" origin 0x")
                .hexadecimal(region.origin(), 1)
                .character(' ')
                .text(region.kind().word())
                .character(' ')
                .text(region.label())
                .character('\n');
    }

    private void symbol(Definition.Symbol symbol) {
        text.text("  add 0x")
                .hexadecimal(symbol.address(), 1)
                .character('+')
                .decimal(symbol.size())
                .text(symbol.code() ? " code " : " data ")
                .text(symbol.name())
                .character('\n');
    }

    private void source(Definition.Source source) {
        text.text("  0x").hexadecimal(source.code(), 1);
        levels(" in ", source.levels());
        levels(" called in ", source.callers());
        text.character('\n');
    }

    private void levels(String word, List<SourceLevel> levels) {
        for (SourceLevel level : levels) {
            text.text(word)
                    .text(level.function())
                    .character(' ')
                    .text(level.file())
                    .character(':')
                    .decimal(level.line())
                    .character(':')
                    .decimal(level.column());
        }
    }

    private void type(TypeEntry type) {
        text.text("  type ")
                .text(type.form().name().toLowerCase(Locale.ROOT))
                .text(" '")
                .text(type.name())
                .text("' of ")
                .decimal(type.size())
                .text(" bytes, element ")
                .decimal(type.element())
                .text(", ")
                .decimal(type.members().size())
                .text(" members\n");
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        throw new IllegalStateException("no definition");
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        throw new IllegalStateException("no definition");
    }

    @Override
    public void ring(TraceEvent event) {
        throw new IllegalStateException("no definition");
    }
}

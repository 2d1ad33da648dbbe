package dev.madt.view.dump;

import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEvent;
import dev.madt.trace.event.Site;
import dev.madt.trace.event.SourceLevel;
import dev.madt.trace.event.TypeRecord;
import dev.madt.view.convert.TextBuffer;
import java.util.List;
import java.util.Locale;

/** A line for each entry of MAPS, SYMS, SRCS and TYPS frames. */
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
    public void mapsForget(long start, long end) {
        range("  forget ", start, end).character('\n');
    }

    @Override
    public void mapsAdd(
            RegionKind kind, int protection, long start, long end, long origin, String label) {
        range("  add ", start, end)
                .character(' ')
                .character((protection & 1) != 0 ? 'r' : '-')
                .character((protection & 2) != 0 ? 'w' : '-')
                .character((protection & 4) != 0 ? 'x' : '-')
                .text(" origin 0x")
                .hexadecimal(origin, 1)
                .character(' ')
                .text(kind.word())
                .character(' ')
                .text(label)
                .character('\n');
    }

    @Override
    public void symbolsForget(long start, long end) {
        range("  forget ", start, end).character('\n');
    }

    @Override
    public void symbol(boolean code, long address, long size, String name) {
        text.text("  add 0x")
                .hexadecimal(address, 1)
                .character('+')
                .decimal(size)
                .text(code ? " code " : " data ")
                .text(name)
                .character('\n');
    }

    @Override
    public void source(long code, List<SourceLevel> levels) {
        text.text("  0x").hexadecimal(code, 1);
        for (SourceLevel level : levels) {
            text.text(" in ")
                    .text(level.function())
                    .character(' ')
                    .text(level.file())
                    .character(':')
                    .decimal(level.line())
                    .character(':')
                    .decimal(level.column());
        }
        text.character('\n');
    }

    @Override
    public void type(TypeRecord type) {
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
    public void variableType(long address, int type) {
        text.text("  variable 0x")
                .hexadecimal(address, 1)
                .text(" has type ")
                .decimal(type)
                .character('\n');
    }

    @Override
    public void blockType(long code, int type) {
        text.text("  blocks of the call at 0x")
                .hexadecimal(code, 1)
                .text(" hold type ")
                .decimal(type)
                .character('\n');
    }

    @Override
    public void access(long number, int thread, Site site, boolean store, long address) {
        throw new IllegalStateException("no definition");
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        throw new IllegalStateException("no definition");
    }

    @Override
    public void ring(RingEvent event) {
        throw new IllegalStateException("no definition");
    }
}

package dev.madt.view.dump;

import dev.madt.trace.codec.ArgumentsFrame;
import dev.madt.trace.codec.DeclarationsFrame;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.codec.LocalsFrame;
import dev.madt.trace.codec.MapsFrame;
import dev.madt.trace.codec.MetaFrame;
import dev.madt.trace.codec.SourcesFrame;
import dev.madt.trace.codec.SymbolsFrame;
import dev.madt.trace.codec.TemplatesFrame;
import dev.madt.trace.codec.TypesFrame;
import dev.madt.trace.event.AccessSite;
import dev.madt.view.toolkit.TextBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;

/**
 * Writes the frames of a trace as they are, one line for each, then one for each entry or record in
 * it.
 */
public final class TraceDump implements FrameSink {
    private final TextBuffer text;
    private final EventWords events;
    private long number;

    public TraceDump(OutputStream out) {
        this.text = new TextBuffer(out);
        this.events = new EventWords(text);
    }

    @Override
    public void frame(Frame frame) throws IOException {
        text.text("frame ")
                .decimal(number++)
                .text(": ")
                .text(frame.type().tag())
                .text(" pid ")
                .decimal(frame.pid())
                .text(" tid ")
                .decimal(frame.tid())
                .text(", ")
                .decimal(frame.payload().remaining())
                .text(" bytes\n");
        switch (frame.type()) {
            case META ->
                MetaFrame.decode(frame).forEach((key, value) -> text.text("  ")
                        .text(key)
                        .text(" = ")
                        .text(value)
                        .character('\n'));
            case MAPS -> MapsFrame.decode(frame, new DefinitionLines(text));
            case SYMBOLS -> SymbolsFrame.decode(frame, new DefinitionLines(text));
            case SOURCES -> SourcesFrame.decode(frame, new DefinitionLines(text));
            case DECLARATIONS -> DeclarationsFrame.decode(frame, new DefinitionLines(text));
            case TYPES -> TypesFrame.decode(frame, new DefinitionLines(text));
            case LOCALS -> LocalsFrame.decode(frame, new DefinitionLines(text));
            case ARGUMENTS -> ArgumentsFrame.decode(frame, new DefinitionLines(text));
            case TEMPLATES -> TemplatesFrame.decode(frame, this::template);
            case EVENTS -> events.write(frame);
            default -> {}
        }
    }

    private void template(int template, AccessSite[] places) {
        text.text("  template ").decimal(template).character(':');
        String between = " ";
        for (AccessSite site : places) {
            text.text(between)
                    .text("0x")
                    .hexadecimal(site.address(), 1)
                    .character('+')
                    .decimal(site.length())
                    .character(' ')
                    .text(site.kind().name().toLowerCase(Locale.ROOT))
                    .character(' ')
                    .decimal(site.size())
                    .text(" operand ")
                    .decimal(site.operand())
                    .text(site.stack() ? " stack" : "");
            between = "; ";
        }
        text.character('\n');
    }

    @Override
    public void close() {
        text.flush();
    }
}

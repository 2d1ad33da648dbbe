package dev.madt.trace.codec;

import dev.madt.trace.event.Argument;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The payload of an ARGS frame: what the words of templates with arguments and results are. */
public final class ArgumentsFrame extends PayloadFrame {
    private static final Argument.Form[] FORMS = Argument.Form.values();

    public ArgumentsFrame() {
        super(FrameType.ARGUMENTS);
    }

    /** Says it of a template. */
    public ArgumentsFrame add(Definition.Arguments arguments) {
        payload.u32(arguments.template())
                .u8(arguments.more() ? 1 : 0)
                .u8(0)
                .u16(arguments.all().size());
        for (Argument argument : arguments.all()) {
            payload.u8(argument.form().ordinal())
                    .u8(argument.size())
                    .u8(argument.place())
                    .u8(0)
                    .string(argument.name())
                    .u32(argument.constants().size());
            argument.constants().forEach((value, name) -> payload.u64(value).string(name));
        }
        return this;
    }

    /**
     * Gives the definitions to the consumer, in order.
     *
     * @throws TraceFormatException if the payload is malformed; the entries in front of the fault
     *     have been given
     */
    public static void decode(Frame frame, EventConsumer consumer) throws TraceFormatException {
        PayloadCursor cursor = new PayloadCursor(frame, FrameType.ARGUMENTS);
        while (!cursor.atEnd()) {
            int template = cursor.u32();
            boolean more = cursor.u8() != 0;
            cursor.u8();
            int count = cursor.u16();
            List<Argument> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(argument(cursor));
            }
            consumer.define(new Definition.Arguments(template, more, List.copyOf(all)));
        }
    }

    private static Argument argument(PayloadCursor cursor) throws TraceFormatException {
        int form = cursor.u8();
        int size = cursor.u8();
        int place = cursor.u8();
        cursor.u8();
        if (form >= FORMS.length) {
            throw cursor.malformed("argument of form " + form);
        }
        String name = cursor.string();
        int count = cursor.u32();
        Map<Long, String> constants = new LinkedHashMap<>();
        for (int i = 0; i != count; i++) {
            constants.put(cursor.u64(), cursor.string());
        }
        return new Argument(name, FORMS[form], size, place, constants);
    }
}

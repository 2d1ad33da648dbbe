package dev.madt.modules;

import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.dwarf.FrameRules;
import dev.madt.resolver.dwarf.TypeNumbers;
import dev.madt.resolver.local.Local;
import dev.madt.resolver.type.Type;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.LocalsFrame;
import dev.madt.trace.codec.TypesFrame;
import dev.madt.trace.event.FrameVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Says for a trace what lies in the frames of functions at their instructions: variables, by the
 * debug information; the return address and saved registers, by the unwind table. Code without
 * debug information has nothing.
 */
public final class FrameNotes {
    private static final int RETURN = 16;
    private static final String[] REGISTERS = {
        "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12",
        "r13", "r14", "r15"
    };
    private static final int WORD = 8;

    private final TypeNumbers numbers;
    private final TypesFrame types;
    private final LocalsFrame frame = new LocalsFrame();
    private final Map<FrameVariable, Integer> variables = new HashMap<>();
    private final Map<List<Integer>, Integer> scopes = new HashMap<>();

    /** @param types takes the types of variables, and is to be written first */
    public FrameNotes(TypeNumbers numbers, TypesFrame types) {
        this.numbers = numbers;
        this.types = types;
    }

    /** Notes what lies in the frame at an instruction; {@code info} null: nothing is known. */
    public void describe(LoadedModule module, DebugInfo info, long code) {
        if (!module.recordsStack() || info == null || !info.hasFunction(code - module.bias())) {
            return;
        }
        LoadedModule.Instruction instruction = module.instruction(code);
        long address = code - module.bias();
        long end = address + instruction.length();
        List<Integer> scope = new ArrayList<>();
        variables(module, info, instruction.call() ? end - 1 : address, scope);
        saved(module, address, end, scope);
        frame.code(code, scope(scope));
        if (instruction.call()) {
            frame.call(code, instruction.target());
        }
    }

    private void variables(LoadedModule module, DebugInfo info, long address, List<Integer> scope) {
        FrameRules.Rule rule = module.elf().frame(address);
        for (Local local : info.locals(address)) {
            long size = local.type().size();
            long offset = local.offset();
            if (local.computed() || local.indirect()) { // it lies elsewhere
                continue;
            }
            if (local.base() == Local.Base.REGISTER) {
                if (rule == null || rule.register() != local.register()) {
                    continue;
                }
                offset -= rule.offset();
            } else if (local.base() != Local.Base.FRAME) {
                continue;
            }
            if (size > 0 && size == (int) size && offset == (int) offset) {
                scope.add(number(local, (int) offset, (int) size));
            }
        }
    }

    private int number(Local local, int offset, int size) {
        Type type = local.type();
        return number(new FrameVariable(
                local.parameter() ? FrameVariable.Kind.PARAMETER : FrameVariable.Kind.VARIABLE,
                local.name(),
                local.function() == null ? "" : local.function(),
                offset,
                size,
                numbers.of(type, types)));
    }

    /** Registers that are saved in front of an instruction or by it. */
    private void saved(LoadedModule module, long address, long end, List<Integer> scope) {
        Map<Integer, Long> saved = new TreeMap<>(module.elf().saved(end));
        saved.putAll(module.elf().saved(address));
        saved.forEach((register, offset) -> {
            boolean back = register == RETURN;
            if ((back || register < REGISTERS.length) && offset.intValue() == offset) {
                scope.add(number(new FrameVariable(
                        back ? FrameVariable.Kind.RETURN : FrameVariable.Kind.SAVED,
                        back ? "return" : "saved " + REGISTERS[register],
                        "",
                        offset.intValue(),
                        WORD,
                        FrameVariable.NO_TYPE)));
            }
        });
    }

    private int number(FrameVariable variable) {
        Integer known = variables.get(variable);
        if (known == null) {
            known = variables.size();
            variables.put(variable, known);
            frame.variable(variable);
        }
        return known;
    }

    private int scope(List<Integer> all) {
        List<Integer> scope = List.copyOf(all);
        Integer known = scopes.get(scope);
        if (known == null) {
            known = scopes.size();
            scopes.put(scope, known);
            frame.scope(scope);
        }
        return known;
    }

    /** Returns whether there is nothing to write. */
    public boolean isEmpty() {
        return frame.isEmpty();
    }

    /** Bytes to write. */
    public int size() {
        return frame.size();
    }

    /** Returns what has been noted since the last time. */
    public Frame build(int pid) {
        return frame.build(pid, 0);
    }
}

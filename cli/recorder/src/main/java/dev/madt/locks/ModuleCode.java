package dev.madt.locks;

import dev.madt.resolver.ElfModule;
import dev.madt.resolver.elf.ElfImage;
import dev.madt.resolver.elf.ElfSegment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the bytes of a module's code. */
final class ModuleCode {
    private ModuleCode() {}

    /** Returns its executable segments with what the file has of them. */
    static Map<ElfSegment, ByteBuffer> of(ElfModule elf) throws IOException {
        Map<ElfSegment, ByteBuffer> code = new LinkedHashMap<>();
        ElfImage image = ElfImage.open(elf.file());
        for (ElfSegment segment : image.segments()) {
            if (segment.loaded() && segment.executable()) {
                code.put(segment, image.data(segment).order(ByteOrder.LITTLE_ENDIAN));
            }
        }
        return code;
    }
}

package dev.madt.resolver.demangle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of Fortran, D, Pascal and Ada. */
class OtherNamesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "__grid_mod_MOD_field|grid_mod::field",
                "__a_MOD_b_MOD_c|a::b_MOD_c",
                "__grid_mod_MOD_|__grid_mod_MOD_",
                "__MOD_x|__MOD_x",
                "got.__grid_mod_MOD_field|got.grid_mod::field",
                "__libc_start_main|__libc_start_main",
                "_D3app4Item5priceMFZl|app.Item.price",
                "_D3app__T7largestTiZQkFAiZi|app.largest!(…)",
                "_D3app__T7largestTiZQlFAiZi|app.largest!(…).largest",
                "_D3appQeFZv|app.app",
                "_D3appQzFZv|_D3appQzFZv",
                "_D3app__T7largest|_D3app__T7largest",
                "_D4core8internal2gc4impl12conservativeQw3Gcx__T4markVbi0Vbi0Vbi0ZQsMFNbNiNlSQCwQCu"
                        + "QCoQCoQCmQCxQCc__T9ScanRangeVbi0ZQpZv"
                        + "|core.internal.gc.impl.conservative.gc.Gcx.mark!(…).mark",
                "_D3std5regex8internal12backtracking__T19BacktrackingMatcherTaTSQCjQCiQCf2ir__"
                        + "T5InputTaZQjZQCa5Trace4markMFNaNbNiNemZb"
                        + "|std.regex.internal.backtracking.BacktrackingMatcher!(…)"
                        + ".BacktrackingMatcher.Trace.mark",
                "_D4core8internal9container7hashtab__T7HashTabTAxaTS2rt9profilegc5EntryZQBi4growM"
                        + "FNbNiZv"
                        + "|core.internal.container.hashtab.HashTab!(…).HashTab.grow",
                "_D3std11parallelism__T27__lazilyInitializedConstantTykVki4294967295S_DQCqQCp13to"
                        + "talCPUsImplFNbNiNeZkZQDbFNaNbNdNiNfZyk"
                        + "|std.parallelism.__lazilyInitializedConstant!(…)"
                        + ".__lazilyInitializedConstant",
                "_D3std11concurrency14FiberScheduler6createMFNbDFZvZ4wrapMQk"
                        + "|std.concurrency.FiberScheduler.create.wrap",
                "_D3app4Item6__ctorMFiZCQzQw|app.Item.this",
                "_D3app4test9__lambda1MFNaZ4__S13getMFZi|app.test.__lambda1.get",
                "_D3app14__T7largestTiZ7largestFAiZi|app.largest!(…).largest",
                "_D9999999x|_D9999999x",
                "_D3ap|_D3ap",
                "_Dmain|_Dmain",
                "_DYNAMIC|_DYNAMIC",
                "P$P_$$_BUMP$LONGINT|p.bump",
                "U_$P$P_$$_T|p.t",
                "got.U_$P$P_$$_T|got.p.t",
                "TC_$SYSTEM_$$_NOTHREADMANAGER|system.nothreadmanager",
                "SYSTEM_$$_FPREAD$LONGINT$PCHAR$QWORD$$INT64|system.fpread",
                "SYSTEM$_$SETUPCMDLINE_$$_ADDBUF|system.setupcmdline.addbuf",
                "SYSTEM$_$DIY_FP_MULTIPLY$TDIY_FP$TDIY_FP$BOOLEAN$$TDIY_FP_$$_U32_MUL$crc8C43652A"
                        + "|system.diy_fp_multiply.u32_mul",
                "SYSTEM$_$TAGGREGATEDOBJECT_$__$$_CREATE$IUNKNOWN$$TAGGREGATEDOBJECT"
                        + "|system.taggregatedobject.create",
                "SYSTEM$_$TAGGREGATEDOBJECT_$__$$__ADDREF$$LONGINT"
                        + "|system.taggregatedobject._addref",
                "RTTI_$SYSTEM_$$_TERROR|RTTI_$SYSTEM_$$_TERROR",
                "INIT$_$SYSTEM|INIT$_$SYSTEM",
                "a_$$_b|a_$$_b",
                "_ada_shop|shop",
                "ada__text_io__put_line__2|ada.text_io.put_line",
                "got.ada__text_io__put_line__2|got.ada.text_io.put_line",
                "system__tasking__protected_objects__lock"
                        + "|system.tasking.protected_objects.lock",
                "ada__strings__maps__constants___elabs" + "|ada.strings.maps.constants'elab_spec",
                "ada__strings__unbounded__Oconcat__2|ada.strings.unbounded.\"&\"",
                "ada__finalization__controlledSR__2|ada__finalization__controlledSR__2",
                "system__init|system__init",
                "shop__bump|shop__bump",
                "foo__bar__2|foo__bar__2",
                "ada__|ada__",
            })
    void shouldReadNames(String name, String expected) {
        assertEquals(expected, Demangler.withOthers(Demangler.NONE).demangle(name));
    }
}

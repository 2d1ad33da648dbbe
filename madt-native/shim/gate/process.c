/* What becomes of MadT where the process forks, and where MadT leaves it: in each room. */
#include "gate/gate_parts.h"
#include "gate/leave.h"

#include "chain/chain.h"
#include "module/module.h"
#include "module/operators.h"
#include "module/storage.h"
#include "region/region.h"
#include "session/session.h"
#include "signal/signal.h"
#include "splice/splice.h"
#include "text/text.h"
#include "thread/quarantine.h"
#include "thread/thread.h"
#include "trap/trap.h"

void process_leave(void)
{
	session_leave();
	robust_restore();
	recording_stop_all();
	counts_open(true);
	loader_release();
	splice_release();
	signal_release();
	attached = false;
}

/* The child of a fork: everything is inherited but the session's memory and the dispatch. */
void process_after_fork(ucontext_t *context)
{
	own_share(NULL);
	thread_after_fork();
	module_after_fork();
	window_after_fork();
	splice_after_fork();
	self.session.chunk = NULL;
	record_after_fork();
	counts_after_fork();
	lead_after_fork();
	signal_after_fork();
	exit_pins_after_fork();
	robust_after_fork();
	operators_after_fork();
	chain_after_fork();
	quarantine_after_fork();
	region_after_fork();
	gate_map_after_fork();
	gate_clones_after_fork();
	leave_after_fork();
	tracer_after_fork();
	gate_status_after_fork();
	gate_names_after_fork();
	user_dispatch_after_fork();
	if (!(session.page->flags & MADT_SESSION_FOLLOW)
			|| !session_new_process(self.gate.pending.fork_ticket) || !switches_after_fork()) {
		process_leave();
		signal_release_thread(context);
		return;
	}
	counts_ready = true;
	rate_limit_tell();
	triggers_in_child();
	session.control->plans = module_number(0)->plans;
	gate_arm();
	thread_name_tell();
	storage_after_fork();
	module_ask_again();
	lead_follow();
	STORE_RELEASE(&session.control->state, MADT_STATE_READY);
	window_in_child();
}

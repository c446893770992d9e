/*
 * How an execution begins and ends. Whoever adds state of one execution adds it to execution.h, and here if it must be emptied or
 * released.
 */
#include "runtime/execution.h"

#include "runtime/libc/libc.h"
#include "runtime/memory/shadow.h"
#include "runtime/rollback.h"
#include "runtime/runtime.h"
#include "runtime/sync/channel.h"

#include <stdlib.h>

struct evr_execution evr_execution;

static void release_faults(struct evr_execution *x)
{
	for (size_t i = 0; i < x->faults.len; i++) {
		free(x->faults.data[i].message);
		free(x->faults.data[i].detail);
	}
}

/* What is no piece of the state. */
static void empty_rest(struct evr_execution *x)
{
	release_faults(x);
	evr_texts_release();
	evr_files_release();
	evr_inodes_release();
	evr_channels_release();
	evr_vec_clear(&x->step_events);
	evr_vec_clear(&x->stacks);
	evr_vec_clear(&x->faults);
	evr_vec_clear(&x->spoilt);
	evr_vec_clear(&x->standard_files);
	evr_vec_clear(&x->open_files);
	evr_vec_clear(&x->closed_files);
	evr_vec_clear(&x->inodes);
	evr_vec_clear(&x->channels);
	evr_vec_clear(&x->file_names);
}

static void empty(struct evr_execution *x)
{
	empty_rest(x);
	evr_vec_clear(&x->taken);
	evr_vec_clear(&x->visits);
	evr_vec_clear(&x->barrier_uses);
	evr_vec_clear(&x->private_locks);
	evr_vec_clear(&x->keys);
	evr_vec_clear(&x->exit_handlers);
	evr_vec_clear(&x->quick_exit_handlers);
	evr_vec_clear(&x->jumps);
	evr_vec_clear(&x->touched);
	evr_happens_begin(&x->happens, &evr_rt.world.trace, NULL);
	evr_strbuf_clear(&x->output);
	evr_zero_from(x, stop);
}

bool evr_execution_has_pieces(void)
{
	const struct evr_execution *x = &evr_execution;
	return !x->faults.len && !x->spoilt.len && !x->standard_files.len && !x->open_files.len &&
	       !x->closed_files.len && !x->inodes.len && !x->channels.len && !x->file_names.len && !x->texts &&
	       !x->has_scratch;
}

void evr_execution_clear(void)
{
	evr_shadow_restore();
	empty_rest(&evr_execution);
}

void evr_execution_pieces(struct evr_pieces *p)
{
	struct evr_execution *x = &evr_execution;
	struct {
		size_t taken, output; /* they grow */
	} lengths = { x->taken.len, x->output.len };
	EVR_PIECE(p, lengths);
	x->taken.len = lengths.taken;
	EVR_PIECE_VEC(p, &x->visits);
	EVR_PIECES_RARE(p,
			x->barrier_uses.len | x->private_locks.len | x->keys.len | x->exit_handlers.len |
				x->quick_exit_handlers.len | x->jumps.len,
			EVR_RARE(&x->barrier_uses), EVR_RARE(&x->private_locks), EVR_RARE(&x->keys),
			EVR_RARE(&x->exit_handlers), EVR_RARE(&x->quick_exit_handlers), EVR_RARE(&x->jumps));
	if (p->back)
		evr_strbuf_shorten(&x->output, lengths.output);
	EVR_PIECE_FROM(p, x, stop);
	/* What happens before what is found out from the trace. It may know more of that than there is. */
	if (p->back && x->happens.done > evr_rt.world.trace.events.len)
		evr_happens_begin(&x->happens, &evr_rt.world.trace, NULL);
}

/* Numbers come to an end: then shadow memory starts from clean cells. */
static void number(struct evr_execution *x)
{
	if (EVR_UNLIKELY(++x->number > EVR_LAST_NUMBER)) {
		evr_shadow_renew();
		x->number = 1;
	}
}

void evr_execution_begin(size_t prefix)
{
	struct evr_execution *x = &evr_execution;
	evr_shadow_restore();
	empty(x);
	number(x);
	for (unsigned i = 0; i < evr_rt.world.threads; i++)
		evr_rt.threads[i]->state = EVR_UNUSED;
	evr_world_begin(&evr_rt.world, prefix);
}

void evr_execution_end(void)
{
	if (EVR_UNLIKELY(evr_rt.config.check))
		evr_rt.world.digest = evr_marks_digest();
	evr_undo_restore(&evr_rt.world.undo);
}

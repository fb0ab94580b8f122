/*
 * pftrace: reads Perfetto traces (.pftrace, .perfetto-trace): PyTorch's export, rocprofv3, programs with Perfetto's
 * SDK, Chromium.
 *
 *   {"ts":1752839461759121971,"dur":180,"kind":"python","name":"torch/nn/modules/module.py(1915): __getattr__",
 *    "cat":"python_function","pid":25286,"tid":25286,"args":{"Python id":1809}}
 *
 * See pftrace.h for the steps of the conversion.
 */
#include "pftrace.h"

#include <stdlib.h>

void pftrace_fail(struct pftrace *p, struct reader *r, const struct fault *f)
{
	r->src->fault = *f;
	p->failed = true;
}

/* Reports the packets that are not read, by kind. */
static void report_unread(struct pftrace *p, struct reader *r)
{
	static const char *const names[PFTRACE_UNREAD_N] = {
	    [PFTRACE_FTRACE] = "ftrace",
	    [PFTRACE_PROCESSES] = "process tree",
	    [PFTRACE_CHROME] = "Chrome's own",
	    [PFTRACE_SAMPLES] = "perf samples",
	};
	struct buf text = {0};
	size_t i;

	if (!p->events && p->unread[PFTRACE_FTRACE]) {
		buf_lit(&text, "a trace of Linux or Android: its ");
		wire_put_uint(&text, p->unread[PFTRACE_FTRACE]);
		buf_lit(&text, " ftrace bundles are not read");
		reader_lost(r, diagnostics_text(r->diagnostics, (struct str){text.p, text.n}), 0, 0);
		buf_free(&text);
		return;
	}
	if (!p->events)
		reader_note(r, "no events", 0, 0);
	for (i = 0; i < PFTRACE_UNREAD_N; i++) {
		if (!p->unread[i])
			continue;
		if (text.n)
			buf_lit(&text, ", ");
		else
			buf_lit(&text, "packets that are not read: ");
		buf_add(&text, names[i], strlen(names[i]));
		buf_char(&text, ' ');
		wire_put_uint(&text, p->unread[i]);
	}
	if (text.n)
		reader_note(r, diagnostics_text(r->diagnostics, (struct str){text.p, text.n}), 0, 0);
	buf_free(&text);
}

static void open_pftrace(void *state, struct reader *r)
{
	struct pftrace *p = state;
	struct str packet;

	spool_init(&p->entries);
	spool_init(&p->slices);
	spool_init(&p->ends);
	while (!p->failed && pftrace_packets_next(p, r, &packet))
		pftrace_packet_read(p, r, packet);
	p->cut |= r->src->fault.what != NULL;
	if (p->failed)
		return;
	report_unread(p, r);
	pftrace_clocks_end(&p->clocks);
	pftrace_pairs_find(p, r);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct pftrace *p = state;

	return !p->failed && pftrace_record_next(p, r, e);
}

static void close_pftrace(void *state, struct reader *r)
{
	struct pftrace *p = state;
	struct buf *const bufs[] = {&p->name, &p->cat, &p->args, &p->flows, &p->extras, &p->inflated, &p->rest,
	    &p->text, &p->pid, &p->clock, &p->src};
	size_t i;

	(void)r;
	for (i = 0; i < p->sequence_ids.n; i++) {
		pftrace_names_free(&p->sequences[i]->names);
		buf_free(&p->sequences[i]->extra);
		buf_free(&p->sequences[i]->gpu_counters);
		free(p->sequences[i]);
	}
	map_free(&p->sequence_ids);
	free(p->sequences);
	pftrace_clocks_free(&p->clocks);
	pftrace_tracks_free(&p->tracks);
	spool_free(&p->entries);
	spool_free(&p->slices);
	spool_free(&p->ends);
	for (i = 0; i < sizeof bufs / sizeof *bufs; i++)
		buf_free(bufs[i]);
	spool_window_free(&p->entry_window);
	spool_window_free(&p->end_window);
	spool_window_free(&p->number_window);
	map_free(&p->flow_ids);
	free(p->flow_bits);
}

const struct format format_pftrace = {
    .name = "pftrace",
    .help = "Perfetto traces (.pftrace): PyTorch, rocprofv3, Perfetto's SDK, Chromium",
    .example = "trace2ndjson run.pftrace.gz",
    .probe = pftrace_packets_probe,
    .binary = true,
    .state_size = sizeof(struct pftrace),
    .open = open_pftrace,
    .next = next,
    .close = close_pftrace,
};

#include "rocpd.h"

#include "rocpd_process.h"
#include "rocpd_row.h"

#include <stdlib.h>

struct rocpd {
	struct database *db;
	struct table_merge merge;
	struct rocpd_processes processes;
	struct rocpd_table *tables;
	size_t n;
	struct rocpd_meta meta;
	struct rocpd_row row;
	struct rocprof_maker maker;
	const char *file;
};

/* The tables of events, and the kinds of their records. At equal times, rows are in the order of these tables. */
static const struct {
	const char *base;
	enum rocprof_table table;
	uint32_t kinds;
} events[] = {
    {"rocpd_region", ROCPROF_CALLS, 1u << KIND_API | 1u << KIND_RANGE | 1u << KIND_MARK},
    {"rocpd_sample", ROCPROF_CALLS, 1u << KIND_API | 1u << KIND_RANGE | 1u << KIND_MARK},
    {"rocpd_kernel_dispatch", ROCPROF_KERNELS, 1u << KIND_KERNEL | 1u << KIND_COUNTER},
    {"rocpd_memory_copy", ROCPROF_COPIES, 1u << KIND_MEMCPY},
    {"rocpd_memory_allocate", ROCPROF_MEMORY, 1u << KIND_OTHER},
};
enum { EVENTS = sizeof events / sizeof *events };

/* --- opening --- */

bool rocpd_is(const struct database *db)
{
	struct rocpd_processes p = {0};
	bool found;

	rocpd_processes_find(&p, db);
	found = p.n > 0;
	rocpd_processes_free(&p);
	return found;
}

/* Starts to read the tables of a process. Returns whether one of them has a row. */
static bool add_tables(struct rocpd *s, struct rocpd_process *process, struct reader *r)
{
	static const char *const id[] = {"id", NULL};
	const struct database_table *table;
	struct query *first;
	struct rocpd_table *t;
	bool any = false;
	size_t i;

	for (i = 0; i < EVENTS && !s->merge.failed; i++) {
		table = rocpd_find_table(s->db, process, events[i].base);
		if (!table)
			continue;
		first = rocpd_select(s->db, process, events[i].base, id, "LIMIT 1");
		any |= !first || query_next(first) != QUERY_END;
		query_close(first);
		if (!(events[i].kinds & r->kinds))
			continue;
		t = &s->tables[s->n++];
		*t = (struct rocpd_table){.process = process, .table = events[i].table};
		t->cursor.place = table_merge_place(r, table->name);
		t->cursor.order = (unsigned)(i * s->processes.n + (size_t)(process - s->processes.list));
		rocpd_table_init(t, s->db, table, r->args);
		table_merge_add(&s->merge, &t->cursor);
		r->file = s->file;
	}
	return any;
}

void *rocpd_open(struct database *db, struct reader *r)
{
	struct rocpd *s = mem_zero(1, sizeof *s);
	bool any = false;
	size_t i;

	s->db = db;
	s->file = r->file;
	s->merge = (struct table_merge){.db = db, .reader = r};
	rocpd_processes_find(&s->processes, db);
	s->tables = mem_alloc(s->processes.n * EVENTS * sizeof *s->tables);
	for (i = 0; i < s->processes.n; i++) {
		rocpd_process_open(&s->processes.list[i], db, r);
		any |= add_tables(s, &s->processes.list[i], r);
	}
	if (!any && !database_is_cut(db))
		reader_note(r, "a database of rocprofv3 without events; perhaps the program crashed", 0, 0);
	return s;
}

/* --- records --- */

/* Reports the values of counters that belong to no kernel. */
static void check_values(struct rocpd *s, struct reader *r)
{
	static const char *const count[] = {"event_id", NULL};
	struct query *q;
	uint64_t all = 0;
	size_t i;

	for (i = 0; i < s->processes.n; i++) {
		if (!s->processes.list[i].values)
			continue;
		q = rocpd_select(s->db, &s->processes.list[i], "rocpd_pmc_event", count, "");
		while (q && query_next(q) == QUERY_ROW)
			all++;
		query_close(q);
	}
	if (all > s->row.values_read)
		diagnostics_add_many(r->diagnostics, DIAGNOSTICS_LOST, "value of a counter without its kernel; skipped",
		    (struct fault_place){s->file, 0, 0}, all - s->row.values_read);
}

int rocpd_next(void *state, struct reader *r, struct event *e)
{
	struct rocpd *s = state;
	struct table_cursor *cursor;
	struct rocprof_at at = {0};

	if (reader_wants(r, KIND_META) && rocpd_meta_next(&s->meta, s->db, &s->processes, r, e))
		return 1;
	for (;;) {
		at.line = r->line;
		if (s->row.has_value) {
			rocpd_row_counter(&s->row, r);
		} else if ((cursor = table_merge_next(&s->merge))) {
			r->file = cursor->place;
			r->line = at.line = cursor->row;
			rocpd_row_read(&s->row, r, (const struct rocpd_table *)cursor);
		} else {
			break;
		}
		if (rocprof_make(&s->maker, r, &s->row.row, at, e))
			return 1;
	}
	r->file = s->file;
	check_values(s, r);
	return 0;
}

void rocpd_close(void *state)
{
	struct rocpd *s = state;
	size_t i;

	table_merge_free(&s->merge);
	for (i = 0; i < s->n; i++)
		rocpd_table_free(&s->tables[i]);
	free(s->tables);
	rocpd_processes_free(&s->processes);
	rocpd_meta_free(&s->meta);
	rocprof_maker_free(&s->maker);
	rocpd_row_free(&s->row);
	free(s);
}

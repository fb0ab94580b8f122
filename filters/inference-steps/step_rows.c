#include "step_rows.h"

#include "base/order.h"
#include "json/string.h"
#include "stats/quantile.h"
#include "table/column_meaning.h"

#include <stdlib.h>

enum phase { PREFILL, DECODE, MIXED, IDLE, UNKNOWN };
static const char *const phase_names[] = {"prefill", "decode", "mixed", "idle", "unknown"};

/* The columns of both tables: the name, and whether it is in the rows of steps and in those of sums. */
#define STEP_COLUMNS(X)                                                                                                \
	X(RANK, "rank", true, true)                                                                                    \
	X(PID, "pid", true, false)                                                                                     \
	X(STEP, "step", true, false)                                                                                   \
	X(BY, "by", true, true)                                                                                        \
	X(MARK, "mark", true, false)                                                                                   \
	X(TS, "ts", true, false)                                                                                       \
	X(HOST, "host", true, false)                                                                                   \
	X(PHASE, "phase", true, true)                                                                                  \
	X(STEPS, "steps", false, true)                                                                                 \
	X(REQUESTS, "requests", true, true)                                                                            \
	X(CONTEXT_REQUESTS, "context_requests", true, false)                                                           \
	X(GENERATION_REQUESTS, "generation_requests", true, false)                                                     \
	X(TOKENS, "tokens", true, true)                                                                                \
	X(CONTEXT_NEW, "context_new", true, false)                                                                     \
	X(GENERATION_NEW, "generation_new", true, false)                                                               \
	X(CONTEXT_TOKENS, "context_tokens", true, true)                                                                \
	X(DEVICE_RECORDS, "device_records", true, true)                                                                \
	X(GPU, "gpu", true, true)                                                                                      \
	X(GPU_BUSY, "gpu_busy", true, true)                                                                            \
	X(WALL, "wall", true, true)                                                                                    \
	X(WALL_P50, "wall_p50", false, true)                                                                           \
	X(WALL_P90, "wall_p90", false, true)                                                                           \
	X(WALL_P99, "wall_p99", false, true)                                                                           \
	X(WALL_BUSY, "wall_busy", true, true)                                                                          \
	X(GRAPH_GPU, "graph_gpu", true, true)                                                                          \
	X(GRAPHS, "graphs", true, true)                                                                                \
	X(CALLS, "calls", true, true)                                                                                  \
	X(BUSY, "busy", true, true)                                                                                    \
	X(GPU_PER_TOKEN, "gpu_per_token", true, true)                                                                  \
	X(TOKENS_PER_S, "tokens_per_s", true, true)

#define COLUMN_ENUM(id, name, each, sums) COLUMN_##id,
enum step_column { STEP_COLUMNS(COLUMN_ENUM) STEP_COLUMN_N };
#define COLUMN_ROW(id, name, each, sums) {name, each, sums},
static const struct {
	const char *name;
	bool each, sums;
} step_columns[] = {STEP_COLUMNS(COLUMN_ROW)};

/* A sum that is known as far as all its parts are. */
struct known_sum {
	uint64_t n; /* number of parts */
	int128 sum;
};

/* The steps of a phase, of one rank and family. */
struct phase_sums {
	size_t process; /* one of the rank */
	const char *by;
	enum phase phase;
	uint64_t steps, records, graphs, calls;
	struct known_sum requests, tokens, context_tokens, wall;
	int128 gpu, gpu_busy, wall_busy, graph_gpu;
	int128 busy_with_tokens;       /* gpu_busy of the steps whose tokens are known */
	int128 rate_tokens, rate_wall; /* of the steps for which tokens per second have a meaning */
	struct quantile walls;
};

struct step_rows {
	struct step_log *log;
	struct spool_window window;
	bool each;
	struct table *table;
	size_t cells[STEP_COLUMN_N];
	struct map groups;
	struct phase_sums *sums;
	size_t cap_sums;
	struct buf text;
};

struct step_rows *step_rows_begin(struct step_log *log, bool each, const struct table_options *options, struct out *out)
{
	struct step_rows *r = mem_zero(1, sizeof *r);
	struct source_kind source = {0};
	struct column_meaning meaning;
	struct str name;
	size_t i;

	r->log = log;
	r->each = each;
	r->table = table_begin(out, options);
	source_kind_read(&source, STR("inference-steps"));
	for (i = 0; i < STEP_COLUMN_N; i++) {
		if (!(each ? step_columns[i].each : step_columns[i].sums))
			continue;
		name = str_of(step_columns[i].name);
		meaning = column_meaning_of(name, &source, NULL);
		r->cells[i] = table_column_of(r->table, name, &meaning);
	}
	table_kind(r->table, STR("\"inference-steps\""));
	return r;
}

/* --- cells --- */

static void set_cell(struct step_rows *r, enum step_column c, struct str json)
{
	if (json.n)
		table_set_json(r->table, r->cells[c], json);
}

static void set_word(struct step_rows *r, enum step_column c, const char *text)
{
	r->text.n = 0;
	json_quote(&r->text, str_of(text));
	set_cell(r, c, buf_str(&r->text));
}

/* Sets a cell to an integer; -1 is unknown. */
static void set_int(struct step_rows *r, enum step_column c, int128 v)
{
	if (v >= 0)
		table_set_int(r->table, r->cells[c], v);
}

/*
 * Sets a cell to a quotient, rounded to so many decimals; a half is rounded to an even digit. Nothing is set if a is
 * negative or b is not positive.
 */
static void set_quotient(struct step_rows *r, enum step_column c, int128 a, int128 b, int decimals)
{
	int128 times = 1, whole, rest;
	int i;

	for (i = 0; i < decimals; i++)
		times *= 10;
	if (a < 0 || b <= 0)
		return;
	whole = a * times / b;
	rest = a * times % b * 2;
	whole += rest > b || (rest == b && whole % 2);
	table_set_real(r->table, r->cells[c], (double)whole / (double)times);
}

/* --- steps --- */

/* Returns the sum of two counts, or -1 if one is unknown. */
static int64_t both(int64_t a, int64_t b)
{
	return a < 0 || b < 0 ? -1 : int_add(a, b);
}

static enum phase phase_of(const struct step_mark *m)
{
	const int64_t context = m->counts[STEP_CONTEXT], generation = m->counts[STEP_GENERATION];

	if (m->phaseless || context < 0 || generation < 0)
		return UNKNOWN;
	return context ? generation ? MIXED : PREFILL : generation ? DECODE : IDLE;
}

static void write_step(
    struct step_rows *r, const struct step_figures *f, const struct logged_mark *m, struct str mark, int64_t tokens)
{
	const struct step_sequence *s = f->sequence;
	const int64_t *counts = m->mark.counts;

	set_cell(r, COLUMN_RANK, places_value(&r->log->processes, s->process, 0));
	set_cell(r, COLUMN_PID, places_value(&r->log->processes, s->process, 1));
	set_int(r, COLUMN_STEP, (int128)f->step);
	set_word(r, COLUMN_BY, s->by);
	set_cell(r, COLUMN_MARK, mark);
	table_set_int(r->table, r->cells[COLUMN_TS], s->list[f->step].ts);
	set_int(r, COLUMN_HOST, f->host);
	set_word(r, COLUMN_PHASE, phase_names[phase_of(&m->mark)]);
	set_int(r, COLUMN_REQUESTS, both(counts[STEP_CONTEXT], counts[STEP_GENERATION]));
	set_int(r, COLUMN_CONTEXT_REQUESTS, counts[STEP_CONTEXT]);
	set_int(r, COLUMN_GENERATION_REQUESTS, counts[STEP_GENERATION]);
	set_int(r, COLUMN_TOKENS, tokens);
	set_int(r, COLUMN_CONTEXT_NEW, counts[STEP_CONTEXT_TOKENS]);
	set_int(r, COLUMN_GENERATION_NEW, counts[STEP_GENERATION_TOKENS]);
	set_int(r, COLUMN_CONTEXT_TOKENS, both(counts[STEP_CONTEXT_LENGTH], counts[STEP_GENERATION_LENGTH]));
	set_int(r, COLUMN_DEVICE_RECORDS, f->records);
	set_int(r, COLUMN_GPU, f->gpu);
	set_int(r, COLUMN_GPU_BUSY, f->gpu_busy);
	set_int(r, COLUMN_WALL, f->records ? f->wall : -1);
	set_int(r, COLUMN_WALL_BUSY, f->records ? f->wall_busy : -1);
	set_int(r, COLUMN_GRAPH_GPU, f->graph_gpu);
	set_int(r, COLUMN_GRAPHS, f->graphs);
	set_int(r, COLUMN_CALLS, f->calls);
	set_quotient(r, COLUMN_BUSY, f->wall_busy, f->records ? f->wall : 0, 6);
	set_quotient(r, COLUMN_GPU_PER_TOKEN, f->gpu_busy, tokens, 3);
	set_quotient(
	    r, COLUMN_TOKENS_PER_S, tokens < 0 ? -1 : (int128)tokens * 1000000000, f->records ? f->wall : 0, 3);
	table_row(r->table);
}

static void add_known(struct known_sum *k, int64_t v)
{
	k->n += v >= 0;
	k->sum += v >= 0 ? v : 0;
}

static void add_sums(struct step_rows *r, const struct step_figures *f, const struct step_mark *m, int64_t tokens)
{
	const struct step_sequence *s = f->sequence;
	const size_t key[3] = {r->log->rank_of[s->process], phase_of(m), m->writer}, known = r->groups.n;
	const size_t i = map_put(&r->groups, STR_BYTES(key));
	struct phase_sums *p;

	if (i == known) {
		r->sums = mem_grow(r->sums, &r->cap_sums, i + 1, sizeof *r->sums);
		r->sums[i] = (struct phase_sums){.process = s->process, .by = s->by, .phase = phase_of(m)};
	}
	p = &r->sums[i];
	p->steps++;
	p->records += f->records;
	p->graphs += f->graphs;
	p->calls += f->calls;
	p->gpu += f->gpu;
	p->gpu_busy += f->gpu_busy;
	p->graph_gpu += f->graph_gpu;
	add_known(&p->requests, both(m->counts[STEP_CONTEXT], m->counts[STEP_GENERATION]));
	add_known(&p->context_tokens, both(m->counts[STEP_CONTEXT_LENGTH], m->counts[STEP_GENERATION_LENGTH]));
	add_known(&p->tokens, tokens);
	p->busy_with_tokens += tokens >= 0 ? f->gpu_busy : 0;
	if (!f->records)
		return;
	add_known(&p->wall, f->wall);
	p->wall_busy += f->wall_busy;
	quantile_add_int(&p->walls, f->wall, QUANTILE_KEEP);
	if (tokens < 0 || (f->begins && s->n > 1))
		return;
	p->rate_tokens += tokens;
	p->rate_wall += f->wall;
}

void step_rows_add(void *rows, const struct step_figures *f)
{
	struct step_rows *r = rows;
	struct logged_mark m = {.ts = 0};
	struct str name = {NULL, 0};
	uint64_t at = f->sequence->list[f->step].mark;
	int64_t tokens;
	size_t i;

	for (i = 0; i < STEP_COUNTS; i++)
		m.mark.counts[i] = -1;
	if (f->sequence->marked)
		step_log_mark(r->log, &r->window, &at, &m, &name);
	tokens = both(m.mark.counts[STEP_CONTEXT_TOKENS], m.mark.counts[STEP_GENERATION_TOKENS]);
	if (r->each)
		write_step(r, f, &m, name, tokens);
	else
		add_sums(r, f, &m.mark, tokens);
}

/* --- sums --- */

static int compare_sums(const void *arg, size_t a, size_t b)
{
	const struct step_rows *r = arg;
	const struct phase_sums *x = &r->sums[a], *y = &r->sums[b];
	const int c = int_compare(r->log->rank_of[x->process], r->log->rank_of[y->process]);

	return c ? c : int_compare(x->phase, y->phase);
}

static void set_percentile(struct step_rows *r, enum step_column c, struct quantile *q, double percent)
{
	struct quantile_value v;

	if (!q->n)
		return;
	v = quantile_at(q, percent);
	if (v.whole)
		table_set_int(r->table, r->cells[c], v.i);
	else if (v.approx)
		table_set_approx(r->table, r->cells[c], v.d);
	else
		table_set_real(r->table, r->cells[c], v.d);
}

static void write_sums(struct step_rows *r, struct phase_sums *p)
{
	set_cell(r, COLUMN_RANK, places_value(&r->log->processes, p->process, 0));
	set_word(r, COLUMN_BY, p->by);
	set_word(r, COLUMN_PHASE, phase_names[p->phase]);
	set_int(r, COLUMN_STEPS, p->steps);
	set_int(r, COLUMN_REQUESTS, p->requests.n ? p->requests.sum : -1);
	set_int(r, COLUMN_TOKENS, p->tokens.n ? p->tokens.sum : -1);
	set_int(r, COLUMN_CONTEXT_TOKENS, p->context_tokens.n ? p->context_tokens.sum : -1);
	set_int(r, COLUMN_DEVICE_RECORDS, p->records);
	set_int(r, COLUMN_GPU, p->gpu);
	set_int(r, COLUMN_GPU_BUSY, p->gpu_busy);
	set_int(r, COLUMN_WALL, p->wall.n ? p->wall.sum : -1);
	set_percentile(r, COLUMN_WALL_P50, &p->walls, 50);
	set_percentile(r, COLUMN_WALL_P90, &p->walls, 90);
	set_percentile(r, COLUMN_WALL_P99, &p->walls, 99);
	set_int(r, COLUMN_WALL_BUSY, p->wall.n ? p->wall_busy : -1);
	set_int(r, COLUMN_GRAPH_GPU, p->graph_gpu);
	set_int(r, COLUMN_GRAPHS, p->graphs);
	set_int(r, COLUMN_CALLS, p->calls);
	set_quotient(r, COLUMN_BUSY, p->wall_busy, p->wall.sum, 6);
	set_quotient(r, COLUMN_GPU_PER_TOKEN, p->busy_with_tokens, p->tokens.sum, 3);
	set_quotient(r, COLUMN_TOKENS_PER_S, p->rate_tokens * 1000000000, p->rate_wall, 3);
	table_row(r->table);
	quantile_free(&p->walls);
}

void step_rows_end(struct step_rows *r)
{
	size_t *order = order_sort(r->groups.n, compare_sums, r), i;

	for (i = 0; i < r->groups.n; i++)
		write_sums(r, &r->sums[order[i]]);
	table_end(r->table);
	free(order);
	free(r->sums);
	map_free(&r->groups);
	spool_window_free(&r->window);
	buf_free(&r->text);
	free(r);
}

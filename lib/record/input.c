#include "record/input.h"

#include "json/check.h"
#include "json/string.h"

#include <signal.h>
#include <stdlib.h>

static const uint32_t prefix = 1u << EVENT_TS | 1u << EVENT_DUR | 1u << EVENT_KIND | 1u << EVENT_NAME;

/* A part of records that the filter uses: a field, or standard members. */
struct input_use {
	uint32_t enough;     /* the part is valid in a record with these members; bit EVENT_N: it must be read */
	uint32_t kinds;      /* only of records of these kinds; UINT32_MAX for all */
	uint32_t members;    /* standard members */
	struct field *field; /* NULL for standard members */
};

static volatile sig_atomic_t stopped;

static void on_interrupt(int signal_number)
{
	(void)signal_number;
	stopped = 1;
}

void input_stop_on_signal(void)
{
	/* With SA_RESETHAND, the second SIGINT ends the process. Without SA_RESTART, the signal interrupts a read. */
	struct sigaction act = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND}, before;

	/* A shell makes background processes ignore SIGINT, which is meant for the foreground process. */
	if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler == SIG_IGN)
		return;
	sigemptyset(&act.sa_mask);
	sigaction(SIGINT, &act, NULL);
}

void input_open(struct input *in, char **operands, struct out *out)
{
	static char dash[] = "-", *standard_input[] = {dash, NULL};

	in->operands = operands[0] ? operands : standard_input;
	in->out = out;
	if (!in->options.max_record)
		in->options.max_record = INPUT_MAX_RECORD;
}

static bool idle(void *arg)
{
	struct input *in = arg;

	if (stopped || !out_flush(in->out))
		return false;
	return !in->wake || in->wake(in->wake_arg);
}

/* Opens the next file that can be opened; returns false when no file is left. */
static bool open_next(struct input *in)
{
	struct fault fault;

	while (*in->operands) {
		in->src = source_open(*in->operands++, &fault);
		if (in->src && in->options.piece.of && !source_set_piece(in->src, in->options.piece, &fault)) {
			source_close(in->src);
			in->src = NULL;
		}
		if (in->src) {
			in->begin = in->src->offset;
			in->file = in->src->file;
			source_on_idle(in->src, idle, in);
			lines_begin(&in->lines, in->src, SCAN_LINES, in->options.max_record);
			return true;
		}
		in->failed = true;
		in->report(&fault);
	}
	return false;
}

static struct fault_location location_of(const struct input *in, uint64_t line, uint64_t offset)
{
	return in->begin ? (struct fault_location){in->file, 0, offset} : (struct fault_location){in->file, line, 0};
}

struct fault_location input_location(const struct input *in)
{
	return location_of(in, in->line, in->offset);
}

void input_lost(struct input *in, const char *what)
{
	diagnostics_add(&in->diagnostics, DIAGNOSTICS_LOST, what, input_location(in));
}

void input_warning(struct input *in, const char *what)
{
	diagnostics_add(&in->diagnostics, DIAGNOSTICS_WARNING, what, input_location(in));
}

bool input_is_csv(struct str text)
{
	struct str line, cell;
	size_t n = 0;

	if (!str_split(&text, '\n', &line))
		return false;
	for (; str_split(&line, ',', &cell); n++) {
		if (!cell.n || (cell.p[0] != '"' && cell.p[0] != '_' && !is_letter(cell.p[0])))
			return false;
	}
	return n > 1;
}

static void close_source(struct input *in)
{
	const struct lines *u = &in->lines;

	if (u->over)
		diagnostics_add_many(&in->diagnostics, DIAGNOSTICS_LOST, "record larger than --max-record; skipped",
		    location_of(in, u->over_line, u->over_at), u->over);
	if (!source_judge(in->src, &in->diagnostics)) {
		in->failed = true;
		in->report(&in->src->fault);
	}
	if (in->strange && !in->any)
		in->report(&(struct fault){
		    .what = in->csv ? "CSV, not a record stream (mlr --icsv --ojsonl cat makes a record of each row)"
				    : "not a record stream",
		    .at.file = in->file});
	source_close(in->src);
	in->src = NULL;
	in->any = in->strange = in->csv = false;
}

/* --- the parts that the filter uses --- */

static void add_use(struct input *in, struct input_use use)
{
	in->uses = mem_grow(in->uses, &in->uses_cap, in->n_uses + 1, sizeof *in->uses);
	in->uses[in->n_uses++] = use;
	in->enough |= use.enough;
}

void input_uses(struct input *in, struct field *f)
{
	/* All members that were read are checked, except the contents of args and src. */
	const uint32_t enough = f->member < EVENT_ARGS ? 1u << f->member : 1u << EVENT_N;

	add_use(in, (struct input_use){.enough = enough, .kinds = UINT32_MAX, .field = f});
}

void input_uses_members(struct input *in, uint32_t kinds, uint32_t members)
{
	const uint32_t enough = kinds == UINT32_MAX && !(members & ~prefix) ? members : 1u << EVENT_N;

	add_use(in, (struct input_use){.enough = enough, .kinds = kinds, .members = members});
}

static void read_members(struct event *e, uint32_t members)
{
	uint32_t left = members & ~e->has & prefix;

	if (members & ~prefix)
		event_walk(e);
	else
		for (; left; left &= left - 1)
			event_get(e, (enum event_member)__builtin_ctz(left));
	if (members & 1u << EVENT_ARGS)
		event_check(e, event_get(e, EVENT_ARGS));
	if (members & 1u << EVENT_SRC)
		event_check(e, event_get(e, EVENT_SRC));
}

static void read_uses(struct input *in, struct event *e)
{
	const struct input_use *use = in->uses, *end = use + in->n_uses;

	for (; use < end; use++) {
		if ((e->has & use->enough) == use->enough)
			continue;
		if (use->field)
			field_look_ahead(use->field, e);
		else if (use->kinds == UINT32_MAX || use->kinds >> event_get_kind(e) & 1)
			read_members(e, use->members);
	}
}

/* Checks the parts of the record that the filter uses; returns false when one of them is not JSON. */
static inline bool read_ahead(struct input *in, struct event *e)
{
	if (in->enough && (e->has & in->enough) == in->enough)
		return true;
	if (in->n_uses)
		read_uses(in, e);
	else
		event_check(e, e->raw);
	return e->check != EVENT_BROKEN;
}

/* --- reading --- */

/*
 * Returns the line as valid JSON, repaired if necessary, with needless escapes removed from its keys. In the result, p
 * is NULL when the record is lost.
 */
static struct str check_line(struct input *in, const struct line *line)
{
	struct str text = line->text;
	struct fault fault;
	uint32_t repairs;
	enum repair_class c;
	bool escaped;

	if (!json_check_keys(text, &escaped, &fault)) {
		if (!repair_object(text, &in->repaired, &repairs)) {
			in->strange |= !line->cut;
			in->csv |= line->line == 1 && input_is_csv(text);
			if (line->cut)
				diagnostics_add(
				    &in->diagnostics, DIAGNOSTICS_CUT, "record cut short; skipped", input_location(in));
			else
				input_lost(in, "not a JSON record; skipped");
			return (struct str){NULL, 0};
		}
		for (c = 0; c < REPAIR_N; c++) {
			if (repairs >> c & 1)
				diagnostics_add(&in->diagnostics, DIAGNOSTICS_REPAIRED, repair_text(c),
				    location_of(in, line->line, line->offset));
		}
		scan_pad(&in->repaired);
		text = buf_str(&in->repaired);
		json_check_keys(text, &escaped, &fault);
	}
	if (escaped) {
		in->plain.n = 0;
		json_plain_keys(&in->plain, text);
		scan_pad(&in->plain);
		text = buf_str(&in->plain);
	}
	return text;
}

/* Returns whether ts or dur is not an integer. */
static inline bool is_odd_time(const struct event *e, enum event_member m)
{
	return e->m[m].p && !event_has(e, m);
}

/* Reads a line that is damaged or not canonical. Returns false when the record is lost. */
__attribute__((noinline)) static bool read_checked(struct input *in, const struct line *line, struct event *e)
{
	const struct str text = check_line(in, line);
	const char *why;
	bool ts, dur;

	if (!text.p)
		return false;
	why = event_parse(e, text);
	if (why) {
		in->strange |= str_trim(text).p[0] != '{'; /* such as an array */
		input_lost(in, why);
		return false;
	}
	e->check = EVENT_SOUND;
	in->any = true;
	read_ahead(in, e);
	if (e->reading == EVENT_TWICE)
		diagnostics_add(
		    &in->diagnostics, DIAGNOSTICS_REPAIRED, repair_text(REPAIR_DUPLICATE), input_location(in));
	ts = is_odd_time(e, EVENT_TS);
	dur = is_odd_time(e, EVENT_DUR);
	if (in->times && (ts || dur))
		diagnostics_add(&in->diagnostics, in->times == INPUT_TIMED ? DIAGNOSTICS_LOST : DIAGNOSTICS_NOTE,
		    ts ? "ts is not an integer number of ns; treated as absent"
		       : "dur is not an integer number of ns; treated as absent",
		    input_location(in));
	return true;
}

/*
 * Reads a clean line that is not canonical: its members are in another order, or it has white space. The whole line is
 * checked: event_parse() checks all but args and src. Returns false if read_checked() must read the line.
 */
static bool read_clean(struct input *in, const struct line *line, struct event *e)
{
	if (event_parse(e, line->text) || e->reading == EVENT_TWICE || is_odd_time(e, EVENT_TS) ||
	    is_odd_time(e, EVENT_DUR))
		return false;
	event_check(e, event_get(e, EVENT_ARGS));
	event_check(e, event_get(e, EVENT_SRC));
	if (e->check == EVENT_BROKEN)
		return false;
	e->check = EVENT_SOUND;
	in->any = true;
	return read_ahead(in, e);
}

/* Reads the next line of the operands into in->current; returns false at the end. */
__attribute__((always_inline)) static inline bool next_line(struct input *in)
{
	for (;;) {
		if (stopped || in->unordered || in->out->error || (!in->src && !open_next(in)))
			return false;
		if (lines_next(&in->lines, &in->current) > 0)
			break;
		close_source(in);
	}
	in->line = in->current.line;
	in->offset = in->current.offset;
	return true;
}

int input_next(struct input *in, struct event *e)
{
	const struct line *line = &in->current;
	enum event_form form;

	if (in->again) {
		in->again = false;
		if (read_checked(in, line, e))
			return 1;
	}
	while (next_line(in)) {
		/* An incomplete last line does not count as damage if a signal or a write error ended the reading. */
		if (line->cut && (stopped || in->out->error))
			return 0;
		form = EVENT_FOREIGN;
		if (line->clean && !in->options.check)
			form = event_canonical(e, line->text, in->only);
		in->any |= form != EVENT_FOREIGN;
		if (form == EVENT_UNWANTED)
			continue;
		if (form == EVENT_CANONICAL ? read_ahead(in, e)
					    : line->clean && !in->options.check && read_clean(in, line, e))
			return 1;
		if (read_checked(in, line, e))
			return 1;
	}
	return 0;
}

int input_next_line(struct input *in, struct str *text)
{
	if (!next_line(in))
		return 0;
	*text = in->current.text;
	return 1;
}

void input_close(struct input *in)
{
	if (in->src)
		close_source(in);
	bufs_free(&in->repaired, &in->plain);
	free(in->uses);
	in->uses = NULL;
	in->n_uses = 0;
}

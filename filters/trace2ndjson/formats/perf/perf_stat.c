/*
 * perf_stat: reads the output of perf stat: lines of fields (-x), or one object per line (-j). Each line becomes a
 * record of kind counter.
 */
#include "perf.h"

#include "base/num_parse.h"
#include "json/write.h"
#include "json/iter.h"

enum { FIELDS = 24 };

/* --- -x --- */

/* The fields of a line. Their order depends on perf's options, so they are recognised by their forms. */
struct csv {
	struct str field[FIELDS];
	size_t n, value; /* n: number of fields; value: index of the field that is the value */
};

static bool is_number(struct str s)
{
	int64_t v;

	return s.n && num_fixed(s, 0, &v) != NUM_BAD;
}

static bool is_state(struct str s) /* perf prints "<not counted>" or "<not supported>" instead of a value */
{
	return str_starts(s, STR("<not "));
}

/* Whether s looks like "     0.111814462": only the interval has nine decimals. */
static bool is_interval(struct str s)
{
	s = str_trim(s);
	return s.n > 10 && s.p[s.n - 10] == '.' && is_number(s);
}

/* Whether s looks like "100.00", the share of the time in which the counter ran. perf always prints two decimals. */
static bool is_percentage(struct str s)
{
	return s.n >= 4 && s.p[s.n - 3] == '.' && is_number(s);
}

/*
 * Splits a line: [INTERVAL] [CPU0 | S0-D0-C0, COUNT | COMM-TID] VALUE, UNIT, EVENT, [CGROUP] [7.97%] RUN_TIME, PERCENT
 * [METRIC, METRIC_UNIT]...
 */
static bool csv_split(struct csv *c, struct str line, char separator)
{
	struct str *f = c->field, run;
	size_t at;

	for (c->n = 0; c->n < FIELDS && str_split(&line, separator, &f[c->n]); c->n++)
		;
	if (c->n < 5)
		return false;
	c->value = is_interval(f[0]);
	if (!is_number(str_trim(f[c->value])) && !is_state(f[c->value]) && f[c->value].n)
		c->value +=
		    (is_number(f[c->value + 2]) || is_state(f[c->value + 2])) && is_number(f[c->value + 1]) ? 2 : 1;
	if (c->n < c->value + 5 || !(is_number(f[c->value]) || is_state(f[c->value])))
		return false;
	if (is_number(f[c->value + 1]) || is_number(f[c->value + 2]) || !perf_event_is(f[c->value + 2]))
		return false;
	/* The run time, a whole number, and the percentage after it distinguish these lines from other tables. */
	at = c->value + 3;
	at += at < c->n && f[at].n && !is_number(f[at]) && !str_ends(f[at], STR("%"));
	at += at < c->n && str_ends(f[at], STR("%"));
	if (at + 1 >= c->n)
		return false;
	run = f[at];
	return is_number(run) && str_find(run, STR(".")) == run.n && is_percentage(f[at + 1]);
}

static bool csv_read(struct csv *c, struct str line)
{
	static const char separators[] = ",;\t|";
	size_t i;

	for (i = 0; separators[i]; i++) {
		if (memchr(line.p, separators[i], line.n) && csv_split(c, line, separators[i]))
			return true;
	}
	return false;
}

bool perf_csv_is(struct str line)
{
	struct csv c;

	return line.n && csv_read(&c, line);
}

/* Writes the place of a measurement: "CPU3" is a number, "S0-D0-C1" a part of the machine, "bash-2387" a thread. */
static void put_place(struct perf *p, struct event *e, struct str place)
{
	size_t dash = place.n;

	if (str_starts(place, STR("CPU")) && is_number(str_from(place, 3))) {
		json_write_number(&p->more, "cpu", str_from(place, 3));
		return;
	}
	while (dash && place.p[dash - 1] != '-')
		dash--;
	if (dash > 1 && is_number(str_from(place, dash)) && place.p[0] != 'S') {
		json_write_text(&p->more, "comm", str_head(place, dash - 1));
		perf_integer(e, EVENT_TID, str_from(place, dash));
		return;
	}
	json_write_text(&p->args, "place", place);
}

/* Writes the value, or its state: "not supported", "not counted". */
static void put_measured(struct perf *p, struct str value, struct str unit)
{
	value = str_trim(value);
	if (is_state(value))
		json_write_text(&p->args, "state",
		    str_trim((struct str){value.p + 1, value.n - 1 - (value.p[value.n - 1] == '>')}));
	else
		perf_value(&p->more, "value", value);
	if (unit.n)
		json_write_text(&p->more, "unit", unit);
}

static void csv_rest(struct perf *p, const struct csv *c, size_t at)
{
	const struct str *f = c->field;

	if (at < c->n && f[at].n && !is_number(f[at]) && !str_ends(f[at], STR("%")))
		json_write_text(&p->args, "cgroup", f[at++]);
	if (at < c->n && str_ends(f[at], STR("%"))) {
		perf_value(&p->args, "variance", str_head(f[at], f[at].n - 1));
		at++;
	}
	if (at + 1 < c->n) {
		perf_value(&p->args, "run_time", f[at]);
		perf_value(&p->args, "pct", f[at + 1]);
	}
	if (at + 3 < c->n && f[at + 2].n) {
		perf_value(&p->args, "metric", f[at + 2]);
		json_write_text(&p->args, "metric_unit", f[at + 3]);
	}
}

/*
 * Reads a line with one more metric of the preceding event. The value and the name of the metric are the last two
 * fields.
 */
static bool further_metric(struct perf *p, struct reader *r, struct str line, struct event *e)
{
	struct str rest = line, f[2] = {{0}}, piece;
	size_t n, full = 0, commas = 0;

	for (n = 0; str_split(&rest, ',', &piece); n++) {
		commas += n && !f[1].n && !piece.n;
		full += str_trim(piece).n > 0 && !(n == 0 && is_interval(piece));
		f[0] = f[1];
		f[1] = piece;
	}
	if (commas < 3 || full != 2 || !is_number(f[0]) || !f[1].n)
		return false;
	if (!reader_wants(r, KIND_COUNTER))
		return true;
	perf_begin(p, e);
	event_set_kind(e, KIND_COUNTER);
	perf_name(p, e, f[1]);
	perf_value(&p->more, "value", f[0]);
	perf_end(p, e);
	return true;
}

int perf_csv_line(struct perf *p, struct reader *r, struct str line, struct event *e)
{
	struct csv c;
	int64_t ts;
	size_t v, first;

	if (!csv_read(&c, line)) {
		if (further_metric(p, r, line, e))
			return reader_wants(r, KIND_COUNTER);
		reader_lost(r, "not a line of perf stat output; skipped", p->line.line, p->line.offset);
		return 0;
	}
	if (!reader_wants(r, KIND_COUNTER))
		return 0;
	v = c.value;
	first = is_interval(c.field[0]);
	perf_begin(p, e);
	event_set_kind(e, KIND_COUNTER);
	perf_name(p, e, c.field[v + 2]);
	if (first && perf_seconds(str_trim(c.field[0]), &ts))
		event_set_ts(e, ts);
	if (v > first)
		put_place(p, e, c.field[first]);
	if (v > first + 1)
		perf_value(&p->args, "aggregated", c.field[first + 1]);
	put_measured(p, c.field[v], c.field[v + 1]);
	csv_rest(p, &c, v + 3);
	perf_end(p, e);
	return 1;
}

/* --- -j --- */

bool perf_jsonl_is(struct str line)
{
	line = str_trim(line);
	return line.n && line.p[0] == '{' &&
	       (str_find(line, STR("\"counter-value\"")) < line.n || str_find(line, STR("\"metric-value\"")) < line.n);
}

int perf_jsonl_line(struct perf *p, struct reader *r, struct str line, struct event *e)
{
	static const struct {
		const char *from, *to;
	} renamed[] = {{"event-runtime", "run_time"}, {"pcnt-running", "pct"}, {"metric-value", "metric"},
	    {"metric-unit", "metric_unit"}, {"aggregate-number", "aggregated"}, {"socket", "place"}, {"core", "place"},
	    {"die", "place"}, {"node", "place"}};
	struct str text, key, value, said, name = {NULL, 0}, measured = {NULL, 0}, unit = {NULL, 0};
	struct iter w;
	int64_t ts;
	size_t i;

	text = reader_sound(r, &p->line, line, &p->repaired);
	if (!text.p || !reader_wants(r, KIND_COUNTER))
		return 0;
	perf_begin(p, e);
	event_set_kind(e, KIND_COUNTER);
	iter_init(&w, text);
	while (iter_next(&w, &key, &value) > 0) {
		if (str_eq(value, STR("null")))
			continue;
		said = perf_plain(&p->scratch, value);
		if (str_eq(key, STR("event"))) {
			name = value;
		} else if (str_eq(key, STR("counter-value"))) {
			measured = value;
		} else if (str_eq(key, STR("unit"))) {
			unit = value;
		} else if (str_eq(key, STR("interval"))) {
			if (num_fixed(said, 9, &ts) == NUM_OK)
				event_set_ts(e, ts);
		} else if (str_eq(key, STR("cpu"))) {
			perf_value(&p->more, "cpu", said);
		} else if (str_eq(key, STR("thread"))) {
			put_place(p, e, said);
		} else {
			for (i = 0; i < sizeof renamed / sizeof *renamed && !str_eq(key, str_of(renamed[i].from)); i++)
				;
			if (i < sizeof renamed / sizeof *renamed)
				json_write_json(&p->args, renamed[i].to, value);
			else
				json_write_member(&p->args, key, value);
		}
	}
	put_measured(p, perf_plain(&p->scratch, measured), perf_plain(&p->other, unit));
	if (name.p)
		perf_name(p, e, perf_plain(&p->scratch, name));
	perf_end(p, e);
	return 1;
}

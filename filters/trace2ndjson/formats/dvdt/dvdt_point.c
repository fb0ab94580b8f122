#include "dvdt_point.h"

#include "json/check.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"
#include "trace2ndjson/formats/document.h"

void dvdt_point_begin(struct dvdt_point *p)
{
	p->level = POINT_TOP;
	p->repetition = p->program.n = 0;
}

/* Reports that the input ends inside the point, or that it is not valid JSON, and skips the rest. */
static enum dvdt_step report_damage(struct reader *r, bool cut)
{
	if (!r->src->fault.what || r->src->n)
		(cut ? reader_cut : reader_lost)(
		    r, cut ? "file is cut short" : "not valid JSON; rest of the file skipped", 0, r->src->offset);
	do
		source_skip(r->src, r->src->n);
	while (source_more(r->src) > 0);
	return DVDT_END;
}

/* Reads the text between two repetitions. */
static enum dvdt_step in_list(struct dvdt_point *p, struct reader *r)
{
	bool cut;
	size_t n;

	if (document_take(r, ','))
		return DVDT_ON;
	if (document_take(r, ']')) {
		p->level = POINT_TOP;
		return DVDT_ON;
	}
	if (document_take(r, '{')) {
		p->level = POINT_REPETITION;
		p->failed = false;
		p->members.n = 0;
		return DVDT_OPENED;
	}
	n = document_value(r, &cut);
	if (!n)
		return report_damage(r, cut);
	reader_lost(r, "repetition is not a JSON object; skipped", 0, r->src->offset);
	source_skip(r->src, n);
	p->repetition++;
	return DVDT_ON;
}

/* Sets p->value to the next n bytes without their white space. False when they are not valid JSON. */
static bool store_value(struct dvdt_point *p, struct reader *r, size_t n)
{
	const struct str text = {r->src->p, n};

	if (!json_check(text, NULL))
		return false;
	p->value.n = 0;
	scan_append(&p->value, reader_names(r, text));
	source_skip(r->src, n);
	return true;
}

/* Makes a record of a member that is outside the list of repetitions. */
static enum dvdt_step read_about(struct dvdt_point *p, struct reader *r, struct event *e)
{
	struct str key = buf_str(&p->key), value = buf_str(&p->value), program;

	if (str_eq(key, STR("\"choices\""))) {
		program = value.p[0] == '{' ? iter_find(value, STR("data_uoa")) : STR("");
		buf_set(&p->program, program);
	}
	draft_begin(r, e, KIND_META);
	event_set(e, EVENT_NAME, key);
	if (value.p[0] != '{')
		json_write_json(&r->draft->args, "value", value);
	else if (r->args)
		event_set(e, EVENT_ARGS, value);
	return draft_end(r, e) ? DVDT_RECORD : DVDT_ON;
}

static enum dvdt_step read_member(struct dvdt_point *p, struct reader *r, struct event *e)
{
	struct str key = buf_str(&p->key);
	bool cut;
	size_t n;

	if (p->level == POINT_TOP && str_eq(key, STR("\"characteristics_list\"")) && document_take(r, '[')) {
		p->level = POINT_LIST;
		return DVDT_ON;
	}
	if (p->level == POINT_REPETITION && str_eq(key, STR("\"run\"")) && document_take(r, '{')) {
		p->level = POINT_RUN;
		return DVDT_ON;
	}
	if (p->level == POINT_RUN && str_eq(key, STR("\"dvdt_prof\"")) && document_take(r, '[')) {
		p->any_profiling = true;
		return DVDT_CALLS;
	}
	if (p->level == POINT_RUN && str_eq(key, STR("\"per_layer_info\"")) && document_take(r, '['))
		return DVDT_LAYERS;
	n = document_value(r, &cut);
	if (!n || !store_value(p, r, n))
		return report_damage(r, cut);
	if (p->level == POINT_TOP)
		return read_about(p, r, e);
	p->failed |= str_eq(key, STR("\"run_success\"")) && str_eq(buf_str(&p->value), STR("\"no\""));
	json_write_member(&p->members, json_inner(key), buf_str(&p->value));
	return DVDT_ON;
}

enum dvdt_step dvdt_point_step(struct dvdt_point *p, struct reader *r, struct event *e)
{
	struct str key;
	bool cut;
	size_t n;

	if (p->level == POINT_LIST)
		return in_list(p, r);
	if (document_take(r, ','))
		return DVDT_ON;
	if (document_take(r, '}')) {
		if (p->level == POINT_TOP)
			return DVDT_END;
		if (p->level == POINT_RUN) {
			p->level = POINT_REPETITION;
			return DVDT_RAN;
		}
		if (p->failed) {
			reader_warning(r, "failed repetition; skipped", 0, r->src->offset);
		} else {
			num_add_u64(&p->metas, p->repetition);
			buf_char(&p->metas, ' ');
			buf_add(&p->metas, p->members.p, p->members.n);
			buf_char(&p->metas, '\n');
		}
		p->repetition++;
		p->level = POINT_LIST;
		return DVDT_ON;
	}
	n = document_value(r, &cut);
	key = (struct str){r->src->p, n};
	if (!n || key.p[0] != '"' || !json_check(key, NULL))
		return report_damage(r, cut);
	p->key.n = p->value.n = 0;
	json_unescape(&p->value, json_inner(key));
	json_quote(&p->key, buf_str(&p->value));
	source_skip(r->src, n);
	if (!document_take(r, ':'))
		return report_damage(r, document_peek(r) < 0);
	document_peek(r);
	return read_member(p, r, e);
}

void dvdt_point_counts(struct dvdt_point *p, uint64_t calls, uint64_t layers)
{
	json_write_int(&p->members, "calls", (int64_t)calls);
	json_write_int(&p->members, "layers", (int64_t)layers);
}

bool dvdt_point_next(struct dvdt_point *p, struct reader *r, struct event *e, struct str *repetition)
{
	struct str rest, line;

	if (p->at == p->metas.n) {
		p->metas.n = p->at = 0;
		return false;
	}
	rest = str_from(buf_str(&p->metas), p->at);
	line = str_head(rest, str_find(rest, STR("\n")));
	p->at += line.n + 1;
	str_split(&line, ' ', repetition);
	draft_begin(r, e, KIND_META);
	draft_name(r->draft, STR("ck_repetition"));
	if (p->program.n)
		json_write_json(&r->draft->args, "program", buf_str(&p->program));
	else
		line = str_from(line, 1); /* skips the first comma */
	buf_add(&r->draft->args, line.p, line.n);
	draft_end(r, e);
	return true;
}

void dvdt_point_free(struct dvdt_point *p)
{
	bufs_free(&p->members, &p->metas, &p->program, &p->key, &p->value);
}

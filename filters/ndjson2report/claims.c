#include "claims.h"

#include "json/write.h"
#include "spans.h"

enum { VERSION = 1, CLAIM_MOST = 120, NAME_MOST = 40 };

/* --- lines --- */

/* Appends a text as a member, without the marks of its spans. The end of a long name tells more than its start. */
static void add_sentence(struct buf *to, const struct record *r, const char *member, const char *as)
{
	struct buf expanded = {0}, text = {0};
	struct span span;
	struct str rest;

	spans_expand(&expanded, r, record_text(r, member));
	for (rest = buf_str(&expanded); span_next(&rest, &span);) {
		size_t from = span.kind == SPAN_NAME && span.text.n > NAME_MOST ? span.text.n - NAME_MOST : 0;

		while (from < span.text.n && utf8_continues(span.text.p[from]))
			from++;
		span.text = str_from(span.text, from);
		buf_add(&text, span.text.p, span.text.n);
	}
	if (text.n > CLAIM_MOST) {
		text.n = CLAIM_MOST;
		while (text.n && utf8_continues(text.p[text.n]))
			text.n--;
	}
	json_write_text(to, as, buf_str(&text));
	bufs_free(&expanded, &text);
}

/* Appends a member of the record, if it has it. */
static void copy_member(struct buf *to, const struct record *r, const char *name, const char *as)
{
	const struct value v = record_value(r, str_of(name));

	if (v.type == VALUE_NONE || !v.text.n)
		return;
	if (v.type == VALUE_STRING)
		json_write_text(to, as, v.text);
	else
		json_write_json(to, as, v.text);
}

static struct str keep(const struct record *r, struct buf *line)
{
	struct str kept;

	buf_lit(line, "}\n");
	kept = arena_keep(r->arena, buf_str(line));
	buf_free(line);
	return kept;
}

/* Returns the line of a claim. */
static struct str line_of(const struct record *claim, bool cannot)
{
	static const char *const finding[] = {
	    "value", "unit", "per", "was", "atMost", "of", "sure", "who", "evidence", "pick", "tolerance", "next"};
	struct buf line = {0};
	size_t i;

	buf_char(&line, '{');
	json_write_text(&line, "kind", cannot ? STR("cannot") : STR("finding"));
	if (cannot) {
		copy_member(&line, claim, "question", "question");
		add_sentence(&line, claim, "why", "why");
		copy_member(&line, claim, "record", "record");
		return keep(claim, &line);
	}
	copy_member(&line, claim, "id", "id");
	add_sentence(&line, claim, "text", "claim");
	for (i = 0; i < sizeof finding / sizeof *finding; i++)
		copy_member(&line, claim, finding[i], finding[i]);
	return keep(claim, &line);
}

void claims_add(struct claims *c, const struct record *claim)
{
	const bool cannot = record_value(claim, STR("question")).type != VALUE_NONE;

	c->list = mem_grow(c->list, &c->cap, c->n + 1, sizeof *c->list);
	c->list[c->n++] = (struct claim){line_of(claim, cannot), cannot};
	c->lost |= str_eq(record_text(claim, "question"), STR("lost records"));
}

void claims_begin(struct claims *c, const struct record *verdict)
{
	static const char *const members[] = {"rank", "ranks", "world", "steps", "records", "lost"};
	const bool steps = record_value(verdict, STR("steps")).type != VALUE_NONE;
	struct buf line = {0};
	struct str *source;
	size_t i;

	buf_char(&line, '{');
	json_write_text(&line, "kind", STR("findings"));
	json_write_int(&line, "version", VERSION);
	copy_member(&line, verdict, "title", "file");
	if (record_list(verdict, "source", &source))
		json_write_text(&line, "source", source[0]);
	for (i = 0; i < sizeof members / sizeof *members; i++)
		copy_member(&line, verdict, members[i], members[i]);
	if (record_value(verdict, STR("lost")).type == VALUE_NONE)
		json_write_int(&line, "lost", 1); /* some were lost */
	copy_member(&line, verdict, steps ? "step" : "window", steps ? "step" : "window");
	c->head = keep(verdict, &line);
}

/* Appends the lines of findings, or of questions, as far as they fit in `most` bytes. Returns their number. */
static size_t put_lines(struct buf *to, const struct claims *c, bool cannot, size_t most)
{
	size_t n = 0, i;

	for (i = 0; i < c->n; i++) {
		if (c->list[i].cannot != cannot)
			continue;
		if (to->n + c->list[i].line.n > most)
			break;
		buf_add(to, c->list[i].line.p, c->list[i].line.n);
		n++;
	}
	return n;
}

void claims_put(struct buf *to, const struct claims *c)
{
	enum { END = 80 }; /* room for the last line */
	size_t cannot_bytes = 0, all = 0, findings, cannot, i;

	for (i = 0; i < c->n; i++) {
		cannot_bytes += c->list[i].cannot ? c->list[i].line.n : 0;
		all += !c->list[i].cannot;
	}
	buf_add(to, c->head.p, c->head.n);
	findings = put_lines(to, c, false, CLAIMS_MOST - END - (cannot_bytes < 2048 ? cannot_bytes : 2048));
	cannot = put_lines(to, c, true, CLAIMS_MOST - END);
	buf_char(to, '{');
	json_write_text(to, "kind", STR("end"));
	json_write_int(to, "findings", (int64_t)findings);
	json_write_int(to, "cannot", (int64_t)cannot);
	if (all > findings)
		json_write_int(to, "left", (int64_t)(all - findings));
	json_write_int(to, "status", c->lost);
	buf_lit(to, "}\n");
}

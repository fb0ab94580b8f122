#include "sections.h"

#include "base/err.h"
#include "json/write.h"
#include "rows.h"
#include "section_table.h"

#include <stdlib.h>

enum { ROWS_DEFAULT = 15 };

/* --- questions --- */

/*
 * The keys of a pipeline, and what is added to it to run it, and to show it. The output of a pipeline of `command` is
 * for programs; that of `table` is a table, and records with these options.
 */
static const struct pipeline_key {
	const char *key, *run, *show;
} pipeline_keys[] = {
    {"command", "", " | ndjson2table"},
    {"table", " -o ndjson", " -o table"},
};

/* Returns the answer to the question of a block: that of another block if this one has no pipeline. */
static struct answer *answer_of_block(struct sections *s, struct section_run *run, const struct section_block *b)
{
	const struct pipeline_key *k = pipeline_keys, *end = k + sizeof pipeline_keys / sizeof *k;
	const struct str as = section_text(b, "as");
	struct answer answer = {.from = b->from, .lenient = section_text(b, "lenient").p};
	struct str from = b->from;
	struct answer *source = answers_find(&s->answers, section_word(&from));
	struct buf command = {0}, shown = {0};

	while (k < end && !section_text(b, k->key).p)
		k++;
	if (k == end)
		return source;
	figures_expand(&run->figures, &command, section_text(b, k->key), FIGURES_SHELL, NULL);
	if (as.p) {
		figures_expand(&run->figures, &shown, as, FIGURES_SHELL, NULL);
	} else {
		if (source)
			buf_add(&shown, source->shown, strlen(source->shown));
		if (source)
			buf_lit(&shown, " | ");
		buf_add(&shown, command.p, command.n);
	}
	buf_add(&command, k->run, strlen(k->run) + 1);
	buf_char(&shown, '\0');
	answer.id = figures_text(&run->figures, b->id, FIGURES_PLAIN);
	answer.command = command.p;
	answer.shown = shown.p;
	answer.as = as.p ? "" : k->show;
	return answers_add(&s->answers, answer);
}

static bool is_question(const struct sections *s, const struct section_block *b)
{
	return b->kind == SECTION_ASK || b->kind == SECTION_SECTION || (b->kind == SECTION_MARKS && s->pictures);
}

/* --- figures --- */

/*
 * Sets a figure to the terms of a line `list NAME`: of the lines `term EXPR : FIRST | OTHER` after it, those whose
 * expression is greater than 0, the largest first. The first of them has the text FIRST, the others OTHER.
 */
static void evaluate_list(
    struct figures *f, struct str name, const struct section_line *line, const struct section_line *end)
{
	struct term {
		long double weight;
		struct str text;
	} terms[32];
	struct buf text = {0};
	size_t n = 0, i;

	for (; line < end && str_eq(line->key, STR("term")) && n < sizeof terms / sizeof *terms; line++) {
		const size_t colon = str_find(line->text, STR(" : "));
		struct term term = {0, str_from(line->text, colon + 3)};

		if (!figures_number(f, str_head(line->text, colon), &term.weight) || term.weight <= 0)
			continue;
		for (i = n++; i > 0 && terms[i - 1].weight < term.weight; i--)
			terms[i] = terms[i - 1];
		terms[i] = term;
	}
	for (i = 0; i < n; i++) {
		const size_t bar = str_find(terms[i].text, STR(" | "));
		const bool other = i > 0 && bar < terms[i].text.n;
		const struct str form = other ? str_from(terms[i].text, bar + 3) : str_head(terms[i].text, bar);

		if (i > 0)
			buf_lit(&text, ", ");
		buf_add(&text, form.p, form.n);
	}
	figures_set(f, name, n ? result_text(buf_str(&text)) : result_absent());
	buf_free(&text);
}

/* Evaluates the lines `let` and `list` of a block, in their order. */
static void evaluate_lets(struct figures *f, const struct section_block *b)
{
	struct str name, expression;
	size_t i;

	for (i = 0; i < b->n; i++) {
		if (str_eq(b->lines[i].key, STR("list"))) {
			evaluate_list(f, b->lines[i].text, &b->lines[i + 1], &b->lines[b->n]);
		} else if (str_eq(b->lines[i].key, STR("let"))) {
			name = figures_split(f, b->lines[i].text, &expression);
			figures_set(f, name, figures_value(f, expression));
		}
	}
}

/* Asks the questions of a file, once, or once more for a row of the answer that its line `each` names. */
static struct section_run *use_file(struct sections *s, const struct section_file *f, size_t number, struct str row)
{
	struct section_run *run;
	size_t i;

	s->runs = mem_grow(s->runs, &s->runs_cap, s->n_runs + 1, sizeof *s->runs);
	run = &s->runs[s->n_runs++];
	*run =
	    (struct section_run){.file = f, .figures.place = f->path, .answers = mem_zero(f->n, sizeof *run->answers)};
	figures_copy(&run->figures, &s->shared);
	figures_set(&run->figures, STR("each"), result_int((int128)number));
	if (row.n)
		figures_set_members(&run->figures, row);
	evaluate_lets(&run->figures, &f->blocks[0]);
	for (i = 0; i < f->n; i++) {
		if (is_question(s, &f->blocks[i]) && figures_hold(&run->figures, section_text(&f->blocks[i], "if")))
			run->answers[i] = answer_of_block(s, run, &f->blocks[i]);
	}
	return run;
}

static void evaluate(struct sections *s, struct section_run *run);

void sections_ask(struct sections *s, const struct section_file *f)
{
	const struct section_block *head = &f->blocks[0], none = {.n = 0};
	const struct str each = section_text(head, "each");
	const struct answer *source;
	struct section_run *run;
	size_t number = 0;
	struct rows rows;

	s->shared.place = f->path;
	if (!figures_hold(&s->shared, section_text(head, "if")))
		return;
	if (each.p) {
		source = answers_find(&s->answers, each);
		if (!source)
			die("each %.*s: no preceding block asks it", STR_FMT(each));
		answers_run(&s->answers);
		for (rows_open(&rows, &s->shared, source, &none); rows_next(&rows);)
			use_file(s, f, ++number, rows.row.raw);
		rows_close(&rows);
		return;
	}
	run = use_file(s, f, 1, (struct str){NULL, 0});
	if (!section_text(head, "shared").p)
		return;
	answers_run(&s->answers);
	evaluate(s, run);
	figures_copy(&s->shared, &run->figures);
	run->file = NULL; /* it is complete */
}

/* --- records --- */

enum member_form {
	MEMBER_WORDS,  /* a text in which {name} is replaced */
	MEMBER_TEXT,   /* a text of report(5); without a figure that it names, there is no record */
	MEMBER_NOTE,   /* the same, but without a figure, there is no member */
	MEMBER_NUMBER, /* an expression; without a value, there is no record */
	MEMBER_OPTION, /* the same, but without a value, there is no member */
};

/* The lines of blocks that are members of records. */
static const struct member_line {
	const char *key, *member;
	enum member_form form;
} member_lines[] = {
    {"title", "title", MEMBER_WORDS},
    {"text", "text", MEMBER_TEXT},
    {"detail", "detail", MEMBER_TEXT},
    {"advice", "advice", MEMBER_TEXT},
    {"note", "note", MEMBER_NOTE},
    {"brief", "brief", MEMBER_WORDS},
    {"value", "value", MEMBER_NUMBER},
    {"saves", "saves", MEMBER_NUMBER},
    {"share", "share", MEMBER_OPTION},
    {"of", "of", MEMBER_WORDS},
    {"view", "view", MEMBER_WORDS},
    {"mark_unit", "mark_unit", MEMBER_WORDS},
    {"evidence", "section", MEMBER_WORDS},
    {"per", "per", MEMBER_WORDS},
    {"unit", "unit", MEMBER_WORDS},
    {"was", "was", MEMBER_OPTION},
    {"at_most", "atMost", MEMBER_NUMBER},
    {"sure", "sure", MEMBER_WORDS},
    {"run", "evidence", MEMBER_WORDS},
    {"pick", "pick", MEMBER_WORDS},
    {"next", "next", MEMBER_WORDS},
    {"question", "question", MEMBER_WORDS},
    {"why", "why", MEMBER_TEXT},
    {"record", "record", MEMBER_WORDS},
    {"hint", "hint", MEMBER_WORDS},
};

/* Appends a member, and the figures of its text to `members`. Returns false if it has no value. */
static bool write_member(
    struct figures *f, struct buf *b, const struct member_line *m, struct str text, struct buf *members)
{
	const enum figures_form form = m->form == MEMBER_WORDS ? FIGURES_PLAIN : FIGURES_TEXT;
	struct buf filled = {0};
	struct result value;
	bool known;

	if (m->form == MEMBER_NUMBER || m->form == MEMBER_OPTION) {
		value = figures_value(f, text);
		known = value.type != RESULT_ABSENT;
		if (known)
			result_write(&filled, &value);
		if (known)
			json_write_json(b, m->member, buf_str(&filled));
	} else {
		known = figures_expand(f, &filled, text, form, members) || m->form == MEMBER_WORDS;
		if (known)
			json_write_text(b, m->member, buf_str(&filled));
	}
	buf_free(&filled);
	return known;
}

/* Appends the members of a block, and the figures that their texts name. Returns false if a required one is unknown. */
static bool write_members(struct figures *f, struct buf *to, const struct section_block *b, struct buf *members)
{
	size_t i, k;

	for (i = 0; i < b->n; i++) {
		for (k = 0; k < sizeof member_lines / sizeof *member_lines; k++) {
			const struct member_line *m = &member_lines[k];

			if (str_eq(b->lines[i].key, str_of(m->key)) &&
			    !write_member(f, to, m, b->lines[i].text, members) &&
			    (m->form == MEMBER_TEXT || m->form == MEMBER_NUMBER))
				return false;
		}
	}
	return true;
}

static void begin_record(struct buf *b, const char *kind, struct str id)
{
	buf_char(b, '{');
	json_write_text(b, "kind", str_of(kind));
	json_write_text(b, "id", id);
}

static void end_record(struct buf *b, struct buf *members)
{
	buf_add(b, members->p, members->n);
	buf_lit(b, "}\n");
	buf_free(members);
}

/* Adds a figure for each of its groups, if it has a value: ID GROUP,...:COLOR UNIT NAME. */
static void add_figure(struct sections *s, struct figures *f, const struct section_block *b)
{
	char *line = figures_text(f, b->from, FIGURES_PLAIN), *id = figures_text(f, b->id, FIGURES_PLAIN);
	struct str name = str_of(line), color = section_word(&name), groups, group;
	const struct str unit = section_word(&name);
	struct buf *to = &s->figures;

	for (str_split(&color, ':', &groups); str_split(&groups, ',', &group);) {
		const size_t before = to->n;
		struct buf members = {0};
		bool known;

		begin_record(to, "report/figure", str_of(id));
		json_write_text(to, "name", name);
		json_write_text(to, "group", group);
		if (color.p)
			json_write_text(to, "color", color);
		if (!str_eq(unit, STR("-")))
			json_write_text(to, "unit", unit);
		known = write_members(f, to, b, &members);
		end_record(to, &members);
		if (!known)
			to->n = before;
	}
	free(line);
	free(id);
}

/* Adds a finding or a claim, before those that save less. */
static void add_finding(struct sections *s, struct figures *f, const struct section_block *b)
{
	struct sections_finding finding = {.saves = -1};
	struct buf members = {0};
	char *id;
	bool known;
	size_t at;

	if (section_text(b, "saves").p &&
	    (!figures_number(f, section_text(b, "saves"), &finding.saves) || finding.saves <= 0))
		return;
	id = figures_text(f, b->id, FIGURES_PLAIN);
	begin_record(&finding.text, b->kind == SECTION_CLAIM ? "report/claim" : "report/finding", str_of(id));
	free(id);
	known = write_members(f, &finding.text, b, &members);
	end_record(&finding.text, &members);
	if (!known) {
		buf_free(&finding.text);
		return;
	}
	s->findings = mem_grow(s->findings, &s->findings_cap, s->n_findings + 1, sizeof *s->findings);
	for (at = s->n_findings++; at > 0 && s->findings[at - 1].saves < finding.saves; at--)
		s->findings[at] = s->findings[at - 1];
	s->findings[at] = finding;
}

/* Takes the verdict of a block if it weighs more than those before. */
static void add_verdict(struct sections *s, struct figures *f, const struct section_block *b)
{
	struct buf text = {0};
	long double weight;

	if (!figures_number(f, section_text(b, "weight"), &weight) || weight <= s->weight)
		return;
	if (write_members(f, &text, b, &s->verdict_members)) {
		s->weight = weight;
		s->verdict.n = 0;
		buf_add(&s->verdict, text.p, text.n);
	}
	buf_free(&text);
}

/* Adds the members of every verdict, and the texts of the lines `source` and `fact`, if their figures are known. */
static void add_facts(struct sections *s, struct figures *f, const struct section_block *b)
{
	struct buf filled = {0};
	size_t i;

	write_members(f, &s->verdict_members, b, &s->verdict_members);
	for (i = 0; i < b->n; i++) {
		const bool source = str_eq(b->lines[i].key, STR("source"));

		filled.n = 0;
		if ((source || str_eq(b->lines[i].key, STR("fact"))) &&
		    figures_expand(f, &filled, b->lines[i].text, FIGURES_TEXT, &s->verdict_members))
			json_write_text(source ? &s->sources : &s->facts, NULL, buf_str(&filled));
	}
	buf_free(&filled);
}

/* Appends the commands that print the figures and the picture of a section. */
static void write_commands(struct buf *to, const struct answer *a, const struct answer *marks)
{
	struct buf shown = {0};

	buf_add(&shown, a->shown, strlen(a->shown));
	buf_add(&shown, a->as, strlen(a->as));
	json_write_begin(to, "commands", '[');
	json_write_text(to, NULL, buf_str(&shown));
	if (marks)
		json_write_text(to, NULL, str_of(marks->shown));
	json_write_end(to, ']');
	buf_free(&shown);
}

/* Appends the member `lines`, the number of rows on a terminal. Returns the number of rows in all. */
static size_t write_limits(const struct sections *s, struct figures *f, struct buf *to, const struct section_block *b)
{
	const struct str lines = section_text(b, "lines"), limit = section_text(b, "limit");
	int64_t rows = s->rows ? s->rows : ROWS_DEFAULT;
	struct result value = result_absent();

	if (lines.p)
		value = s->rows ? result_int(s->rows) : figures_value(f, lines);
	if (value.type != RESULT_ABSENT) {
		json_write_key(to, "lines");
		result_write(to, &value);
	}
	if (limit.p) {
		value = figures_value(f, limit);
		result_integer(&value, &rows);
	}
	return (size_t)rows;
}

/* Appends the record of a section, its rows, and the marks of the blocks before it. */
static void add_section(
    struct sections *s, struct section_run *run, const struct section_block *b, const struct answer *a)
{
	struct section_table t = {.figures = &run->figures, .block = b};
	struct buf *to = &s->sections, members = {0};
	size_t limit;

	t.id = figures_text(&run->figures, b->id, FIGURES_PLAIN);
	begin_record(to, "report/section", str_of(t.id));
	write_members(&run->figures, to, b, &members);
	limit = write_limits(s, &run->figures, to, b);
	section_table_begin(&t, to);
	write_commands(to, a, run->marks.n ? run->picture : NULL);
	end_record(to, &members);
	section_table_rows(&t, a, limit, to);
	buf_add(to, run->marks.n ? run->marks.p : "", run->marks.n);
	run->marks.n = 0;
	section_table_free(&t);
}

/* Collects the marks of a block for the next section. */
static void add_marks(struct section_run *run, const struct section_block *b, const struct answer *a)
{
	struct section_table t = {.figures = &run->figures, .block = b};
	const struct section_block *section = b;

	if (!figures_hold(&run->figures, section_text(b, "when")))
		return;
	while (section->kind != SECTION_SECTION)
		section++;
	t.id = figures_text(&run->figures, section->id, FIGURES_PLAIN);
	section_table_marks(&t, a, &run->marks);
	section_table_free(&t);
	run->picture = a;
}

/* --- files --- */

static void evaluate_block(
    struct sections *s, struct section_run *run, const struct section_block *b, const struct answer *a)
{
	struct figures *f = &run->figures;

	if (a) {
		if (section_text(b, "status").p)
			figures_set(f, section_text(b, "status"), result_int(a->status));
		rows_sum_up(f, a, b);
	} else if (b->kind == SECTION_MARKS || (!is_question(s, b) && !figures_hold(f, section_text(b, "if")))) {
		return;
	}
	evaluate_lets(f, b);
	switch (b->kind) {
	case SECTION_SECTION:
		if (a && answers_size(a))
			add_section(s, run, b, a);
		break;
	case SECTION_MARKS:
		add_marks(run, b, a);
		break;
	case SECTION_FIGURE:
		add_figure(s, f, b);
		break;
	case SECTION_FINDING:
	case SECTION_CLAIM:
		add_finding(s, f, b);
		break;
	case SECTION_VERDICT:
		add_verdict(s, f, b);
		break;
	case SECTION_FACTS:
		add_facts(s, f, b);
		break;
	default:;
	}
}

/* Makes the records of the blocks of a file, in their order. */
static void evaluate(struct sections *s, struct section_run *run)
{
	size_t i;

	for (i = 1; i < run->file->n; i++)
		evaluate_block(s, run, &run->file->blocks[i], run->answers[i]);
}

static void write_array(struct out *out, const char *key, const struct buf *elements)
{
	if (!elements->n)
		return;
	out_lit(out, ",\"");
	out_z(out, key);
	out_lit(out, "\":[");
	out_str(out, str_from(buf_str(elements), 1)); /* without the first comma */
	out_char(out, ']');
}

bool sections_write(struct sections *s, struct out *out)
{
	size_t i;

	answers_run(&s->answers);
	for (i = 0; i < s->n_runs; i++) {
		if (s->runs[i].file)
			evaluate(s, &s->runs[i]);
	}
	if (!s->verdict.n)
		return false;
	out_lit(out, "{\"kind\":\"report/verdict\"");
	out_str(out, buf_str(&s->verdict));
	write_array(out, "source", &s->sources);
	write_array(out, "facts", &s->facts);
	out_str(out, buf_str(&s->verdict_members));
	out_lit(out, "}\n");
	out_str(out, buf_str(&s->figures));
	for (i = 0; i < s->n_findings; i++)
		out_str(out, buf_str(&s->findings[i].text));
	out_str(out, buf_str(&s->sections));
	return true;
}

void sections_free(struct sections *s)
{
	size_t i;

	bufs_free(&s->verdict, &s->verdict_members, &s->sources, &s->facts, &s->figures, &s->sections);
	for (i = 0; i < s->n_findings; i++)
		buf_free(&s->findings[i].text);
	for (i = 0; i < s->n_runs; i++) {
		figures_free(&s->runs[i].figures);
		free(s->runs[i].answers);
		buf_free(&s->runs[i].marks);
	}
	free(s->findings);
	free(s->runs);
	figures_free(&s->shared);
	answers_free(&s->answers);
}

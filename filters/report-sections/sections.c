#include "sections.h"

#include "json/write.h"
#include "rows.h"
#include "section_table.h"

#include <stdlib.h>

enum { ROWS_DEFAULT = 15 };

static struct str text_of(const struct section_block *b, const char *key)
{
	return section_block_text(b, key);
}

/* Returns the text with values in place of {name}, as a C string that the caller frees. */
static char *expand(struct section_figures *f, struct str text, enum figures_form form)
{
	struct buf b = {0};

	figures_expand(f, &b, text, form);
	buf_char(&b, '\0');
	return b.p;
}

/* --- questions --- */

/*
 * The keys of a pipeline, and what is added to it to run it, and to show it. The output of a pipeline of `command` is
 * for programs; that of `table` and `sorted` is a table, and records with these options.
 */
static const struct pipeline_key {
	const char *key, *run, *show;
} pipeline_keys[] = {
    {"command", "", " | ndjson2table"},
    {"table", " -o ndjson", " -o table"},
    {"sorted", " -o ndjson", ""},
    {NULL, "", ""},
};

static const struct pipeline_key *pipeline_of(const struct section_block *b)
{
	const struct pipeline_key *k = pipeline_keys;

	while (k->key && !text_of(b, k->key).p)
		k++;
	return k;
}

/*
 * Returns the command of a block: that of its line `as`, or its pipeline after the line `after` or after the command of
 * the answer that it reads. `printed`: for users, who want a table.
 */
static char *shown_command(
    struct section_run *run, const struct answers *a, const struct section_block *b, bool printed)
{
	const struct pipeline_key *k = pipeline_of(b);
	const struct str as = text_of(b, "as"), after = text_of(b, "after");
	struct str from = b->from;
	const struct answer *source = answers_find(a, section_word(&from));
	struct buf shown = {0};

	figures_expand(&run->figures, &shown, as.p ? as : after, FIGURES_SHELL);
	if (!as.p && !after.p && source)
		buf_add(&shown, source->shown, strlen(source->shown));
	if (!as.p && k->key) {
		if (shown.n)
			buf_lit(&shown, " | ");
		figures_expand(&run->figures, &shown, text_of(b, k->key), FIGURES_SHELL);
	}
	if (!as.p && k->key && printed)
		buf_add(&shown, k->show, strlen(k->show));
	buf_char(&shown, '\0');
	return shown.p;
}

/* Asks the question of a block; returns its answer, or that of another block if this one has no pipeline. */
static struct answer *ask(struct sections *s, struct section_run *run, const struct section_block *b)
{
	const struct pipeline_key *k = pipeline_of(b);
	struct answer answer = {.from = b->from, .lenient = text_of(b, "lenient").p};
	struct str from = b->from;
	struct buf command = {0};

	if (!k->key)
		return answers_find(&s->answers, section_word(&from));
	figures_expand(&run->figures, &command, text_of(b, k->key), FIGURES_SHELL);
	buf_add(&command, k->run, strlen(k->run) + 1);
	answer.id = expand(&run->figures, b->id, FIGURES_PLAIN);
	answer.command = command.p;
	answer.shown = shown_command(run, &s->answers, b, false);
	return answers_add(&s->answers, answer);
}

static bool is_question(const struct sections *s, const struct section_block *b)
{
	return section_block_is(b, "ask") || section_block_is(b, "section") ||
	       (section_block_is(b, "marks") && s->pictures);
}

/* --- texts of several terms --- */

struct term {
	long double weight;
	struct str text; /* FIRST | OTHER */
};

/*
 * Sets a figure to the terms of a line `list NAME`: of the lines `term EXPR : FIRST | OTHER` after it, those whose
 * expression is greater than 0, the largest first. The first of them has the text FIRST, the others OTHER.
 */
static void evaluate_list(
    struct section_figures *f, struct str name, const struct section_line *line, const struct section_line *end)
{
	struct term terms[32];
	struct buf text = {0};
	struct result value;
	size_t n = 0, i;

	for (; line < end && str_eq(line->key, STR("term")) && n < sizeof terms / sizeof *terms; line++) {
		const size_t colon = str_find(line->text, STR(" : "));
		struct term term = {0, str_from(line->text, colon + 3)};

		value = figures_value(f, str_head(line->text, colon), NULL);
		term.weight = value.type == RESULT_INT ? (long double)value.i : (long double)value.d;
		if (value.type == RESULT_ABSENT || term.weight <= 0)
			continue;
		for (i = n++; i > 0 && terms[i - 1].weight < term.weight; i--)
			terms[i] = terms[i - 1];
		terms[i] = term;
	}
	for (i = 0; i < n; i++) {
		const size_t bar = str_find(terms[i].text, STR(" | "));
		struct str form = str_head(terms[i].text, bar);

		if (i > 0 && bar < terms[i].text.n)
			form = str_from(terms[i].text, bar + 3);
		if (i > 0)
			buf_lit(&text, ", ");
		buf_add(&text, form.p, form.n);
	}
	value = n ? result_text(buf_str(&text)) : (struct result){.type = RESULT_ABSENT};
	figures_set(f, name, &value);
	buf_free(&text);
}

/* Evaluates the lines `let` and `list` of a block, in their order. */
static void evaluate_lets(struct section_run *run, const struct section_block *b, struct event *e)
{
	struct str name, expression;
	struct result value;
	size_t i;

	for (i = 0; i < b->n; i++) {
		if (str_eq(b->lines[i].key, STR("list")))
			evaluate_list(&run->figures, b->lines[i].text, &b->lines[i + 1], &b->lines[b->n]);
		if (!str_eq(b->lines[i].key, STR("let")))
			continue;
		name = figures_split(&run->figures, b->lines[i].text, &expression);
		value = figures_value(&run->figures, expression, e);
		figures_set(&run->figures, name, &value);
	}
}

/* A use of a file: for each row of the answer that its line `each` names, or once. */
struct file_use {
	struct sections *s;
	const struct section_file *file;
	int64_t n;
};

static void use_file(void *arg, struct event *row)
{
	struct file_use *use = arg;
	struct sections *s = use->s;
	const struct section_file *f = use->file;
	const struct result number = result_int(++use->n);
	struct section_run *run;
	size_t i;

	s->runs = mem_grow(s->runs, &s->runs_cap, s->n_runs + 1, sizeof *s->runs);
	run = &s->runs[s->n_runs++];
	*run =
	    (struct section_run){.file = f, .figures.place = f->path, .answers = mem_zero(f->n, sizeof *run->answers)};
	figures_copy(&run->figures, &s->shared);
	figures_set(&run->figures, STR("each"), &number);
	evaluate_lets(run, &f->blocks[0], row);
	for (i = 0; i < f->n; i++) {
		if (is_question(s, &f->blocks[i]) && figures_hold(&run->figures, text_of(&f->blocks[i], "if")))
			run->answers[i] = ask(s, run, &f->blocks[i]);
	}
}

static void evaluate(struct sections *s, struct section_run *run);

void sections_ask(struct sections *s, const struct section_file *f)
{
	const struct section_block *head = &f->blocks[0], none = {.n = 0};
	const struct str each = text_of(head, "each");
	struct file_use use = {s, f, 0};
	struct rows rows;

	s->shared.place = f->path;
	if (!figures_hold(&s->shared, text_of(head, "if")))
		return;
	if (each.p) {
		rows_init(&rows, &s->shared, answers_find(&s->answers, each), &none);
		rows_read(&rows, use_file, &use);
	} else {
		use_file(&use, NULL);
	}
	if (!text_of(head, "shared").p)
		return;
	answers_run(&s->answers);
	evaluate(s, &s->runs[s->n_runs - 1]);
	figures_copy(&s->shared, &s->runs[s->n_runs - 1].figures);
	s->runs[s->n_runs - 1].file = NULL; /* it is complete */
}

/* --- records --- */

enum member_form {
	MEMBER_WORDS,  /* a text in which {name} is replaced */
	MEMBER_TEXT,   /* a text of report(5); without a figure that it names, there is no record */
	MEMBER_NOTE,   /* the same, but without a figure, there is no member */
	MEMBER_NUMBER, /* an expression; without a value, there is no record */
	MEMBER_OPTION, /* an expression */
};

struct member {
	const char *key;
	enum member_form form;
};

static const struct member figure_members[] = {{"brief", MEMBER_WORDS}, {"value", MEMBER_NUMBER},
    {"share", MEMBER_OPTION}, {"note", MEMBER_TEXT}, {"text", MEMBER_TEXT}, {NULL, MEMBER_WORDS}};
static const struct member finding_members[] = {{"saves", MEMBER_NUMBER}, {"of", MEMBER_WORDS}, {"title", MEMBER_WORDS},
    {"text", MEMBER_TEXT}, {"detail", MEMBER_TEXT}, {"advice", MEMBER_TEXT}, {"evidence", MEMBER_WORDS},
    {NULL, MEMBER_WORDS}};
static const struct member verdict_members[] = {{"text", MEMBER_TEXT}, {"detail", MEMBER_NOTE}, {NULL, MEMBER_WORDS}};
static const struct member facts_members[] = {
    {"title", MEMBER_WORDS}, {"per", MEMBER_WORDS}, {"hint", MEMBER_WORDS}, {NULL, MEMBER_WORDS}};
static const struct member section_members[] = {
    {"title", MEMBER_WORDS}, {"of", MEMBER_WORDS}, {"view", MEMBER_WORDS}, {NULL, MEMBER_WORDS}};
static const struct member marks_members[] = {
    {"mark_unit", MEMBER_WORDS}, {"text", MEMBER_WORDS}, {"note", MEMBER_NOTE}, {NULL, MEMBER_WORDS}};

static void put_value(struct buf *b, const char *key, const struct result *value)
{
	json_write_key(b, key);
	result_write(b, value);
}

/* Appends a member; returns false if the block has its key, but no value. */
static bool write_member(
    struct section_figures *f, struct buf *b, const struct member *m, struct str text, struct buf *members)
{
	struct buf filled = {0};
	struct result value;
	bool known = true;

	if (m->form == MEMBER_NUMBER || m->form == MEMBER_OPTION) {
		value = figures_value(f, text, NULL);
		known = value.type != RESULT_ABSENT;
		if (known)
			put_value(b, m->key, &value);
		return known || m->form == MEMBER_OPTION;
	}
	if (m->form == MEMBER_WORDS)
		figures_expand(f, &filled, text, FIGURES_PLAIN);
	else
		known = figures_fill(f, &filled, text, members);
	if (known && (filled.n || m->form == MEMBER_WORDS))
		json_write_text(b, str_eq(str_of(m->key), STR("evidence")) ? "section" : m->key, buf_str(&filled));
	buf_free(&filled);
	return known || m->form == MEMBER_NOTE;
}

/* Appends the members of a block, and to `members` those that their texts name. Returns whether all have a value. */
static bool write_members(struct section_figures *f, struct buf *b, const struct section_block *block,
    const struct member *m, struct buf *members)
{
	for (; m->key; m++) {
		const struct str text = text_of(block, m->key);

		if (text.p && !write_member(f, b, m, text, members))
			return false;
	}
	return true;
}

/* Begins a record: {"kind":"report/KIND","id":"ID" */
static void begin_record(struct section_figures *f, struct buf *b, const struct section_block *block)
{
	char *id = expand(f, block->id, FIGURES_PLAIN);

	buf_lit(b, "{\"kind\":\"report/");
	buf_add(b, block->kind.p, block->kind.n);
	buf_char(b, '"');
	json_write_text(b, "id", str_of(id));
	free(id);
}

/* Appends the members of a figure that its first line has: GROUP:COLOR UNIT NAME. */
static void write_figure(struct buf *b, struct str text)
{
	struct str color = section_word(&text), group;
	const struct str unit = section_word(&text);

	str_split(&color, ':', &group);
	json_write_text(b, "name", text);
	json_write_text(b, "group", group);
	if (color.p)
		json_write_text(b, "color", color);
	if (!str_eq(unit, STR("-")))
		json_write_text(b, "unit", unit);
}

/* Appends a record of kind figure or finding to `to`, if all its members have a value. */
static bool add_record(
    struct section_figures *f, struct buf *to, const struct section_block *block, const struct member *m)
{
	const size_t before = to->n;
	struct buf members = {0};
	bool known;

	begin_record(f, to, block);
	if (m == figure_members)
		write_figure(to, block->from);
	known = write_members(f, to, block, m, &members);
	buf_add(to, members.p, members.n);
	buf_lit(to, "}\n");
	if (!known)
		to->n = before;
	buf_free(&members);
	return known;
}

/* Adds a finding, before those that save less. */
static void add_finding(struct sections *s, struct section_figures *f, const struct section_block *block)
{
	const struct str text = text_of(block, "saves");
	struct sections_finding finding = {.saves = -1};
	struct result saves;
	size_t at;

	if (text.p) {
		saves = figures_value(f, text, NULL);
		finding.saves = saves.type == RESULT_INT ? (long double)saves.i : (long double)saves.d;
		if (saves.type == RESULT_ABSENT || finding.saves <= 0)
			return;
	}
	if (!add_record(f, &finding.text, block, finding_members)) {
		buf_free(&finding.text);
		return;
	}
	s->findings = mem_grow(s->findings, &s->findings_cap, s->n_findings + 1, sizeof *s->findings);
	for (at = s->n_findings++; at > 0 && s->findings[at - 1].saves < finding.saves; at--)
		s->findings[at] = s->findings[at - 1];
	s->findings[at] = finding;
}

/* Takes the verdict of a block if it weighs more than those before. */
static void add_verdict(struct sections *s, struct section_figures *f, const struct section_block *block)
{
	struct result weight = figures_value(f, text_of(block, "weight"), NULL);
	const long double w = weight.type == RESULT_INT ? (long double)weight.i : (long double)weight.d;
	struct buf text = {0};

	if (weight.type == RESULT_ABSENT || w <= s->weight ||
	    !write_members(f, &text, block, verdict_members, &s->verdict_members)) {
		buf_free(&text);
		return;
	}
	s->weight = w;
	buf_free(&s->verdict);
	s->verdict = text;
}

/* Adds the members of every verdict, and the texts of the lines `source` and `fact`, if their figures are known. */
static void add_facts(struct sections *s, struct section_figures *f, const struct section_block *block)
{
	struct buf filled = {0};
	size_t i;

	write_members(f, &s->verdict_members, block, facts_members, NULL);
	for (i = 0; i < block->n; i++) {
		const bool source = str_eq(block->lines[i].key, STR("source"));

		filled.n = 0;
		if ((source || str_eq(block->lines[i].key, STR("fact"))) &&
		    figures_fill(f, &filled, block->lines[i].text, &s->verdict_members))
			json_write_text(source ? &s->sources : &s->facts, NULL, buf_str(&filled));
	}
	buf_free(&filled);
}

/* --- sections --- */

static void begin_table(struct section_table *t, struct section_run *run, const struct section_block *b, size_t limit)
{
	*t = (struct section_table){.figures = &run->figures, .block = b, .limit = limit};
	t->id = expand(&run->figures, b->id, FIGURES_PLAIN);
}

static void end_table(struct section_table *t)
{
	section_table_free(t);
	free((char *)t->id);
}

/* Returns the section block to which marks belong: the next one. */
static const struct section_block *marked_section(const struct section_block *b)
{
	while (!section_block_is(b, "section"))
		b++;
	return b;
}

static void add_marks(struct section_run *run, const struct section_block *b, const struct answer *a)
{
	struct section_table t;

	if (!a || !figures_hold(&run->figures, text_of(b, "when")))
		return;
	begin_table(&t, run, marked_section(b), 0);
	t.block = b;
	section_table_marks(&t, a, &run->marks);
	end_table(&t);
	if (text_of(b, "text").p && run->marks.n) {
		run->marks_block = b;
		run->marks_command = a->shown;
	}
}

/* Appends the commands that print the figures and the picture of a section. */
static void write_commands(struct sections *s, struct section_run *run, struct buf *to, const struct section_block *b)
{
	char *shown = shown_command(run, &s->answers, b, true);

	json_write_begin(to, "commands", '[');
	json_write_text(to, NULL, str_of(shown));
	if (run->marks_block)
		json_write_text(to, NULL, str_of(run->marks_command));
	json_write_end(to, ']');
	free(shown);
}

/* Appends the member `lines`: the number of rows on a terminal. */
static void write_lines(
    const struct sections *s, struct section_run *run, struct buf *to, const struct section_block *b)
{
	const struct str text = text_of(b, "lines");
	struct result lines;

	if (!text.p)
		return;
	lines = s->rows ? result_int(s->rows) : figures_value(&run->figures, text, NULL);
	if (lines.type != RESULT_ABSENT)
		put_value(to, "lines", &lines);
}

static size_t row_limit(const struct sections *s, struct section_run *run, const struct section_block *b)
{
	const struct str text = text_of(b, "limit");
	int64_t limit = s->rows ? s->rows : ROWS_DEFAULT;
	struct result value;

	if (text.p) {
		value = figures_value(&run->figures, text, NULL);
		result_integer(&value, &limit);
	}
	return (size_t)limit;
}

/* Appends the record of a section, its rows and its marks, if there is at least one row. */
static void add_section(
    struct sections *s, struct section_run *run, const struct section_block *b, const struct answer *a)
{
	struct buf *to = &s->sections, members = {0};
	struct section_figures *f = &run->figures;
	struct section_table t;

	if (!a || answers_empty(a))
		return;
	begin_table(&t, run, b, row_limit(s, run, b));
	begin_record(f, to, b);
	write_members(f, to, b, section_members, &members);
	section_table_begin(&t, to);
	write_lines(s, run, to, b);
	write_commands(s, run, to, b);
	write_members(f, to, run->marks_block ? run->marks_block : b, marks_members, &members);
	buf_add(to, members.p, members.n);
	buf_lit(to, "}\n");
	section_table_rows(&t, a, to);
	buf_add(to, run->marks.n ? run->marks.p : "", run->marks.n);
	end_table(&t);
	buf_free(&members);
	run->marks.n = 0;
	run->marks_block = NULL;
}

/* --- files --- */

static void evaluate_question(
    struct sections *s, struct section_run *run, const struct section_block *b, const struct answer *a)
{
	struct rows rows;

	if (a) {
		if (text_of(b, "status").p)
			figures_set(
			    &run->figures, text_of(b, "status"), &(struct result){.type = RESULT_INT, .i = a->status});
		rows_init(&rows, &run->figures, a, b);
		rows_sum_up(&rows);
		rows_free(&rows);
	}
	evaluate_lets(run, b, NULL);
	if (section_block_is(b, "section"))
		add_section(s, run, b, a);
	else if (section_block_is(b, "marks"))
		add_marks(run, b, a);
}

static void evaluate_block(struct sections *s, struct section_run *run, const struct section_block *b)
{
	struct section_figures *f = &run->figures;

	if (!figures_hold(f, text_of(b, "if")))
		return;
	evaluate_lets(run, b, NULL);
	if (section_block_is(b, "figure"))
		add_record(f, &s->figures, b, figure_members);
	else if (section_block_is(b, "finding"))
		add_finding(s, f, b);
	else if (section_block_is(b, "verdict"))
		add_verdict(s, f, b);
	else
		add_facts(s, f, b);
}

/* Makes the records of the blocks of a file, in their order. */
static void evaluate(struct sections *s, struct section_run *run)
{
	size_t i;

	for (i = 1; i < run->file->n; i++) {
		const struct section_block *b = &run->file->blocks[i];

		if (is_question(s, b))
			evaluate_question(s, run, b, run->answers[i]);
		else if (!section_block_is(b, "marks"))
			evaluate_block(s, run, b);
	}
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
	struct buf *bufs[] = {&s->verdict, &s->verdict_members, &s->sources, &s->facts, &s->figures, &s->sections};
	size_t i;

	for (i = 0; i < sizeof bufs / sizeof *bufs; i++)
		buf_free(bufs[i]);
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

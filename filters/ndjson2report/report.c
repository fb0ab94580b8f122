#include "report.h"

#include "report_private.h"
#include "report_text.h"

#include <stdlib.h>

/*
 * Each function take_*() adds the record to the report, which then owns it. If the record cannot be used, the function
 * frees it, reports the loss, and returns false.
 */

static bool drop(struct report_record *record, const struct report_problems *p, const char *why)
{
	report_record_free(record);
	report_lost(p, why);
	return false;
}

/* Checks the placeholders in each text of a list. */
static struct report_texts templates(const struct report_record *r, const char *name, const struct report_problems *p)
{
	struct report_texts texts = report_member_texts(r, name, p);
	size_t i;

	for (i = 0; i < texts.n; i++)
		report_template_check(r, texts.list[i], p);
	return texts;
}

static bool take_verdict(struct report *r, struct report_record *record, const struct report_problems *p)
{
	struct report_verdict *v = &r->verdict;

	if (r->has_verdict)
		return drop(record, p, "second verdict; skipped");
	r->has_verdict = true;
	v->record = *record;
	v->title = report_member_text(record, "title", p);
	v->source = templates(record, "source", p);
	v->facts = templates(record, "facts", p);
	v->text = report_member_template(record, "text", p);
	v->detail = report_member_template(record, "detail", p);
	v->per = report_member_text(record, "per", p);
	v->hint = report_member_text(record, "hint", p);
	return true;
}

static bool take_figure(struct report *r, struct report_record *record, const struct report_problems *p)
{
	static const char *const groups[] = {"parts", "tiles", "line", NULL};
	struct report_figure *f;

	if (r->n_figures == REPORT_FIGURES)
		return drop(record, p, "more than 100 figures; skipped");
	r->figures = mem_grow(r->figures, &r->cap_figures, r->n_figures + 1, sizeof *r->figures);
	f = &r->figures[r->n_figures++];
	*f = (struct report_figure){.record = *record};
	f->id = report_member_text(record, "id", p);
	f->name = report_member_text(record, "name", p);
	f->brief = report_member_text(record, "brief", p);
	if (!f->brief.n)
		f->brief = f->name;
	f->unit = report_unit_of(report_member_text(record, "unit", p), p);
	f->value = report_record_get(record, STR("value"));
	f->share = report_record_get(record, STR("share"));
	f->group = (enum report_group)report_member_word(record, "group", groups, REPORT_TILES, p);
	f->color = report_member_color(record, p);
	f->note = report_member_template(record, "note", p);
	f->text = report_member_template(record, "text", p);
	return true;
}

static bool take_finding(struct report *r, struct report_record *record, const struct report_problems *p)
{
	static const char *const whole[] = {"step", "host", "run", NULL};
	struct report_finding *f;

	if (r->n_findings == REPORT_FINDINGS)
		return drop(record, p, "more than 100 findings; skipped");
	r->findings = mem_grow(r->findings, &r->cap_findings, r->n_findings + 1, sizeof *r->findings);
	f = &r->findings[r->n_findings++];
	*f = (struct report_finding){.record = *record};
	f->id = report_member_text(record, "id", p);
	f->section = report_member_text(record, "section", p);
	f->saves = report_record_get(record, STR("saves"));
	if (f->saves.type != VALUE_NONE && !report_is_number(&f->saves)) {
		report_lost(p, "saves is not a number; left out");
		f->saves.type = VALUE_NONE;
	}
	f->of = (enum report_saves_of)report_member_word(record, "of", whole, REPORT_SAVES_STEP, p);
	f->title = report_member_template(record, "title", p);
	f->text = report_member_template(record, "text", p);
	f->detail = report_member_template(record, "detail", p);
	f->advice = report_member_template(record, "advice", p);
	return true;
}

static struct report_section *find_section(const struct report *r, struct str id)
{
	size_t i;

	for (i = r->n_sections; i-- > 0;) {
		if (str_eq(r->sections[i].id, id))
			return &r->sections[i];
	}
	return NULL;
}

const struct report_section *report_section(const struct report *r, struct str id)
{
	return find_section(r, id);
}

static bool take_section(struct report *r, struct report_record *record, const struct report_problems *p)
{
	const struct str id = report_member_text(record, "id", p);
	struct report_section *s;

	if (!id.n || find_section(r, id))
		return drop(
		    record, p, id.n ? "second section with the same id; skipped" : "section without an id; skipped");
	if (r->n_sections == REPORT_SECTIONS)
		return drop(record, p, "more than 100 sections; skipped");
	r->sections = mem_grow(r->sections, &r->cap_sections, r->n_sections + 1, sizeof *r->sections);
	s = &r->sections[r->n_sections++];
	*s = (struct report_section){.record = *record, .id = id};
	report_section_read(s, p);
	return true;
}

static bool take_row(struct report *r, struct report_record *record, const struct report_problems *p)
{
	struct report_section *s = find_section(r, report_member_text(record, "section", p));

	if (!s)
		return drop(record, p, "row of a section that is unknown or follows later; skipped");
	return report_section_add(s, record, p);
}

static bool take_mark(struct report *r, struct report_record *record, const struct report_problems *p)
{
	struct report_section *s = find_section(r, report_member_text(record, "section", p));

	if (!s)
		return drop(record, p, "mark of a section that is unknown or follows later; skipped");
	return report_picture_add(&s->picture, record, p);
}

void report_take(struct report *r, struct event *e, struct diagnostics *d, struct fault_place at)
{
	static const struct {
		const char *kind;
		bool (*take)(struct report *r, struct report_record *record, const struct report_problems *p);
	} kinds[] = {
	    {"report/verdict", take_verdict},
	    {"report/figure", take_figure},
	    {"report/finding", take_finding},
	    {"report/section", take_section},
	    {"report/row", take_row},
	    {"report/mark", take_mark},
	};
	const struct report_problems problems = {d, at}, *p = &problems;
	struct report_record record;
	bool cut = false;
	struct str kind;
	size_t i;

	if (e->raw.n > REPORT_BYTES - r->bytes) {
		report_lost(p, "report larger than 16 MiB; skipped");
		return;
	}
	if (!report_record_copy(&record, e->raw, &cut)) {
		report_lost(p, "record with more than 256 members; skipped");
		return;
	}
	kind = report_record_text(&record, "kind");
	for (i = 0; i < sizeof kinds / sizeof *kinds && !str_eq(kind, str_of(kinds[i].kind)); i++)
		;
	if (i == sizeof kinds / sizeof *kinds) {
		drop(&record, p, "not a record of a report; skipped");
		return;
	}
	if (cut)
		diagnostics_add(d, DIAGNOSTICS_NOTE, "text longer than 4096 bytes; cut", at);
	if (kinds[i].take(r, &record, p))
		r->bytes += record.size < REPORT_BYTES - r->bytes ? record.size : REPORT_BYTES - r->bytes;
}

void report_free(struct report *r)
{
	size_t i;

	report_record_free(&r->verdict.record);
	report_texts_free(&r->verdict.source);
	report_texts_free(&r->verdict.facts);
	for (i = 0; i < r->n_figures; i++)
		report_record_free(&r->figures[i].record);
	for (i = 0; i < r->n_findings; i++)
		report_record_free(&r->findings[i].record);
	for (i = 0; i < r->n_sections; i++)
		report_section_free(&r->sections[i]);
	free(r->figures);
	free(r->findings);
	free(r->sections);
	*r = (struct report){0};
}

/* report_members: reads the members of the records of a report, and reports those that are wrong. */
#include "report_private.h"
#include "report_text.h"

struct str report_member_text(const struct report_record *r, const char *name, const struct report_problems *p)
{
	const struct value v = report_record_get(r, str_of(name));

	if (v.type == VALUE_STRING)
		return v.text;
	if (v.type != VALUE_NONE)
		report_lost(p, "text member is not a string; left out");
	return STR("");
}

void report_template_check(const struct report_record *r, struct str text, const struct report_problems *p)
{
	struct report_piece piece;
	struct report_text t;

	report_text_begin(&t, r, text);
	while (report_text_next(&t, &piece))
		;
	if (t.fault == REPORT_TEXT_ABSENT)
		report_lost(p, "text refers to a member that the record does not have; printed as ?");
	else if (t.fault == REPORT_TEXT_UNIT)
		report_warning(p, "unknown unit in a text, or unit that does not fit the value");
	else if (t.fault == REPORT_TEXT_UNCLOSED)
		report_warning(p, "text has a { without a }; write {{ for a brace");
}

struct str report_member_template(const struct report_record *r, const char *name, const struct report_problems *p)
{
	const struct str text = report_member_text(r, name, p);

	report_template_check(r, text, p);
	return text;
}

struct report_texts report_member_texts(
    const struct report_record *r, const char *name, const struct report_problems *p)
{
	const struct value v = report_record_get(r, str_of(name));
	struct report_texts texts;

	if (!report_texts_read(&texts, &v))
		report_lost(p, "member is not an array of texts; left out");
	return texts;
}

size_t report_member_word(const struct report_record *r, const char *name, const char *const *words, size_t absent,
    const struct report_problems *p)
{
	const struct str text = report_member_text(r, name, p);
	size_t i;

	for (i = 0; words[i]; i++) {
		if (str_eq(text, str_of(words[i])))
			return i;
	}
	if (text.n)
		report_warning(p, "unknown value of group, view or of; default used");
	return absent;
}

uint64_t report_member_count(const struct report_record *r, const char *name, const struct report_problems *p)
{
	const struct value v = report_record_get(r, str_of(name));

	if (v.type == VALUE_INT && v.i >= 0)
		return (uint64_t)v.i;
	if (v.type != VALUE_NONE)
		report_lost(p, "lines, rest, depth or count is not an integer >= 0; left out");
	return 0;
}

enum color report_color_of(struct str name, const struct report_problems *p)
{
	enum color i;

	for (i = 0; i < COLOR_MEANINGS && !str_eq(name, str_of(color_meaning(i))); i++)
		;
	if (i == COLOR_MEANINGS && name.n)
		report_warning(p, "unknown color; not used");
	return i;
}

enum color report_member_color(const struct report_record *r, const struct report_problems *p)
{
	return report_color_of(report_member_text(r, "color", p), p);
}

struct report_unit report_unit_of(struct str name, const struct report_problems *p)
{
	struct report_unit unit;

	if (!report_unit_read(&unit, name) && name.n)
		report_warning(p, "unknown unit; values are printed as plain numbers");
	return unit;
}

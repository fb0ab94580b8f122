#include "report_pieces.h"

void report_text_begin(struct report_text *t, const struct report_record *record, struct str text)
{
	*t = (struct report_text){.record = record, .rest = text};
}

static void set_fault(struct report_text *t, enum report_text_fault fault)
{
	if (!t->fault)
		t->fault = fault;
}

/* Returns the length of the plain text at the start of s. */
static size_t plain_length(struct str s)
{
	const char *brace = memchr(s.p, '{', s.n);

	return brace ? (size_t)(brace - s.p) : s.n;
}

/* Makes the piece for a placeholder, given the text between its braces. */
static void expand(struct report_text *t, struct str placeholder, struct report_piece *piece)
{
	const size_t colon = str_find(placeholder, STR(":"));
	const struct value v = report_record_get(t->record, str_head(placeholder, colon));
	struct report_unit unit = {.decimals = -1};
	struct report_number before = t->number;

	if (colon < placeholder.n && !report_unit_read(&unit, str_from(placeholder, colon + 1)))
		set_fault(t, REPORT_TEXT_UNIT);
	if (v.type == VALUE_NONE) {
		set_fault(t, REPORT_TEXT_ABSENT);
		*piece = (struct report_piece){REPORT_PIECE_TEXT, STR("?"), ""};
	} else if (report_is_number(&v) && !report_unit_is_text(&unit)) {
		report_number_put(&t->number, &unit, &v, t->any_number ? &before : NULL);
		t->any_number = true;
		*piece = (struct report_piece){REPORT_PIECE_NUMBER, report_number_text(&t->number), t->number.unit};
	} else {
		if (unit.measure != REPORT_MEASURE_NONE && !report_unit_is_text(&unit))
			set_fault(t, REPORT_TEXT_UNIT);
		*piece = (struct report_piece){
		    unit.measure == REPORT_MEASURE_TEXT ? REPORT_PIECE_TEXT : REPORT_PIECE_NAME, v.text, ""};
	}
}

bool report_text_next(struct report_text *t, struct report_piece *piece)
{
	size_t n, end;

	if (!t->rest.n)
		return false;
	n = plain_length(t->rest);
	if (n) {
		*piece = (struct report_piece){REPORT_PIECE_TEXT, str_head(t->rest, n), ""};
		t->rest = str_from(t->rest, n);
		return true;
	}
	end = str_find(t->rest, STR("}"));
	if (str_starts(t->rest, STR("{{")) || end == t->rest.n) {
		if (!str_starts(t->rest, STR("{{")))
			set_fault(t, REPORT_TEXT_UNCLOSED);
		*piece = (struct report_piece){REPORT_PIECE_TEXT, STR("{"), ""};
		t->rest = str_from(t->rest, str_starts(t->rest, STR("{{")) ? 2 : 1);
		return true;
	}
	expand(t, (struct str){t->rest.p + 1, end - 1}, piece);
	t->rest = str_from(t->rest, end + 1);
	return true;
}

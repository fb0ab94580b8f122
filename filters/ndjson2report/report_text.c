#include "report_text.h"

/* A text that is being written. */
struct expansion {
	const struct report_writer *w;
	const struct report_record *record;
	struct report_number number; /* the last one */
	bool any_number;
	enum report_text_fault fault;
	size_t written; /* bytes of the pieces */
};

static void set_fault(struct expansion *x, enum report_text_fault fault)
{
	if (!x->fault)
		x->fault = fault;
}

static void write_piece(
    struct expansion *x, void (*write)(const struct report_writer *w, struct str text), struct str piece)
{
	write(x->w, piece);
	x->written += piece.n;
}

/* Writes the value of a placeholder, given the text between its braces. */
static void expand(struct expansion *x, struct str placeholder)
{
	const size_t colon = str_find(placeholder, STR(":"));
	const struct value v = report_record_get(x->record, str_head(placeholder, colon));
	struct report_unit unit = {.decimals = -1};
	struct report_number before = x->number;

	if (colon < placeholder.n && !report_unit_read(&unit, str_from(placeholder, colon + 1)))
		set_fault(x, REPORT_TEXT_UNIT);
	if (v.type == VALUE_NONE) {
		set_fault(x, REPORT_TEXT_ABSENT);
		write_piece(x, x->w->text, STR("?"));
	} else if (report_is_number(&v) && !report_unit_is_text(&unit)) {
		report_number_put(&x->number, &unit, &v, x->any_number ? &before : NULL);
		x->any_number = true;
		x->w->number(x->w, report_number_text(&x->number), x->number.unit);
		x->written += x->number.n;
	} else {
		if (unit.measure != REPORT_MEASURE_NONE && !report_unit_is_text(&unit))
			set_fault(x, REPORT_TEXT_UNIT);
		write_piece(x, unit.measure == REPORT_MEASURE_TEXT ? x->w->text : x->w->name, v.text);
	}
}

enum report_text_fault report_text_write(
    const struct report_writer *w, const struct report_record *record, struct str text)
{
	struct expansion x = {.w = w, .record = record};
	size_t n;

	for (; text.n; text = str_from(text, n)) {
		if (w->most && x.written >= w->most) {
			w->text(w, STR("…"));
			break;
		}
		n = str_find(text, STR("{"));
		if (n) {
			write_piece(&x, w->text, str_head(text, n));
			continue;
		}
		n = str_find(text, STR("}"));
		if (!str_starts(text, STR("{{")) && n < text.n) {
			expand(&x, (struct str){text.p + 1, n - 1});
			n++;
			continue;
		}
		n = str_starts(text, STR("{{")) ? 2 : 1;
		if (n == 1)
			set_fault(&x, REPORT_TEXT_UNCLOSED);
		write_piece(&x, w->text, STR("{"));
	}
	return x.fault;
}

void report_value_write(
    const struct report_writer *w, const struct report_unit *unit, const struct value *v, bool with_unit)
{
	struct report_number number;

	if (v->type == VALUE_NONE)
		return;
	if (report_is_number(v) && !report_unit_is_text(unit)) {
		report_number_put(&number, unit, v, NULL);
		w->number(w, report_number_text(&number), with_unit || !report_unit_in_title(unit) ? number.unit : "");
	} else if (unit->measure == REPORT_MEASURE_TEXT) {
		w->text(w, v->text);
	} else {
		w->name(w, v->text);
	}
}

static void write_digits_of(const struct report_writer *w, const char *unit_word, const char *digits, const char *end)
{
	struct report_unit unit;
	struct value value;

	value_of(&value, (struct str){digits, (size_t)(end - digits)});
	report_unit_read(&unit, str_of(unit_word));
	report_value_write(w, &unit, &value, true);
}

void report_real_write(const struct report_writer *w, const char *unit, double v)
{
	char digits[NUM_ROOM];

	write_digits_of(w, unit, digits, num_put_double(digits, v));
}

void report_int_write(const struct report_writer *w, const char *unit, uint64_t v)
{
	char digits[NUM_ROOM];

	write_digits_of(w, unit, digits, num_put_u64(digits, v));
}

void report_others_write(const struct report_writer *w, uint64_t n)
{
	report_int_write(w, "count", n);
	w->text(w, n == 1 ? STR(" other") : STR(" others"));
}

#include "report_text.h"

#include <math.h>

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

/* Writes a number in a unit of report(5), "share.1" or "count". `end` is the end of its digits. */
static void write_digits_of(const struct report_writer *w, const char *unit_word, const char *digits, const char *end)
{
	struct report_unit unit;
	struct value value;

	value_of(&value, (struct str){digits, (size_t)(end - digits)});
	report_unit_read(&unit, str_of(unit_word));
	report_value_write(w, &unit, &value, true);
}

/* Writes v * steps / per, where v * steps is rounded to an integer. */
static void write_number(struct buf *to, double v, double steps, double per)
{
	char *end = num_put_double(buf_room(to, NUM_ROOM), floor(v * steps + 0.5) / per);

	to->n = (size_t)(end - to->p);
}

/* Writes the argument of a directive. */
static void write_argument(const struct report_writer *w, char directive, va_list *ap)
{
	struct report_writer sentence = *w;
	const struct report_record *record;
	const struct report_unit *unit;
	char digits[NUM_ROOM];
	struct str text;
	uint64_t count;

	switch (directive) {
	case 'n':
		w->name(w, va_arg(*ap, struct str));
		break;
	case 'p':
		w->text(w, va_arg(*ap, struct str));
		break;
	case 'r':
		sentence.cell = false;
		record = va_arg(*ap, const struct report_record *);
		report_text_write(&sentence, record, va_arg(*ap, struct str));
		break;
	case 'v':
	case 'b':
		unit = va_arg(*ap, const struct report_unit *);
		report_value_write(w, unit, va_arg(*ap, const struct value *), directive == 'v');
		break;
	case 'i':
	case 'o':
		count = va_arg(*ap, uint64_t);
		write_digits_of(w, "count", digits, num_put_u64(digits, count));
		if (directive == 'o')
			w->text(w, count == 1 ? STR(" other") : STR(" others"));
		break;
	case 's':
		write_digits_of(w, "share.1", digits, num_put_double(digits, va_arg(*ap, double)));
		break;
	case 'w':
		write_number(w->to, va_arg(*ap, double), 1e6, 1e4);
		buf_char(w->to, '%');
		break;
	case 'f':
		write_number(w->to, va_arg(*ap, double), 100, 100);
		break;
	case 't':
	case 'h':
		text = directive == 't' ? str_of(va_arg(*ap, const char *)) : va_arg(*ap, struct str);
		buf_add(w->to, text.p, text.n);
		break;
	default:
		buf_char(w->to, directive);
	}
}

void report_put_list(const struct report_writer *w, const char *format, va_list *ap)
{
	struct str rest = str_of(format);
	size_t n;

	for (; rest.n; rest = str_from(rest, n + 2)) {
		n = str_find(rest, STR("%"));
		buf_add(w->to, rest.p, n);
		if (n == rest.n)
			break;
		write_argument(w, rest.p[n + 1], ap);
	}
}

void report_put(const struct report_writer *w, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	report_put_list(w, format, &ap);
	va_end(ap);
}

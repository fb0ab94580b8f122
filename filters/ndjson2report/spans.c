#include "spans.h"

#include "base/escape.h"

enum { SPAN_END = SPAN_NUMBER + 1 }; /* kinds and SPAN_END are the control characters around a span */

bool span_next(struct str *rest, struct span *span)
{
	const bool marked = rest->n && (unsigned char)rest->p[0] < SPAN_END;
	size_t n = 0;

	if (!rest->n)
		return false;
	span->kind = marked ? (enum span_kind)rest->p[0] : SPAN_TEXT;
	*rest = str_from(*rest, marked);
	while (n < rest->n && (unsigned char)rest->p[n] > SPAN_END)
		n++;
	span->text = str_head(*rest, n);
	*rest = str_from(*rest, n + marked);
	return true;
}

/* --- pieces --- */

static void append_text(struct buf *to, struct str text)
{
	escape_text(to, ESCAPE_PLAIN, text);
}

static void append_name(struct buf *to, struct str name)
{
	buf_char(to, SPAN_NAME);
	append_text(to, name.n ? name : STR("\"\""));
	buf_char(to, SPAN_END);
}

static void append_number(struct buf *to, struct str digits, const char *unit)
{
	buf_char(to, SPAN_NUMBER);
	buf_add(to, digits.p, digits.n);
	buf_add(to, " ", *unit ? 1 : 0);
	buf_add(to, unit, strlen(unit));
	buf_char(to, SPAN_END);
}

static void append_value(struct buf *to, const struct report_unit *unit, const struct value *v, bool with_unit)
{
	struct report_number number;

	if (v->type == VALUE_NONE)
		return;
	if (value_is_number(v) && !report_unit_is_text(unit)) {
		report_number_put(&number, unit, v, NULL);
		append_number(
		    to, report_number_text(&number), with_unit || !report_unit_in_title(unit) ? number.unit : "");
	} else if (unit->kind == REPORT_VALUE_TEXT) {
		append_text(to, v->text);
	} else {
		append_name(to, v->text);
	}
}

/* --- texts with placeholders --- */

/* A text that is being written. */
struct expansion {
	struct buf *to;
	const struct record *record;
	struct report_number number; /* the last one */
	bool any_number;
};

/* Writes the value of a placeholder, given the text between its braces. */
static void expand(struct expansion *x, struct str placeholder)
{
	static const char bad_unit[] = "unknown unit in a text, or unit that does not fit the value";
	const size_t colon = str_find(placeholder, STR(":"));
	const struct value v = record_value(x->record, str_head(placeholder, colon));
	const struct report_number before = x->number;
	struct report_unit unit = {.decimals = -1};

	if (colon < placeholder.n && !report_unit_read(&unit, str_from(placeholder, colon + 1)))
		record_warning(x->record, bad_unit);
	if (v.type == VALUE_NONE) {
		record_lost(x->record, "text refers to a member that the record does not have; printed as ?");
		append_text(x->to, STR("?"));
	} else if (value_is_number(&v) && !report_unit_is_text(&unit)) {
		report_number_put(&x->number, &unit, &v, x->any_number ? &before : NULL);
		x->any_number = true;
		append_number(x->to, report_number_text(&x->number), x->number.unit);
	} else {
		if (unit.kind != REPORT_VALUE_NONE && !report_unit_is_text(&unit))
			record_warning(x->record, bad_unit);
		append_value(x->to, &unit, &v, true);
	}
}

void spans_expand(struct buf *to, const struct record *record, struct str text)
{
	struct expansion x = {.to = to, .record = record};
	size_t n;

	for (; text.n; text = str_from(text, n)) {
		if (to->n > SPANS_MOST) {
			buf_lit(to, "…");
			break;
		}
		n = str_find(text, STR("{"));
		if (n) {
			append_text(to, str_head(text, n));
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
			record_warning(record, "text has a { without a }; write {{ for a brace");
		append_text(to, STR("{"));
	}
}

/* --- arguments --- */

/* Writes a number in a unit of report(5), "share.1" or "count". `end` is the end of its digits. */
static void append_digits(struct buf *to, struct str unit_word, const char *digits, const char *end)
{
	struct report_unit unit;
	struct value value;

	value_of(&value, (struct str){digits, (size_t)(end - digits)});
	report_unit_read(&unit, unit_word);
	append_value(to, &unit, &value, true);
}

void spans_put_argument(struct buf *to, char directive, va_list *ap)
{
	const struct report_unit *unit;
	struct report_number number;
	struct report_unit share;
	char digits[NUM_ROOM];
	struct value value;
	struct span span;
	struct str text;
	uint64_t count;

	switch (directive) {
	case 'n':
		append_name(to, va_arg(*ap, struct str));
		break;
	case 'p':
		append_text(to, va_arg(*ap, struct str));
		break;
	case 'v':
	case 'b':
		unit = va_arg(*ap, const struct report_unit *);
		append_value(to, unit, va_arg(*ap, const struct value *), directive == 'v');
		break;
	case 'i':
	case 'o':
		count = va_arg(*ap, uint64_t);
		append_digits(to, STR("count"), digits, num_put_u64(digits, count));
		if (directive == 'o')
			append_text(to, count == 1 ? STR(" other") : STR(" others"));
		break;
	case 's':
		append_digits(to, STR("share.1"), digits, num_put_double(digits, va_arg(*ap, double)));
		break;
	case 'r':
		value_of(&value, (struct str){digits, (size_t)(num_put_double(digits, va_arg(*ap, double)) - digits)});
		report_unit_read(&share, STR("share"));
		report_number_put(&number, &share, &value, NULL);
		buf_add(to, number.text, number.n);
		buf_char(to, '%');
		break;
	case 'u':
		text = va_arg(*ap, struct str);
		buf_char(to, SPAN_NUMBER);
		while (span_next(&text, &span))
			buf_add(to, span.text.p, span.text.n);
		buf_char(to, SPAN_END);
		break;
	default:
		text = directive == 't' ? str_of(va_arg(*ap, const char *)) : va_arg(*ap, struct str);
		buf_add(to, text.p, text.n);
	}
}

void spans_put_list(struct buf *to, const char *format, va_list *ap)
{
	struct str rest = str_of(format);
	size_t n;

	for (; rest.n; rest = str_from(rest, n + 2)) {
		n = str_find(rest, STR("%"));
		buf_add(to, rest.p, n);
		if (n < rest.n)
			spans_put_argument(to, rest.p[n + 1], ap);
	}
}

void spans_put(struct buf *to, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	spans_put_list(to, format, &ap);
	va_end(ap);
}

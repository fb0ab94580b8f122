#include "html.h"

#include "base/escape.h"

#include <math.h>

/* --- texts --- */

static void put_escaped(struct buf *to, struct str text)
{
	escape_text(to, ESCAPE_HTML, text);
}

/* Appends a text, with <wbr> where its lines may end. */
static void put_wrapped(struct buf *to, struct str text)
{
	size_t i, begin = 0;

	for (i = 1; i < text.n; i++) {
		const char c = text.p[i - 1];

		if (c != '_' && c != ',' && c != '<' && c != '.' && (c != ':' || i < 2 || text.p[i - 2] != ':'))
			continue;
		put_escaped(to, str_from(str_head(text, i), begin));
		buf_lit(to, "<wbr>");
		begin = i;
	}
	put_escaped(to, str_from(text, begin));
}

/* Appends a text with `put`; if it has more than `most` bytes, only its head and its tail. */
static void put_cut(struct buf *to, struct str text, size_t most, void (*put)(struct buf *to, struct str text))
{
	size_t n = most - most / 3, at = text.n - most / 3;

	if (text.n <= most) {
		put(to, text);
		return;
	}
	while (n && utf8_continues(text.p[n]))
		n--;
	while (at < text.n && utf8_continues(text.p[at]))
		at++;
	put(to, str_head(text, n));
	buf_lit(to, "…");
	put(to, str_from(text, at));
}

void html_name(struct html *p, struct str name)
{
	put_cut(&p->to, name, p->limits->name, put_wrapped);
}

void html_span(struct html *p, const struct span *span)
{
	const size_t n = span->kind == SPAN_NUMBER ? str_find(span->text, STR(" ")) : span->text.n;

	put_cut(
	    &p->to, str_head(span->text, n), span->kind == SPAN_NAME ? p->limits->name : p->limits->text, put_escaped);
	if (n < span->text.n) { /* a number and its unit stay on one line */
		buf_lit(&p->to, "\xc2\xa0");
		put_escaped(&p->to, str_from(span->text, n + 1));
	}
}

/* Appends a text; with `elements`, its names are elements. */
static void put_spans(struct html *p, struct str text, bool elements)
{
	size_t written = 0;
	struct span span;

	while (span_next(&text, &span)) {
		const bool element = elements && span.kind == SPAN_NAME;

		if (written >= p->limits->text) {
			buf_lit(&p->to, "…");
			break;
		}
		written += span.text.n;
		html_put(p, element ? "<code>" : "");
		html_span(p, &span);
		html_put(p, element ? "</code>" : "");
	}
}

/* --- markup --- */

/* Writes v * steps / per, where v * steps is rounded to an integer. */
static void put_rounded(struct buf *to, double v, double steps, double per)
{
	char *end = num_put_double(buf_room(to, NUM_ROOM), floor(v * steps + 0.5) / per);

	to->n = (size_t)(end - to->p);
}

/* Writes the argument of a directive. */
static void put_argument(struct html *p, char directive, va_list *ap)
{
	const char *text;

	switch (directive) {
	case 'm':
		put_spans(p, va_arg(*ap, struct str), true);
		break;
	case 'w':
		put_rounded(&p->to, va_arg(*ap, double), 1e6, 1e4);
		buf_char(&p->to, '%');
		break;
	case 'f':
		put_rounded(&p->to, va_arg(*ap, double), 100, 100);
		break;
	case 't':
		text = va_arg(*ap, const char *);
		buf_add(&p->to, text, strlen(text));
		break;
	case '%':
		buf_char(&p->to, '%');
		break;
	default:
		p->text.n = 0;
		spans_put_argument(&p->text, directive, ap);
		put_spans(p, buf_str(&p->text), false);
	}
}

void html_put(struct html *p, const char *format, ...)
{
	struct str rest = str_of(format);
	va_list ap;
	size_t n;

	va_start(ap, format);
	for (; rest.n; rest = str_from(rest, n + 2)) {
		n = str_find(rest, STR("%"));
		buf_add(&p->to, rest.p, n);
		if (n < rest.n)
			put_argument(p, rest.p[n + 1], &ap);
	}
	va_end(ap);
}

const char *html_color(enum color color)
{
	if (color >= COLOR_SERIES_0 && color < COLOR_HEAT_0 + COLORS_HEAT)
		return color_name(color);
	return color < COLOR_MEANINGS ? color_meaning(color) : "plain";
}

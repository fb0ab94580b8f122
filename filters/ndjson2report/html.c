#include "html.h"

#include <math.h>
#include <stdarg.h>

enum { RESERVE = 16000 }; /* bytes that items leave free for the end of their section */

/* --- texts --- */

/* Returns whether the byte at that offset continues a UTF-8 character. */
static bool is_inside(struct str s, size_t at)
{
	return at < s.n && ((unsigned char)s.p[at] & 0xc0) == 0x80;
}

/* Appends a text with `put`; if it has more than `most` bytes, only its head and its tail. */
static void put_cut(struct buf *to, struct str text, size_t most, void (*put)(struct buf *to, struct str text))
{
	size_t n = most - most / 3, at = text.n - most / 3;

	if (text.n <= most) {
		put(to, text);
		return;
	}
	while (n && is_inside(text, n))
		n--;
	while (is_inside(text, at))
		at++;
	put(to, str_head(text, n));
	buf_lit(to, "…");
	put(to, str_from(text, at));
}

void html_text_cut(struct buf *to, struct str text, size_t most)
{
	put_cut(to, text, most, html_text);
}

/* Returns the length of the text up to the first place where a line may end, and includes that place. */
static size_t piece_length(struct str s)
{
	size_t i;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] == '_' || s.p[i] == ',' || s.p[i] == '<' || s.p[i] == '.' ||
		    (s.p[i] == ':' && i && s.p[i - 1] == ':'))
			return i + 1;
	}
	return s.n;
}

static void put_pieces(struct buf *to, struct str text)
{
	size_t n;

	for (; text.n; text = str_from(text, n)) {
		n = piece_length(text);
		html_text(to, str_head(text, n));
		if (n < text.n)
			buf_lit(to, "<wbr>");
	}
}

void html_text_wrapped(struct buf *to, struct str text, size_t most)
{
	put_cut(to, text, most, put_pieces);
}

/* --- markup --- */

static void text_piece(const struct report_writer *w, struct str text)
{
	html_text_cut(w->to, text, ((const struct html *)w->page)->limits->text);
}

/* Appends a name; in sentences, it is an element. */
static void name_piece(const struct report_writer *w, struct str name)
{
	buf_add(w->to, "<code>", w->cell ? 0 : strlen("<code>"));
	html_text_cut(w->to, name, ((const struct html *)w->page)->limits->name);
	buf_add(w->to, "</code>", w->cell ? 0 : strlen("</code>"));
}

/* A number and its unit stay on one line. */
static void number_piece(const struct report_writer *w, struct str digits, const char *unit)
{
	html_text(w->to, digits);
	if (*unit)
		buf_lit(w->to, "\xc2\xa0"); /* no-break space */
	html_text(w->to, str_of(unit));
}

/* Appends v * steps / per, where v * steps is rounded to an integer. */
static void put_rounded(struct buf *to, double v, double steps, double per)
{
	char *end = num_put_double(buf_room(to, NUM_ROOM), floor(v * steps + 0.5) / per);

	to->n = (size_t)(end - to->p);
}

/* Appends the argument of a directive. */
static void put_argument(const struct report_writer *w, char directive, va_list *ap)
{
	const struct report_record *record;
	const struct report_unit *unit;
	enum color color;
	struct str text;

	switch (directive) {
	case 'n':
		name_piece(w, va_arg(*ap, struct str));
		break;
	case 'r':
		record = va_arg(*ap, const struct report_record *);
		report_text_write(w, record, va_arg(*ap, struct str));
		break;
	case 'v':
	case 'b':
		unit = va_arg(*ap, const struct report_unit *);
		report_value_write(w, unit, va_arg(*ap, const struct value *), directive == 'v');
		break;
	case 'i':
		report_int_write(w, "count", va_arg(*ap, uint64_t));
		break;
	case 'o':
		report_others_write(w, va_arg(*ap, uint64_t));
		break;
	case 's':
		report_real_write(w, "share.1", va_arg(*ap, double));
		break;
	case 'w':
		put_rounded(w->to, va_arg(*ap, double), 1e6, 1e4);
		buf_char(w->to, '%');
		break;
	case 'f':
		put_rounded(w->to, va_arg(*ap, double), 100, 100);
		break;
	case 'c':
		color = va_arg(*ap, enum color);
		html_text(w->to, color < COLOR_MEANINGS ? str_of(color_meaning(color)) : STR("plain"));
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

void html_put(struct html *p, const char *format, ...)
{
	struct report_writer w = {text_piece, name_piece, number_piece, &p->to, p, true, p->limits->text};
	struct str rest = str_of(format);
	size_t n;
	va_list ap;

	va_start(ap, format);
	for (; rest.n; rest = str_from(rest, n + 2)) {
		n = str_find(rest, STR("%"));
		buf_add(&p->to, rest.p, n);
		if (n == rest.n)
			break;
		w.cell = rest.p[n + 1] != 'r';
		put_argument(&w, rest.p[n + 1], &ap);
	}
	va_end(ap);
}

/* --- items --- */

size_t html_item(const struct html *p)
{
	return p->to.n;
}

static bool end_at(struct html *p, size_t begin, size_t room)
{
	if (p->to.n <= room)
		return true;
	p->to.n = begin;
	p->loss.items++;
	return false;
}

bool html_item_end(struct html *p, size_t item)
{
	return end_at(p, item, p->room - RESERVE);
}

bool html_section_end(struct html *p, size_t section)
{
	return end_at(p, section, p->room);
}

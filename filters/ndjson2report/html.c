#include "html.h"

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

void html_put(struct html *p, const char *format, ...)
{
	const struct report_writer w = {text_piece, name_piece, number_piece, &p->to, p, true, p->limits->text};
	va_list ap;

	va_start(ap, format);
	report_put_list(&w, format, &ap);
	va_end(ap);
}

const char *html_color(enum color color)
{
	return color < COLOR_MEANINGS ? color_meaning(color) : "plain";
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

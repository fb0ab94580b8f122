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

void html_name(struct html *p, struct str name)
{
	html_text_cut(&p->to, name, p->limits->name);
}

/* --- texts of the report --- */

static void text_piece(const struct report_writer *w, struct str text)
{
	struct html *p = w->page;

	html_text_cut(&p->to, text, p->limits->text);
}

static void name_piece(const struct report_writer *w, struct str name)
{
	html_name(w->page, name);
}

static void code_piece(const struct report_writer *w, struct str name)
{
	html_lit((struct html *)w->page, "<code>");
	html_name(w->page, name);
	html_lit((struct html *)w->page, "</code>");
}

/* A number and its unit stay on one line. */
static void number_piece(const struct report_writer *w, struct str digits, const char *unit)
{
	html_text(w->to, digits);
	if (*unit)
		buf_lit(w->to, "\xc2\xa0"); /* no-break space */
	html_text(w->to, str_of(unit));
}

static struct report_writer writer_of(struct html *p, bool code)
{
	return (struct report_writer){
	    text_piece, code ? code_piece : name_piece, number_piece, &p->to, p, p->limits->text};
}

void html_report_text(struct html *p, const struct report_record *record, struct str text)
{
	const struct report_writer w = writer_of(p, true);

	report_text_write(&w, record, text);
}

void html_value(struct html *p, const struct report_unit *unit, const struct value *v, bool with_unit)
{
	const struct report_writer w = writer_of(p, false);

	report_value_write(&w, unit, v, with_unit);
}

void html_number(struct html *p, double v)
{
	char *end = num_put_double(buf_room(&p->to, NUM_ROOM), v);

	p->to.n = (size_t)(end - p->to.p);
}

void html_percent(struct html *p, double share)
{
	const struct report_writer w = writer_of(p, false);

	report_real_write(&w, "share.1", share);
}

void html_int(struct html *p, uint64_t v)
{
	const struct report_writer w = writer_of(p, false);

	report_int_write(&w, "count", v);
}

void html_others(struct html *p, uint64_t n)
{
	const struct report_writer w = writer_of(p, false);

	report_others_write(&w, n);
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

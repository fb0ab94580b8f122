#include "html_text.h"

/* Returns whether the byte at that offset continues a UTF-8 character. */
static bool is_inside(struct str s, size_t at)
{
	return at < s.n && ((unsigned char)s.p[at] & 0xc0) == 0x80;
}

/*
 * Splits a text of more than `most` bytes into the head and the tail that are left of it; the tail of a shorter text is
 * empty. Returns whether the text is cut.
 */
static bool cut(struct str text, size_t most, struct str *head, struct str *tail)
{
	size_t n = most - most / 3, at;

	*head = text;
	*tail = (struct str){NULL, 0};
	if (text.n <= most)
		return false;
	at = text.n - most / 3;
	while (n && is_inside(text, n))
		n--;
	while (is_inside(text, at))
		at++;
	*head = str_head(text, n);
	*tail = str_from(text, at);
	return true;
}

void html_text_cut(struct buf *page, struct str text, size_t most)
{
	struct str head, tail;
	const bool is_cut = cut(text, most, &head, &tail);

	html_text(page, head);
	if (is_cut)
		buf_lit(page, "\xe2\x80\xa6");
	html_text(page, tail);
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

static void put_pieces(struct buf *page, struct str text)
{
	size_t n;

	for (; text.n; text = str_from(text, n)) {
		n = piece_length(text);
		html_text(page, str_head(text, n));
		if (n < text.n)
			buf_lit(page, "<wbr>");
	}
}

void html_text_wrapped(struct buf *page, struct str text, size_t most)
{
	struct str head, tail;
	const bool is_cut = cut(text, most, &head, &tail);

	put_pieces(page, head);
	if (is_cut)
		buf_lit(page, "\xe2\x80\xa6");
	put_pieces(page, tail);
}

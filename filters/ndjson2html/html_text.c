#include "html_text.h"

#include "base/markup.h"

/* Appends the number of a character as JSON does, for characters below 0x10000, or as U+FFFD. */
static void put_number(struct buf *page, uint32_t code)
{
	const unsigned char bytes[] = {(unsigned char)(code >> 8), (unsigned char)code};

	if (code > 0xffff) {
		buf_lit(page, "\xef\xbf\xbd");
		return;
	}
	buf_lit(page, "\\u");
	buf_hex(page, bytes, sizeof bytes);
}

static void put_ascii(struct buf *page, char c)
{
	const char *reference = markup_reference(c);

	if (reference)
		buf_add(page, reference, strlen(reference));
	else
		buf_char(page, c);
}

void html_text(struct buf *page, struct str text)
{
	uint32_t code;
	size_t n;

	for (; text.n; text = str_from(text, n)) {
		n = utf8_decode(text, &code);
		if (!n) {
			n = utf8_broken(text);
			buf_lit(page, "\xef\xbf\xbd");
		} else if (utf8_is_hidden(code)) {
			put_number(page, code);
		} else if (n == 1) {
			put_ascii(page, text.p[0]);
		} else {
			buf_add(page, text.p, n);
		}
	}
}

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

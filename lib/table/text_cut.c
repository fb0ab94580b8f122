#include "table/text_cut.h"

#include "table/text_width.h"

size_t text_cut_character(struct str s)
{
	size_t width;

	return text_width_first(s, &width);
}

/* Whether a character depends on those that precede it; so the clusters are found from one that does not. */
bool text_cut_joined(struct str s, size_t at)
{
	size_t from = at;
	uint32_t c;

	do {
		do
			from--;
		while (from && utf8_continues(s.p[from]));
	} while (from && utf8_decode(str_from(s, from), &c) && !text_width_begins(c));
	while (from < at)
		from += text_cut_character(str_from(s, from));
	return from > at;
}

size_t text_cut_forward(struct str s, size_t at, size_t width)
{
	size_t used = 0, n, more;

	while (at < s.n) {
		n = text_width_first(str_from(s, at), &more);
		used += more;
		if (used > width)
			break;
		at += n;
	}
	return at;
}

size_t text_cut_backward(struct str s, size_t at, size_t width)
{
	size_t used = 0, before;

	for (; at; at = before) {
		before = at - 1;
		while (text_cut_inside(s, before))
			before--;
		used += text_width(str_head(str_from(s, before), at - before));
		if (used > width)
			break;
	}
	return at;
}

void text_cut_middle(struct buf *to, struct str s, size_t width)
{
	size_t head, tail;

	if (!width || text_width(s) <= width) {
		buf_add(to, s.p, s.n);
		return;
	}
	head = text_cut_forward(s, 0, width / 2);
	tail = text_cut_backward(s, s.n, width - text_width(str_head(s, head)) - 1);
	buf_add(to, s.p, head);
	buf_lit(to, TEXT_CUT_ELLIPSIS);
	buf_add(to, s.p + tail, s.n - tail);
}

void text_cut_end(struct buf *to, struct str s, size_t width)
{
	if (!width || text_width(s) <= width) {
		buf_add(to, s.p, s.n);
		return;
	}
	buf_add(to, s.p, text_cut_forward(s, 0, width - 1));
	buf_lit(to, TEXT_CUT_ELLIPSIS);
}

#include "label_cut.h"

#include "table/text_cut.h"

void label_cut(const struct canvas *c, struct buf *to, struct str text, double most)
{
	const struct str ellipsis = STR(TEXT_CUT_ELLIPSIS);
	double left = most - canvas_width(c, ellipsis, CANVAS_PLAIN), head_width = 0, tail_width = 0, width;
	size_t head = 0, tail = text.n, n, at;

	if (text.n <= 2 * LABEL_CUT_LOOK && canvas_width(c, text, CANVAS_PLAIN) <= most) {
		buf_add(to, text.p, text.n);
		return;
	}
	while (head < tail) {
		const bool front = head_width <= tail_width;

		if (front) {
			n = text_cut_character(str_from(text, head));
			at = head;
		} else {
			for (at = tail - 1; text_cut_inside(text, at) && at > head; at--)
				;
			n = tail - at;
		}
		width = canvas_width(c, str_head(str_from(text, at), n), CANVAS_PLAIN);
		if (width > left)
			break;
		left -= width;
		*(front ? &head_width : &tail_width) += width + 0.01;
		*(front ? &head : &tail) = front ? head + n : at;
	}
	if (!head)
		return;
	buf_add(to, text.p, head);
	buf_add(to, ellipsis.p, ellipsis.n);
	buf_add(to, text.p + tail, text.n - tail);
}

void label_cut_inside(const struct canvas *c, struct buf *to, struct str text, double most)
{
	const size_t n = to->n;

	label_cut(c, to, text, most);
	if (most < (c->cells ? 8 : 60) && !str_eq((struct str){to->p + n, to->n - n}, text))
		to->n = n;
}

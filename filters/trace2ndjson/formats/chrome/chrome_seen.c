/*
 * chrome_seen: recognises events that are not selected, so that they can be skipped without being parsed. The reader
 * skips only events that are known to be valid: a damaged event may contain the text of further events, and skipping it
 * would lose those events without a report. A trace has millions of events, but they have only a few layouts. So the
 * reader knows that an event is valid when it agrees with an earlier event that was parsed and checked: (1) both begin
 * with the same bytes, up to the end of the member that shows the kind, and (2) the rest of both has the same shape
 * (see scan_shape()).
 */
#include "chrome_seen.h"

#include "base/char_class.h"

enum { MOST_SHAPES = 4096, SHAPE = 512 };

static uint64_t last8(const char *text, size_t n)
{
	uint64_t v;

	memcpy(&v, text + n - sizeof v, sizeof v);
	return v;
}

static bool begins(const struct chrome_head *h, struct str text)
{
	/* Heads differ mostly at their ends, where the category is, so compare the last 8 bytes first. */
	return text.n > h->n && last8(text.p, h->n) == last8(h->text, h->n) && memcmp(text.p, h->text, h->n) == 0;
}

/* Returns the index of the head that is the beginning of the text; s->n when no head matches. */
static size_t find_head(const struct chrome_seen *s, struct str text)
{
	size_t i;

	for (i = 0; i < s->n && !begins(&s->heads[i], text); i++)
		;
	return i;
}

/*
 * Returns the shape of the text after the head, preceded by a byte with the head's index. The result is empty when the
 * text has no shape.
 */
static struct str shape_of(struct chrome_seen *s, size_t head, struct str text)
{
	char *to = buf_room(&s->shape, 1 + SHAPE + 128);
	size_t n = scan_shape(to + 1, SHAPE, str_from(text, s->heads[head].n));

	to[0] = (char)head;
	return (struct str){to, n ? n + 1 : 0};
}

static uint16_t *last_of(struct chrome_seen *s, size_t head, struct str shape)
{
	return &s->heads[head].last[shape.n % CHROME_LENGTHS];
}

/* Whether the shape has a number with an exponent: the shape does not show how large such a number is. */
static bool has_exponent(struct str shape)
{
	size_t i;

	for (i = 1; i < shape.n; i++) {
		if (shape.p[i - 1] == '0' && to_lower(shape.p[i]) == 'e')
			return true;
	}
	return false;
}

bool chrome_seen(struct chrome_seen *s, struct str text)
{
	size_t head = find_head(s, text), number;
	struct str shape;
	uint16_t *last;

	if (head == s->n)
		return false;
	shape = shape_of(s, head, text);
	if (!shape.n)
		return false;
	last = last_of(s, head, shape);
	if (str_eq(shape, map_key(&s->shapes, *last)))
		return true;
	number = map_find(&s->shapes, shape);
	if (number == MAP_NONE)
		return false;
	*last = (uint16_t)number;
	return true;
}

void chrome_seen_add(struct chrome_seen *s, struct str text, size_t n)
{
	size_t head = find_head(s, text);
	struct str shape;

	if (s->shapes.n == MOST_SHAPES || n < sizeof(uint64_t) || n > CHROME_HEAD || text.p[n - 1] != '"')
		return;
	if (head == s->n) {
		if (s->n == CHROME_HEADS)
			return;
		s->heads[head].n = n;
		memcpy(s->heads[head].text, text.p, n);
	}
	shape = shape_of(s, head, text);
	if (!shape.n || has_exponent(shape))
		return;
	*last_of(s, head, shape) = (uint16_t)map_put(&s->shapes, shape);
	s->n += head == s->n;
}

void chrome_seen_free(struct chrome_seen *s)
{
	map_free(&s->shapes);
	buf_free(&s->shape);
}

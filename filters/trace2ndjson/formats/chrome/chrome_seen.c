#include "chrome_seen.h"

#include "base/char_class.h"

enum { MOST_SHAPES = 4096, SHAPE = 512 };

static uint64_t last8(const char *text, size_t n)
{
	uint64_t v;

	memcpy(&v, text + n - sizeof v, sizeof v);
	return v;
}

/*
 * Returns the index of the head that is the beginning of the text; s->n when no head matches. Heads differ mostly at
 * their ends, where the category is, so the last 8 bytes are compared first.
 */
static size_t find_head(const struct chrome_seen *s, struct str text)
{
	const struct chrome_head *h;
	size_t i;

	for (i = 0; i < s->n; i++) {
		h = &s->heads[i];
		if (text.n > h->n && last8(text.p, h->n) == last8(h->text, h->n) && memcmp(text.p, h->text, h->n) == 0)
			break;
	}
	return i;
}

/* Returns the shape of the text after the head, preceded by the index of the head; empty if the text has no shape. */
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

bool chrome_seen(struct chrome_seen *s, struct str text, const struct name_begins *begins)
{
	size_t head = find_head(s, text), number;
	const struct chrome_head *h = &s->heads[head];
	struct str shape;

	if (head == s->n || (h->named < KIND_N && name_begins_may_have(begins, h->named, str_from(text, h->n))))
		return false;
	shape = shape_of(s, head, text);
	if (!shape.n)
		return false;
	if (str_eq(shape, map_key(&s->shapes, *last_of(s, head, shape))))
		return true;
	number = map_find(&s->shapes, shape);
	if (number != MAP_NONE)
		*last_of(s, head, shape) = (uint16_t)number;
	return number != MAP_NONE;
}

void chrome_seen_add(struct chrome_seen *s, struct str text, size_t n, enum event_kind named)
{
	size_t head = find_head(s, text), i;
	struct str shape;

	if (s->shapes.n == MOST_SHAPES || n < sizeof(uint64_t) || n > CHROME_HEAD ||
	    text.p[named < KIND_N ? n : n - 1] != '"')
		return;
	if (head == s->n) {
		if (s->n == CHROME_HEADS)
			return;
		s->heads[head].n = n;
		s->heads[head].named = named;
		memcpy(s->heads[head].text, text.p, n);
	}
	shape = shape_of(s, head, text);
	if (!shape.n)
		return;
	/* The shape of a number with an exponent does not show how large the number is. */
	for (i = 1; i < shape.n; i++) {
		if (shape.p[i - 1] == '0' && to_lower(shape.p[i]) == 'e')
			return;
	}
	*last_of(s, head, shape) = (uint16_t)map_put(&s->shapes, shape);
	s->n += head == s->n;
}

void chrome_seen_free(struct chrome_seen *s)
{
	map_free(&s->shapes);
	buf_free(&s->shape);
}

#include "record/scope.h"

#include <stdlib.h>

/* The members that count at a level, as a list of texts. No text of JSON holds the 0 between them. */
static void spell(struct buf *b, unsigned char family, enum scope_level level, const struct scope_place *place)
{
	b->n = 0;
	buf_char(b, (char)family);
	buf_char(b, (char)level);
	buf_add(b, place->rank.p, place->rank.n);
	if (level <= SCOPE_PROCESS) {
		buf_char(b, '\0');
		buf_add(b, place->pid.p, place->pid.n);
	}
	if (level == SCOPE_THREAD) {
		buf_char(b, '\0');
		buf_add(b, place->tid.p, place->tid.n);
	}
}

/* The same place written in another way, say with an escape, has the same number. */
static size_t number_of(struct scopes *s, unsigned char family, enum scope_level level, const struct scope_place *place)
{
	size_t key[5] = {family, level, value_ids_put(&s->values, place->rank), 0, 0}, number;

	if (level <= SCOPE_PROCESS)
		key[3] = value_ids_put(&s->values, place->pid);
	if (level == SCOPE_THREAD)
		key[4] = value_ids_put(&s->values, place->tid);
	number = map_put(&s->places, (struct str){(const char *)key, sizeof key});
	s->n = s->places.n;
	return number;
}

size_t scopes_put(struct scopes *s, unsigned char family, enum scope_level level, const struct scope_place *place)
{
	size_t known = s->texts.n, number;

	spell(&s->text, family, level, place);
	number = map_put(&s->texts, (struct str){s->text.p, s->text.n});
	if (number == known) {
		s->of_text = mem_grow(s->of_text, &s->cap, number + 1, sizeof *s->of_text);
		s->of_text[number] = number_of(s, family, level, place);
	}
	return s->of_text[number];
}

void scopes_free(struct scopes *s)
{
	value_ids_free(&s->values);
	map_free(&s->texts);
	map_free(&s->places);
	free(s->of_text);
	buf_free(&s->text);
	*s = (struct scopes){0};
}

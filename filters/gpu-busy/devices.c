#include "devices.h"

size_t devices_put(struct devices *d, struct event *e, struct str third)
{
	struct str rank = event_get(e, EVENT_RANK), dev = event_get(e, EVENT_DEV);

	/* No JSON text has a newline in it. */
	d->key.n = 0;
	buf_add(&d->key, rank.p, rank.n);
	buf_char(&d->key, '\n');
	if (d->level >= DEVICES_DEV)
		buf_add(&d->key, dev.p, dev.n);
	buf_char(&d->key, '\n');
	if (d->level >= DEVICES_STREAM)
		buf_add(&d->key, third.p, third.n);
	return map_put(&d->keys, (struct str){d->key.p, d->key.n});
}

void devices_set(const struct devices *d, size_t place, struct event *e)
{
	const enum event_member members[] = {EVENT_RANK, EVENT_DEV, d->third};
	struct str rest = map_key(&d->keys, place), text;
	size_t i;

	for (i = 0; i < 3 && str_split(&rest, '\n', &text); i++) {
		if (text.n)
			event_set(e, members[i], text);
	}
}

void devices_free(struct devices *d)
{
	map_free(&d->keys);
	buf_free(&d->key);
}

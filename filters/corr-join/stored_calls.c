#include "stored_calls.h"

#include "base/mem.h"

#include <stdlib.h>

struct stored_call *stored_calls_add(struct stored_calls *p, const struct stored_call *call)
{
	struct stored_call *copy;

	if (p->end / STORED_CALLS_PAGE - p->first / STORED_CALLS_PAGE == p->n) {
		p->pages = mem_grow(p->pages, &p->cap, p->n + 1, sizeof *p->pages);
		p->pages[p->n++] = mem_alloc(STORED_CALLS_PAGE * sizeof **p->pages);
	}
	copy = stored_calls_get(p, p->end++);
	*copy = *call;
	return copy;
}

void stored_calls_drop(struct stored_calls *p)
{
	struct stored_call *page = p->pages[0];

	if (p->first++ % STORED_CALLS_PAGE != STORED_CALLS_PAGE - 1)
		return;
	/* The page becomes the last page, so that dropping calls neither frees nor allocates memory. */
	memmove(p->pages, p->pages + 1, (p->n - 1) * sizeof *p->pages);
	p->pages[p->n - 1] = page;
}

void stored_calls_free(struct stored_calls *p)
{
	while (p->n)
		free(p->pages[--p->n]);
	free(p->pages);
}

#include "pftrace.h"

#include <stdlib.h>

static const enum pftrace_table tables[] = {PFTRACE_CATEGORIES, PFTRACE_EVENTS, PFTRACE_ARGUMENTS, PFTRACE_GPU_STAGES,
    PFTRACE_STRINGS, PFTRACE_GPU_COUNTERS, PFTRACE_KERNELS, PFTRACE_KERNEL_ARGUMENTS};

static bool is_table(uint32_t no)
{
	size_t i;

	for (i = 0; i < sizeof tables / sizeof *tables; i++) {
		if (tables[i] == no)
			return true;
	}
	return false;
}

static struct str key_of(char *room, uint32_t table, uint64_t iid)
{
	memcpy(room, &iid, sizeof iid);
	memcpy(room + sizeof iid, &table, sizeof table);
	return (struct str){room, sizeof iid + sizeof table};
}

/* If a number is sent twice, the last text counts. */
static bool add(struct pftrace_names *names, uint32_t table, struct str message, struct wire *w)
{
	struct wire inner = wire_of(message);
	struct pftrace_name *name;
	struct wire_field f;
	struct str text = {message.p, 0};
	uint64_t iid = 0;
	char room[12];
	size_t i;

	while (wire_next(&inner, &f) > 0) {
		if (f.no == 1 && f.type == WIRE_VARINT)
			iid = f.v;
		if (f.no == 2 && f.type == WIRE_LEN)
			text = f.bytes;
	}
	if (inner.fault) {
		w->fault = inner.fault;
		return false;
	}
	i = map_put(&names->keys, key_of(room, table, iid));
	names->list = mem_grow(names->list, &names->cap, i + 1, sizeof *names->list);
	name = &names->list[i];
	name->at = names->bytes.n;
	name->n = message.n;
	name->text_at = name->at + (size_t)(text.p - message.p);
	name->text_n = text.n;
	buf_add(&names->bytes, message.p, message.n);
	return true;
}

bool pftrace_names_add(struct pftrace_names *names, struct str interned, struct wire *w)
{
	struct wire inner = wire_of(interned);
	struct wire_field f;

	while (wire_next(&inner, &f) > 0) {
		if (f.type == WIRE_LEN && is_table(f.no) && !add(names, f.no, f.bytes, w))
			return false;
	}
	w->fault = inner.fault;
	return !inner.fault;
}

static const struct pftrace_name *find(const struct pftrace_names *names, enum pftrace_table table, uint64_t iid)
{
	char room[12];
	size_t i = map_find(&names->keys, key_of(room, table, iid));

	return i == MAP_NONE ? NULL : &names->list[i];
}

struct str pftrace_names_text(const struct pftrace_names *names, enum pftrace_table table, uint64_t iid)
{
	const struct pftrace_name *name = find(names, table, iid);

	return name ? (struct str){names->bytes.p ? names->bytes.p + name->text_at : "", name->text_n}
		    : (struct str){NULL, 0};
}

struct str pftrace_names_message(const struct pftrace_names *names, enum pftrace_table table, uint64_t iid)
{
	const struct pftrace_name *name = find(names, table, iid);

	return name ? (struct str){names->bytes.p ? names->bytes.p + name->at : "", name->n} : (struct str){NULL, 0};
}

void pftrace_names_free(struct pftrace_names *names)
{
	map_free(&names->keys);
	free(names->list);
	buf_free(&names->bytes);
	*names = (struct pftrace_names){0};
}

#include "columns.h"

/* Names of the same chain have the same first character and length, with few exceptions. */
static inline size_t find_chain(struct str name)
{
	return name.n ? ((unsigned char)name.p[0] * 13u + name.n) % COLUMN_CHAINS : 0;
}

static void add_name(struct columns *c, unsigned place, size_t field, struct str name)
{
	unsigned char *chain = &c->first[find_chain(name)];

	c->names[c->names_n] = (struct columns_name){name, (unsigned char)place, (unsigned char)field, *chain};
	*chain = ++c->names_n;
}

static void add_all_names(struct columns *c)
{
	struct str rest, name;
	unsigned place;
	size_t field;

	for (field = 0; field < c->n; field++) {
		for (place = 0; place < COLUMN_PLACES; place++) {
			rest =
			    c->list[field].names[place] ? str_of(c->list[field].names[place]) : (struct str){NULL, 0};
			while (str_split(&rest, ' ', &name))
				add_name(c, place, field, name);
		}
	}
}

size_t columns_find(struct columns *c, unsigned place, struct str name)
{
	const struct columns_name *known;
	size_t i;

	if (!c->names_n)
		add_all_names(c);
	for (i = c->first[find_chain(name)]; i; i = known->next) {
		known = &c->names[i - 1];
		if (known->place == place && str_eq(known->name, name))
			return known->field;
	}
	return c->n;
}

#include "closest_call.h"

#include "base/err.h"
#include "program/opt_fields.h"
#include "program/opt_value.h"
#include "json/write.h"
#include "record/event_attach.h"

/* Members that call-tree also writes without --closest. */
static const char *const members[] = {
    "depth", "node", "parent_node", "parent_name", "self", "children", "launches", "stack", NULL};

/* The names of the three members are the name of --as, followed by one of these endings. */
static const char *const endings[] = {"", "_node", "_depth"};

/* Adds the name of a member; ends the program if the name is reserved or was added before. */
static void add_name(struct map *names, const char *option, struct str name)
{
	const size_t known = names->n;

	if (opt_member(option, name) != EVENT_N)
		opt_reserved(option, name);
	if (str_in(name, members) || map_put(names, name) < known)
		die("%s: '%.*s' is already the name of a member; choose another name", option, STR_FMT(name));
}

void closest_call_check(struct closest_call *c)
{
	const char *as = c->as ? c->as : "closest";
	const char *option = c->depth < UINT64_MAX ? "--depth"
			     : c->take.n           ? "--take"
			     : c->as               ? "--as"
			     : c->names.n          ? "-e"
						   : NULL;
	struct map names = {0};
	size_t i;

	if (!c->kinds && option)
		opt_needs(option, "--closest");
	for (i = 0; i < 3; i++) {
		buf_add(&c->keys[i], as, strlen(as));
		buf_add(&c->keys[i], endings[i], strlen(endings[i]) + 1);
		add_name(&names, "--as", str_of(c->keys[i].p));
	}
	for (i = 0; i < c->take.n; i++)
		add_name(&names, "--take", str_of(c->take.list[i].name));
	map_free(&names);
}

void closest_call_register(struct closest_call *c, struct input *in)
{
	size_t i;

	for (i = 0; i < c->take.n; i++)
		input_uses(in, &c->take.list[i].field);
}

bool closest_call_matches(struct closest_call *c, struct event *e, enum event_kind kind, uint64_t depth)
{
	if (!(c->kinds >> kind & 1) || depth > c->depth)
		return false;
	return !c->names.n || name_match_first(&c->names, event_get(e, EVENT_NAME)) != NAME_MATCH_NONE;
}

void closest_call_write(
    struct closest_call *c, struct buf *b, const struct event *e, struct event *call, uint64_t node, uint64_t depth)
{
	const struct str name = call ? event_get(call, EVENT_NAME) : STR("");
	struct carried_field *taken;
	struct value v;
	size_t i;

	if (call) {
		json_write_json(b, c->keys[0].p, name.p ? name : STR("\"\""));
		json_write_int(b, c->keys[1].p, (int64_t)node);
		json_write_int(b, c->keys[2].p, (int64_t)depth);
	}
	for (i = 0; i < 3 && !call; i++)
		event_attach_remove(b, e, c->keys[i].p);
	for (i = 0; i < c->take.n; i++) {
		taken = &c->take.list[i];
		if (call && field_get(&taken->field, call, 0, &v))
			json_write_json(b, taken->name, v.text);
		else
			event_attach_remove(b, e, taken->name);
	}
}

void closest_call_free(struct closest_call *c)
{
	size_t i;

	for (i = 0; i < 3; i++)
		buf_free(&c->keys[i]);
	carried_fields_free(&c->take);
	name_match_free(&c->names);
}

#include "rocprof_json.h"

#include "json/iter.h"
#include "json/string.h"
#include "json/write.h"

static bool is_filled(struct str json)
{
	return json_is_string(json) && json.n > 2;
}

/* Stores the text of an element whose id is its position in the array. */
static void add_numbered(struct rocprof_names *names, uint64_t *n, struct str text)
{
	char id[NUM_ROOM];

	if (json_is_string(text))
		rocprof_names_put(names, (struct str){id, (size_t)(num_put_u64(id, *n) - id)}, text);
	++*n;
}

/* {"kind":"HIP_RUNTIME_API","operations":["hipMalloc",...]}: the element's position is the number of the kind. */
static void add_kind(struct rocprof_tables *t, struct str text)
{
	struct str operations = iter_find(text, STR("operations")), key, value;
	char id[2 * NUM_ROOM], *operation;
	struct iter at;
	uint64_t n = 0;

	operation = num_put_u64(id, t->kinds_n);
	*operation++ = ':';
	add_numbered(&t->kinds, &t->kinds_n, iter_find(text, STR("kind")));
	if (!operations.n)
		return;
	iter_init(&at, operations);
	while (iter_next(&at, &key, &value) > 0) {
		if (json_is_string(value))
			rocprof_names_put(
			    &t->operations, (struct str){id, (size_t)(num_put_u64(operation, n) - id)}, value);
		n++;
	}
}

static void add_symbol(struct rocprof_tables *t, struct str text)
{
	static const struct str names[] = {
	    ROCPROF_TEXT("formatted_kernel_name"), ROCPROF_TEXT("demangled_kernel_name"), ROCPROF_TEXT("kernel_name")};
	struct str name = {NULL, 0}, id = iter_find(text, STR("kernel_id"));
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names && !is_filled(name); i++)
		name = iter_find(text, names[i]);
	if (id.n && is_filled(name))
		rocprof_names_put(&t->kernels, id, name);
}

static void add_counter(struct rocprof_tables *t, struct str text)
{
	struct str id = iter_find(text, STR("id")), name = iter_find(text, STR("name"));

	if (id.n && id.p[0] == '{')
		id = iter_find(id, STR("handle"));
	if (id.n && json_is_string(name))
		rocprof_names_put(&t->counters, id, name);
}

/* Returns the whole number at a path, or `absent`. */
static int64_t number_at(const struct json_tree *tree, const char *path, int64_t absent)
{
	int64_t v;

	return rocprof_whole(json_tree_get(tree, path), &v) ? v : absent;
}

static int add_agent(
    struct rocprof_tables *t, struct rocprof_maker *m, const struct reader *r, struct str text, struct event *e)
{
	struct rocprof_agent_text is;
	struct rocprof_agent agent;
	struct fault ignored;
	int64_t type;

	if (!json_tree_read(&t->tree, text, &ignored))
		return 0;
	agent.handle = number_at(&t->tree, "id.handle", -1);
	agent.node = number_at(&t->tree, "node_id", agent.handle);
	agent.logical = number_at(&t->tree, "logical_node_id", agent.node);
	type = number_at(&t->tree, "type", 0);
	agent.gpu = type == 2;
	agent.index =
	    number_at(&t->tree, "logical_node_type_id", rocprof_agents_count(&t->agents, agent.gpu, agent.node));
	rocprof_agents_put(&t->agents, agent);
	is.type = type == 1 ? STR("\"CPU\"") : type == 2 ? STR("\"GPU\"") : STR("\"UNK\"");
	is.name = json_tree_get(&t->tree, "name");
	is.vendor = json_tree_get(&t->tree, "vendor_name");
	is.product = json_tree_get(&t->tree, "product_name");
	is.cu_count = json_tree_get(&t->tree, "cu_count");
	return rocprof_make_agent(m, r, &agent, &is, e);
}

int rocprof_tables_add(struct rocprof_tables *t, struct rocprof_maker *m, const struct reader *r,
    enum rocprof_section section, struct str text, struct event *e)
{
	const bool object = text.p[0] == '{';

	switch (section) {
	case ROCPROF_SECTION_AGENTS:
		return object ? add_agent(t, m, r, text, e) : 0;
	case ROCPROF_SECTION_INSTRUCTIONS:
		add_numbered(&t->instructions, &t->instructions_n, text);
		break;
	case ROCPROF_SECTION_COMMENTS:
		add_numbered(&t->comments, &t->comments_n, text);
		break;
	case ROCPROF_SECTION_COUNTERS:
		if (object)
			add_counter(t, text);
		break;
	case ROCPROF_SECTION_KINDS:
		if (object)
			add_kind(t, text);
		break;
	case ROCPROF_SECTION_KERNELS:
		if (object)
			add_symbol(t, text);
		break;
	case ROCPROF_SECTION_MESSAGES:
		if (object && iter_find(text, STR("key")).n && json_is_string(iter_find(text, STR("value"))))
			rocprof_names_put(&t->messages, iter_find(text, STR("key")), iter_find(text, STR("value")));
		break;
	case ROCPROF_SECTION_PROCESSES:
	case ROCPROF_SECTION_EVENTS:
		break;
	}
	return 0;
}

void rocprof_tables_skip(struct rocprof_tables *t, enum rocprof_section section)
{
	t->kinds_n += section == ROCPROF_SECTION_KINDS;
	t->instructions_n += section == ROCPROF_SECTION_INSTRUCTIONS;
	t->comments_n += section == ROCPROF_SECTION_COMMENTS;
}

/* Writes the words of the command as one text. */
static void put_command(struct rocprof_maker *m, struct buf *words, struct str command)
{
	struct str key, value;
	struct iter at;

	iter_init(&at, command);
	while (iter_next(&at, &key, &value) > 0) {
		if (!json_is_string(value))
			continue;
		if (words->n)
			buf_char(words, ' ');
		json_unescape(words, json_inner(value));
	}
	if (words->n)
		json_write_text(&m->args, "command", json_write_str(words));
}

int rocprof_tables_metadata(
    struct rocprof_tables *t, struct rocprof_maker *m, const struct reader *r, struct str text, struct event *e)
{
	struct buf words = {0};
	struct fault ignored;
	struct str command;
	int64_t pid;

	if (!json_tree_read(&t->tree, text, &ignored))
		return 0;
	t->pid_n = 0;
	if (rocprof_whole(json_tree_get(&t->tree, "pid"), &pid))
		t->pid_n = (size_t)(num_put_i64(t->pid, pid) - t->pid);
	event_clear(e);
	event_set_kind(e, KIND_META);
	if (json_is_string(json_tree_get(&t->tree, "node.hostname")))
		event_set(e, EVENT_NAME, json_tree_get(&t->tree, "node.hostname"));
	event_set(e, EVENT_CAT, STR("\"metadata\""));
	if (t->pid_n)
		event_set(e, EVENT_PID, (struct str){t->pid, t->pid_n});
	m->args.n = 0;
	json_write_begin(&m->args, NULL, '{');
	command = json_tree_get(&t->tree, "command");
	if (command.n && command.p[0] == '[')
		put_command(m, &words, command);
	rocprof_put(&m->args, "init_time", json_tree_get(&t->tree, "init_time"));
	rocprof_put(&m->args, "fini_time", json_tree_get(&t->tree, "fini_time"));
	json_write_end(&m->args, '}');
	if (r->args)
		event_set(e, EVENT_ARGS, json_write_str(&m->args));
	buf_free(&words);
	return reader_wants(r, KIND_META);
}

void rocprof_tables_free(struct rocprof_tables *t)
{
	rocprof_names_free(&t->kinds);
	rocprof_names_free(&t->operations);
	rocprof_names_free(&t->messages);
	rocprof_names_free(&t->kernels);
	rocprof_names_free(&t->counters);
	rocprof_names_free(&t->instructions);
	rocprof_names_free(&t->comments);
	json_tree_free(&t->tree);
	t->agents.n = t->pid_n = 0;
	t->kinds_n = t->instructions_n = t->comments_n = 0;
}

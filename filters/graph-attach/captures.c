#define _GNU_SOURCE /* pipe2 */
#include "captures.h"

#include "base/err.h"
#include "base/hash.h"
#include "base/num_parse.h"
#include "base/order.h"
#include "io/folder.h"
#include "json/iter_inline.h"
#include "json/string.h"
#include "json/tree.h"
#include "program/filter.h"
#include "record/places.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/*
 * The records of a capture, in ts order: each call with its operators and modules, and with the range of its capture.
 * In a trace of nsys, the creation of a node of a graph (kind other) has the ranges around it as operators.
 * $1: the folder of these programs, or empty; $2: the file; $3: the list of --take.
 */
static const char pipeline[] =
    "PATH=${1:+$1:}$PATH TRACEFILTERS_QUIET=hints; export PATH TRACEFILTERS_QUIET; set -o pipefail\n"
    "trace2ndjson -k op,api,python,range,kernel,memcpy,memset,other -- \"$2\" | ts-sort |\n"
    "nvtx-attach -k api -r op --point start --as op --take captured_name=args.kernel_name,kernel_file=args.kernel_file,"
    "kernel_hash=args.kernel_hash${3:+\",$3\"} |\n"
    "nvtx-attach -k api -r python -e '^nn\\.Module: ' --point start --as module |\n"
    "nvtx-attach -k api -r range -e '^capture_[0-9]+_' --point start --as captured --take captured_ts=ts |\n"
    "nvtx-attach -k other -r range --scope thread --point start --as op ${3:+--take \"$3\"} |\n"
    "filter-calls -k api,kernel,memcpy,memset,other";

/* --- texts --- */

enum { RANK_ZERO = 1 }; /* the number of rank 0 */

void captures_init(struct captures *c)
{
	/* RANK_ZERO, CAPTURES_COPY, CAPTURES_SET and CAPTURES_UNKNOWN are the numbers of these values. */
	value_ids_put(&c->ranks, STR("0"));
	map_put(&c->names, STR("(copy)"));
	map_put(&c->names, STR("(set)"));
	map_put(&c->names, STR("(unknown)"));
	c->n_values = CAPTURES_VALUES + c->take->n;
}

uint32_t captures_name(struct captures *c, struct str name)
{
	const size_t known = c->names.n, i = map_put(&c->names, name);

	if (i >= known) {
		c->same = mem_grow(c->same, &c->cap_same, i + 1, sizeof *c->same);
		/*
		 * HIP runs copies and sets as kernels, such as __amd_rocclr_copyBuffer, while the captured call is a
		 * copy or set.
		 */
		c->same[i] = str_find(name, STR("copyBuffer")) < name.n   ? CAPTURES_COPY
			     : str_find(name, STR("fillBuffer")) < name.n ? CAPTURES_SET
									  : (uint32_t)i;
	}
	return i < CAPTURES_NAMES ? (uint32_t)i : c->same[i];
}

static uint32_t put_value(struct captures *c, struct str json)
{
	return json.p && !str_eq(json, STR("null")) ? (uint32_t)map_put(&c->values, json) : CAPTURES_NONE;
}

/* Returns the number of the names of modules without nn.Module: in front of each. */
static uint32_t put_modules(struct captures *c, struct str json)
{
	const struct str prefix = STR("\"nn.Module: ");
	struct buf text = {0};
	uint32_t number;
	size_t at;

	while (json.p && (at = str_find(json, prefix)) < json.n) {
		buf_add(&text, json.p, at + 1);
		json = str_from(json, at + prefix.n);
	}
	if (json.p)
		buf_add(&text, json.p, json.n);
	number = put_value(c, buf_str(&text));
	buf_free(&text);
	return number;
}

uint32_t captures_rank(struct captures *c, struct str rank)
{
	const uint32_t number = rank.p ? (uint32_t)value_ids_put(&c->ranks, rank) + 1 : 0;
	size_t i;

	for (i = 0; i < c->n; i++) {
		if (c->list[i].rank == number)
			return number;
	}
	return 0;
}

bool captures_serve(const struct capture *capture, uint32_t rank)
{
	return rank ? capture->rank == rank : capture->rank <= RANK_ZERO;
}

/* --- a file --- */

/* A capture that is being read. */
struct open_capture {
	struct capture capture;
	size_t thread;
	bool ended;
	uint32_t *names, *values;
	uint64_t *calls; /* for each node, the key of its correlation id */
	size_t cap_names, cap_values, cap_calls;
};

struct capture_file {
	struct captures *all;
	struct input in;
	struct places threads;
	struct open_capture *list;
	size_t n, cap;
	struct map ranges; /* the ranges capture_SIZE_MODE that have captures */
	uint64_t *devices; /* the keys of the correlation ids of device records */
	size_t n_devices, cap_devices;
	struct graph_node *nodes; /* of nsys; number i is annotation i of all captures */
	size_t n_nodes, cap_nodes;
};

/* A node of a graph, in a trace of nsys. */
struct graph_node {
	bool created;      /* the file has the record of its creation */
	uint32_t original; /* the number of the node of which it is a copy, plus 1; 0 if it is no copy */
};

/* Returns the open capture of a thread, or NULL. */
static struct open_capture *open_capture(const struct capture_file *f, size_t thread)
{
	size_t i;

	for (i = f->n; i-- > 0;) {
		if (f->list[i].thread == thread && !f->list[i].ended)
			return &f->list[i];
	}
	return NULL;
}

/* Returns a number that stands for the rank and the correlation id of a record. */
static uint64_t call_key(struct capture_file *f, struct event *e)
{
	int64_t corr = -1;

	num_whole(event_get(e, EVENT_CORR), &corr);
	return hash_pair((uint64_t)corr, value_ids_put(&f->all->ranks, event_get(e, EVENT_RANK)));
}

static void begin_capture(struct capture_file *f, struct event *e, size_t thread)
{
	struct open_capture *old = open_capture(f, thread), *new;
	const struct str rank = event_get(e, EVENT_RANK);

	if (old) { /* it did not end */
		old->ended = true;
		old->capture.end = INT64_MIN;
		f->all->endless++;
	}
	f->list = mem_grow(f->list, &f->cap, f->n + 1, sizeof *f->list);
	new = &f->list[f->n++];
	*new = (struct open_capture){.thread = thread, .capture.begin = event_end(e)};
	new->capture.rank = rank.p ? (uint32_t)value_ids_put(&f->all->ranks, rank) + 1 : 0;
}

/* Returns the name of a captured call. `kind`: the text Launch, Memcpy or Memset is in its name. */
static uint32_t name_of_call(
    struct captures *c, struct event *e, uint32_t kind, struct str captured, struct str file, struct str op)
{
	const struct str kernel = iter_find(event_get(e, EVENT_ARGS), STR("kernel"));

	if (kind != CAPTURES_UNKNOWN)
		return kind;
	if (kernel.p && json_is_string(kernel) && kernel.n > 2)
		return captures_name(c, kernel);
	if (json_is_string(captured))
		return captures_name(c, captured);
	return file.p && json_is_string(op) ? captures_name(c, op) : CAPTURES_UNKNOWN;
}

/* Sets the group and size of a capture by the range around its first call, if it has one. */
static void set_group(struct capture_file *f, struct capture *capture, struct str range, struct str ts)
{
	struct buf *key = &f->all->key;

	if (!json_is_string(range))
		return;
	key->n = 0;
	buf_add(key, range.p, range.n);
	buf_add(key, ts.p, ts.n);
	capture->group = 1 + (uint32_t)map_put(&f->ranges, buf_str(key));
	range = str_from(json_inner(range), strlen("capture_"));
	if (num_whole(str_first(range, is_digit), &capture->size) != NUM_OK)
		capture->size = 0;
}

/* Returns the number of the annotation with the key that is in c->key, and adds it if it is new. */
static uint32_t put_annotation(struct captures *c)
{
	const size_t known = c->annotated.n, i = map_put(&c->annotated, buf_str(&c->key));
	size_t v;

	if (i == known) {
		c->annotations =
		    mem_grow(c->annotations, &c->cap_annotations, (i + 1) * c->n_values, sizeof *c->annotations);
		c->known = mem_grow(c->known, &c->cap_known, i + 1, sizeof *c->known);
		c->known[i] = false;
		for (v = 0; v < c->n_values; v++)
			c->annotations[i * c->n_values + v] = CAPTURES_NONE;
	}
	return (uint32_t)i;
}

static void set_key(struct captures *c, struct str rank, struct str pid, struct str id)
{
	struct buf *key = &c->key;

	key->n = 0;
	buf_add(key, rank.p, rank.n);
	if (pid.p) {
		buf_char(key, '/');
		buf_add(key, pid.p, pid.n);
	}
	buf_char(key, ' ');
	buf_add(key, id.p, id.n);
}

/* Returns the number of a node of nsys in f->nodes. */
static uint32_t put_node(struct capture_file *f, struct event *e, struct str id)
{
	uint32_t i;

	set_key(f->all, event_get(e, EVENT_RANK), event_get(e, EVENT_PID), id);
	i = put_annotation(f->all);
	f->nodes = mem_grow_zero(f->nodes, &f->cap_nodes, i + 1, sizeof *f->nodes);
	f->n_nodes = i >= f->n_nodes ? i + 1 : f->n_nodes;
	return i;
}

/* Sets the values that nvtx-attach has added to the record of a call or node. */
static void set_values(struct captures *c, struct event *e, uint32_t *values)
{
	size_t i;

	values[CAPTURES_OP] = put_value(c, iter_find(e->raw, STR("op")));
	values[CAPTURES_OPS] = put_value(c, iter_find(e->raw, STR("ops")));
	values[CAPTURES_MODULE] = put_modules(c, iter_find(e->raw, STR("module")));
	values[CAPTURES_MODULES] = put_modules(c, iter_find(e->raw, STR("modules")));
	values[CAPTURES_FILE] = put_value(c, iter_find(e->raw, STR("kernel_file")));
	values[CAPTURES_HASH] = put_value(c, iter_find(e->raw, STR("kernel_hash")));
	for (i = 0; i < c->take->n; i++)
		values[CAPTURES_VALUES + i] = put_value(c, iter_find(e->raw, str_of(c->take->list[i].name)));
}

/* Takes the record of a node's creation; the first one counts. Other records without an id of a node are ignored. */
static void take_node(struct capture_file *f, struct event *e)
{
	const struct str args = event_get(e, EVENT_ARGS), id = iter_find(args, STR("graphNodeId"));
	const struct str original = iter_find(args, STR("originalGraphNodeId"));
	uint32_t i, of;

	if (!id.p || str_eq(id, STR("null")))
		return;
	i = put_node(f, e, id);
	if (f->nodes[i].created)
		return;
	f->nodes[i].created = true;
	set_values(f->all, e, f->all->annotations + i * f->all->n_values);
	if (original.p && !str_eq(original, STR("null"))) {
		of = put_node(f, e, original);
		f->nodes[i].original = of + 1;
	}
}

/* Adds a call to the open capture of its thread. */
static void add_node(struct capture_file *f, struct open_capture *o, struct event *e, uint32_t kind)
{
	struct captures *c = f->all;
	const size_t n = o->capture.n++;
	struct str op = iter_find(e->raw, STR("op")), file = iter_find(e->raw, STR("kernel_file"));

	o->names = mem_grow(o->names, &o->cap_names, n + 1, sizeof *o->names);
	o->values = mem_grow(o->values, &o->cap_values, (n + 1) * c->n_values, sizeof *o->values);
	o->calls = mem_grow(o->calls, &o->cap_calls, n + 1, sizeof *o->calls);
	o->names[n] = name_of_call(c, e, kind, iter_find(e->raw, STR("captured_name")), file, op);
	o->calls[n] = call_key(f, e);
	set_values(c, e, o->values + n * c->n_values);
	if (!n)
		set_group(f, &o->capture, iter_find(e->raw, STR("captured")), iter_find(e->raw, STR("captured_ts")));
}

static void take(struct capture_file *f, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);
	const struct str name = event_get(e, EVENT_NAME);
	struct open_capture *o;
	size_t thread;

	event_walk(e);
	if (!input_valid(&f->in, e))
		return;
	if (kind == KIND_OTHER) {
		take_node(f, e);
		return;
	}
	if (kind != KIND_API) {
		f->devices = mem_grow(f->devices, &f->cap_devices, f->n_devices + 1, sizeof *f->devices);
		f->devices[f->n_devices++] = call_key(f, e);
		return;
	}
	thread = places_put_event(&f->threads, e);
	o = open_capture(f, thread);
	if (str_find(name, STR("StreamBeginCapture")) < name.n) {
		begin_capture(f, e, thread);
	} else if (o && str_find(name, STR("StreamEndCapture")) < name.n) {
		o->ended = true;
		o->capture.end = e->ts;
	} else if (o && e->ts >= o->capture.begin) {
		if (str_find(name, STR("Launch")) < name.n) {
			if (str_find(name, STR("GraphLaunch")) == name.n && str_find(name, STR("HostFunc")) == name.n)
				add_node(f, o, e, CAPTURES_UNKNOWN);
		} else if (str_find(name, STR("Memcpy")) < name.n) {
			add_node(f, o, e, CAPTURES_COPY);
		} else if (str_find(name, STR("Memset")) < name.n) {
			add_node(f, o, e, CAPTURES_SET);
		}
	}
}

/* --- the captures of a file, after it was read --- */

static int compare_begins(const void *a, const void *b)
{
	const struct open_capture *x = a, *y = b;

	return (x->capture.begin > y->capture.begin) - (x->capture.begin < y->capture.begin);
}

/* Removes the calls that have a device record: they ran at once, on a stream that was not captured. */
static void remove_immediate(const struct capture_file *f, struct open_capture *o)
{
	const size_t n_values = f->all->n_values;
	uint32_t i, n = 0;

	for (i = 0; i < o->capture.n; i++) {
		if (f->n_devices && bsearch(&o->calls[i], f->devices, f->n_devices, sizeof *f->devices, order_uint64s))
			continue;
		o->names[n] = o->names[i];
		memmove(o->values + n * n_values, o->values + i * n_values, n_values * sizeof *o->values);
		n++;
	}
	o->capture.n = n;
}

/* Numbers the list of a capture, and links it with the captures of this list. */
static void number_list(struct captures *c, uint32_t number)
{
	struct capture *capture = &c->list[number];
	const uint32_t *names = captures_names(c, number);
	const struct str key = {(const char *)names, capture->n * sizeof *names};
	const size_t known = c->lists_by_name.n, i = map_put(&c->lists_by_name, key);
	struct capture_list *list;

	capture->list = (uint32_t)i;
	capture->next = CAPTURES_NONE;
	c->lists = mem_grow_zero(c->lists, &c->cap_lists, i + 1, sizeof *c->lists);
	list = &c->lists[i];
	if (i < known) {
		c->list[list->last].next = number;
	} else {
		list->first = number;
		buf_add(&list->sorted, names, key.n);
		if (capture->n)
			qsort(list->sorted.p, capture->n, sizeof *names, order_uint32s);
	}
	list->last = number;
}

static void add_capture(struct captures *c, const struct open_capture *o)
{
	const uint32_t number = (uint32_t)c->n;
	struct capture_group *group;
	struct capture *capture;
	uint32_t i;

	c->list = mem_grow(c->list, &c->cap, c->n + 1, sizeof *c->list);
	capture = &c->list[c->n++];
	*capture = o->capture;
	capture->first = c->n_nodes;
	c->names_of = mem_grow(c->names_of, &c->cap_names, c->n_nodes + capture->n + 1, sizeof *c->names_of);
	c->values_of =
	    mem_grow(c->values_of, &c->cap_values, (c->n_nodes + capture->n + 1) * c->n_values, sizeof *c->values_of);
	if (capture->n) {
		memcpy(c->names_of + c->n_nodes, o->names, capture->n * sizeof *o->names);
		memcpy(
		    c->values_of + c->n_nodes * c->n_values, o->values, capture->n * c->n_values * sizeof *o->values);
	}
	c->n_nodes += capture->n;
	for (i = 0; i < capture->n; i++)
		capture->unknown |= o->names[i] == CAPTURES_UNKNOWN;
	group = &c->groups[capture->group];
	group->captures = mem_grow(group->captures, &group->cap, group->n + 1, sizeof *group->captures);
	capture->place = (uint32_t)group->n;
	group->captures[group->n++] = number;
	number_list(c, number);
}

/* Returns the node of which node i is a copy, directly or by way of other copies; a node in a cycle becomes unknown. */
static size_t original_of(struct graph_node *nodes, size_t n, size_t i)
{
	size_t at = i, next, steps = 0;

	while (nodes[at].original && steps++ < n)
		at = nodes[at].original - 1;
	if (nodes[at].original)
		nodes[at] = (struct graph_node){.created = false};
	/* All nodes on the way refer to the original now, so that no long way is walked twice. */
	for (; i != at; i = next) {
		next = nodes[i].original - 1;
		nodes[i].original = (uint32_t)at + 1;
	}
	return at;
}

/* Gives each node of nsys the values of its original. */
static void resolve_nodes(struct capture_file *f)
{
	struct captures *c = f->all;
	size_t i, original;

	for (i = 0; i < f->n_nodes; i++) {
		original = original_of(f->nodes, f->n_nodes, i);
		c->known[i] |= f->nodes[original].created;
		c->nodes_read += f->nodes[original].created;
		memmove(c->annotations + i * c->n_values, c->annotations + original * c->n_values,
		    c->n_values * sizeof *c->annotations);
	}
	free(f->nodes);
}

/* Adds the captures that were read; returns the number of captures and nodes. */
static size_t end_file(struct capture_file *f)
{
	struct captures *c = f->all;
	struct open_capture *o;
	size_t added = f->n_nodes;

	resolve_nodes(f);
	f->n_devices = order_distinct(f->devices, f->n_devices, sizeof *f->devices, order_uint64s);
	if (f->n)
		qsort(f->list, f->n, sizeof *f->list, compare_begins);
	c->groups = mem_grow_zero(c->groups, &c->cap_groups, c->n_groups + f->ranges.n + 1, sizeof *c->groups);
	for (o = f->list; f->n && o < f->list + f->n; o++) {
		c->endless += !o->ended;
		if (o->ended && o->capture.end > INT64_MIN) {
			remove_immediate(f, o);
			o->capture.group += (uint32_t)c->n_groups;
			add_capture(c, o);
			added++;
		}
		mem_free(o->names, o->values, o->calls);
	}
	c->n_groups += f->ranges.n + 1;
	mem_free(f->list, f->devices);
	map_free(&f->ranges);
	places_free(&f->threads);
	return added;
}

/* --- reading --- */

/* Starts the pipeline for a file. Returns its process, and sets *from to the pipe with its output. */
static pid_t start_pipeline(const struct captures *c, const char *path, int *from)
{
	static char folder[4096];
	const char *argv[] = {"bash", "-c", pipeline, err_command(), folder, path, c->taken, NULL};
	const ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int ends[2];

	/* The pipeline runs the programs beside this one, which are of the same version, before others of PATH. */
	folder[n > 0 ? str_after_last((struct str){folder, (size_t)n}, '/') : 0] = '\0';
	if (pipe2(ends, O_CLOEXEC) != 0)
		die("cannot start a program:");
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	errno = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environ);
	if (errno)
		die("cannot run bash:");
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	*from = ends[0];
	return pid;
}

static void read_trace(struct captures *c, const char *path)
{
	struct capture_file f = {.all = c,
	    .in.report = filter_report,
	    .threads = {.members = {EVENT_RANK, EVENT_PID, EVENT_TID}, .n_members = 3}};
	char operand[32], *operands[] = {operand, NULL};
	struct out none = {0};
	struct event e;
	int from, status;
	pid_t pid = start_pipeline(c, path, &from);

	snprintf(operand, sizeof operand, "/dev/fd/%d", from);
	input_open(&f.in, operands, &none);
	while (input_next(&f.in, &e))
		take(&f, &e);
	c->lost |= filter_close_input(&f.in) != STATUS_OK;
	close(from);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status) || WEXITSTATUS(status) > STATUS_LOST)
		die("%s: cannot read the captures of this file", path);
	c->lost |= WEXITSTATUS(status) == STATUS_LOST;
	if (end_file(&f))
		return;
	warn(
	    "%s: no capture of a graph: no call of cudaStreamBeginCapture or hipStreamBeginCapture with its end", path);
	c->lost = true;
}

/* Sets the values of an annotation: an array of objects, the innermost last. */
static void set_annotation(struct captures *c, uint32_t number, struct str list)
{
	struct str object, name, last = {NULL, 0}, module = {NULL, 0}, value;
	uint32_t *values = c->annotations + number * c->n_values;
	struct buf ops = {0};
	struct iter w;
	size_t i;

	c->known[number] = true;
	buf_char(&ops, '[');
	if (!iter_array(&w, list))
		iter_init(&w, (struct str){"]", 0});
	while (iter_element(&w, &object)) {
		name = iter_find(object, STR("name"));
		if (json_is_string(name)) {
			if (last.p)
				buf_char(&ops, ',');
			buf_add(&ops, name.p, name.n);
			last = name;
		}
		value = iter_find(object, STR("module_fqn"));
		module = json_is_string(value) ? value : module;
		for (i = 0; i < c->take->n; i++) {
			value = iter_find(object, c->take->list[i].field.name);
			if (value.p)
				values[CAPTURES_VALUES + i] = put_value(c, value);
		}
	}
	buf_char(&ops, ']');
	values[CAPTURES_OP] = put_value(c, last);
	values[CAPTURES_OPS] = last.p ? put_value(c, buf_str(&ops)) : CAPTURES_NONE;
	values[CAPTURES_MODULE] = put_value(c, module);
	buf_free(&ops);
}

/* Returns the annotation of a node, or CAPTURES_NONE if it is not known. */
static uint32_t find_annotation(struct captures *c, struct str rank, struct str pid, struct str id)
{
	size_t i;

	set_key(c, rank, pid, id);
	i = map_find(&c->annotated, buf_str(&c->key));
	return i == MAP_NONE || !c->known[i] ? CAPTURES_NONE : (uint32_t)i;
}

/* The args of a kernel: its node in the traces of PyTorch and of nsys, and the members of an annotation. */
struct node_args {
	struct str all, node, nsys_node, name, module;
};

static struct node_args read_args(struct str args)
{
	struct node_args a = {.all = args};
	struct str key, value;
	struct iter w;

	iter_init(&w, args);
	while (iter_quick(&w, &key, &value) > 0) {
		if (str_eq(key, STR("graph node id")))
			a.node = value;
		else if (str_eq(key, STR("graphNodeId")))
			a.nsys_node = value;
		else if (str_eq(key, STR("name")))
			a.name = value;
		else if (str_eq(key, STR("module_fqn")))
			a.module = value;
	}
	return a;
}

/* Returns the annotation that args of a kernel are; PyTorch can add the members of annotations to the kernels. */
static uint32_t annotation_of_args(struct captures *c, const struct node_args *a)
{
	struct buf *key = &c->key, list = {0};
	uint32_t number;
	struct str value;
	size_t i;

	if (!json_is_string(a->name) && !json_is_string(a->module))
		return CAPTURES_NONE;
	key->n = 0;
	buf_lit(key, "*");
	buf_add(key, a->name.p, a->name.n);
	buf_char(key, ',');
	buf_add(key, a->module.p, a->module.n);
	for (i = 0; i < c->take->n; i++) {
		value = iter_find(a->all, c->take->list[i].field.name);
		buf_char(key, ',');
		buf_add(key, value.p, value.n);
	}
	number = put_annotation(c);
	if (!c->known[number]) {
		buf_char(&list, '[');
		buf_add(&list, a->all.p, a->all.n);
		buf_char(&list, ']');
		buf_room(&list, SOURCE_PAD);
		set_annotation(c, number, buf_str(&list));
	}
	buf_free(&list);
	return number;
}

uint32_t captures_annotation(struct captures *c, struct str rank, struct str pid, struct str args)
{
	static const struct str none = {NULL, 0};
	struct node_args a;
	uint32_t found = CAPTURES_NONE;

	/* Most kernels name no node, or no annotation is known; this is found out without reading the args. */
	if (!iter_may_find(args, "gra") ||
	    (!c->nodes_read && !iter_may_find(args, "nam") && !iter_may_find(args, "mod")))
		return CAPTURES_NONE;
	a = read_args(args);
	if (!(a.node.p || a.nsys_node.p) || str_eq(a.node, STR("0")))
		return CAPTURES_NONE;
	if (c->nodes_read)
		found = find_annotation(c, rank, a.node.p ? none : pid, a.node.p ? a.node : a.nsys_node);
	if (found == CAPTURES_NONE && c->nodes_read && a.node.p)
		found = find_annotation(c, none, none, a.node);
	/* A run of one process has no rank: its annotations are those of rank 0. */
	if (found == CAPTURES_NONE && c->nodes_read && a.node.p && !rank.n)
		found = find_annotation(c, STR("0"), none, a.node);
	return found == CAPTURES_NONE && a.node.p ? annotation_of_args(c, &a) : found;
}

static void read_annotations(struct captures *c, const char *path, struct str name)
{
	const struct str rank = str_first(str_from(name, strlen("kernel_annotations_rank")), is_digit);
	struct str key, value;
	struct json_tree tree = {0};
	struct buf text = {0};
	struct source *source;
	struct fault fault;
	size_t at = 0;

	source = source_open(path, &fault);
	while (source && source_more(source) > 0) {
		buf_add(&text, source->p, source->n);
		source_skip(source, source->n);
	}
	if (source && source->fault.what)
		fault = source->fault;
	memset(buf_room(&text, SOURCE_PAD), 0, SOURCE_PAD);
	if (!source || source->fault.what || !json_tree_read(&tree, buf_str(&text), &fault)) {
		fault.at.file = path;
		die_fault(&fault);
	}
	while (json_tree_next(&tree, &at, &key, &value)) {
		if (!key.p)
			continue;
		set_key(c, rank, (struct str){NULL, 0}, key);
		set_annotation(c, put_annotation(c), value);
		c->nodes_read++;
	}
	source_close(source);
	json_tree_free(&tree);
	buf_free(&text);
}

static void read_capture_file(struct captures *c, const char *path)
{
	struct str name = str_of(path);

	name = str_from(name, str_after_last(name, '/'));
	if (str_starts(name, STR("kernel_annotations")))
		read_annotations(c, path, name);
	else
		read_trace(c, path);
}

void captures_read(struct captures *c, const char *path)
{
	const char *const operands[] = {path, NULL};
	char **files, **file;

	if (access(path, F_OK) != 0)
		die("--graphs: %s:", path);
	files = folder_expand(operands);
	if (folder_is(*files))
		die("--graphs: %s: a folder without files that can be read", path);
	for (file = files; *file; file++)
		read_capture_file(c, *file);
	folder_free(files);
}

void captures_free(struct captures *c)
{
	size_t i;

	for (i = 0; i < c->lists_by_name.n; i++)
		buf_free(&c->lists[i].sorted);
	for (i = 0; i < c->n_groups; i++)
		free(c->groups[i].captures);
	maps_free(&c->names, &c->values, &c->lists_by_name, &c->annotated);
	value_ids_free(&c->ranks);
	mem_free(c->list, c->lists, c->groups, c->names_of, c->values_of, c->annotations, c->known, c->same);
	buf_free(&c->key);
}

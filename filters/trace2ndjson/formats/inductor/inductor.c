/*
 * inductor: reads the logs that torch.compile writes to the folder TORCH_TRACE. A record of a log is a line. The lines
 * of its payload follow it; they begin with a tab:
 *
 *   V0819 12:42:54.238000 888578 torch/_inductor/graph.py:2390] {"inductor_output_code": {"filename": "/tmp/x.py"},
 *     "frame_id": 0, "frame_compile_id": 0, "attempt": 0, "has_payload": "2aca68c4d8cdb34111248013b1275458"}
 *   	# kernel path: /tmp/torchinductor_me/sw/csw3.py
 *   	triton_poi_fused_mul_1 = async_compile.triton('triton_poi_fused_mul_1', '''
 *
 * Each kernel of a compiled graph becomes a record:
 *
 *   {"kind":"kernelinfo","name":"triton_poi_fused_mul_1","cat":"inductor","args":{"compile":"0/0","graph":1,"handle":2,
 *    "kernel_file":"/tmp/torchinductor_me/sw/csw3.py","source_nodes":["d"],"post_nodes":["mul"],"nth":[1],"calls":1,
 *    "stacks":[{"depth":1,"file":"model.py","line":82,"function":"forward","text":"d = a * 3.14"}]}}
 */
#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/check.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"
#include "trace2ndjson/formats/document.h"
#include "trace2ndjson/formats/draft.h"

#ifdef HAVE_MD
#include <md5.h>
#endif

/* --- sums: has_payload is the MD5 of the payload --- */

/* Without libmd, no sum is compared, and nobody notices that a payload is cut, unless it is JSON. */
struct payload_sum {
#ifdef HAVE_MD
	MD5_CTX md5;
#endif
	char digits[33]; /* of has_payload; empty if it is not an MD5 */
};

static void sum_begin(struct payload_sum *s, struct str digits)
{
	*str_copy(s->digits, str_head(digits, digits.n == 32 ? 32 : 0)) = 0;
#ifdef HAVE_MD
	MD5Init(&s->md5);
#endif
}

static void sum_add(struct payload_sum *s, struct str text)
{
#ifdef HAVE_MD
	MD5Update(&s->md5, (const unsigned char *)text.p, text.n);
#else
	(void)s;
	(void)text;
#endif
}

/* To be called once, at the end of the payload. */
static bool sum_differs(struct payload_sum *s)
{
#ifdef HAVE_MD
	char digits[MD5_DIGEST_STRING_LENGTH];

	return strcmp(MD5End(&s->md5, digits), s->digits) != 0;
#else
	(void)s;
	return false;
#endif
}

/* --- graphs --- */

/* The records of the log that describe a graph. */
enum part { PART_NODES, PART_STACKS, PART_CODE, PART_KEY, PARTS };

static const struct {
	const char *name; /* of the artifact */
	enum part part;
} artifacts[] = {
    {"inductor_provenance_tracking_node_mappings", PART_NODES},
    {"inductor_provenance_tracking_kernel_stack_traces", PART_STACKS},
    {"fx_graph_cache_miss", PART_KEY},
    {"fx_graph_cache_hit", PART_KEY},
    {"fx_graph_cache_bypass", PART_KEY},
};

/* A kernel by its name: NAME of NAME:handle. */
struct kernel_name {
	size_t file;    /* offset in graph.files, plus 1, of the path in front of its definition; 0 if it has none */
	uint64_t calls; /* number of its calls in the generated code */
};

/* A call in the generated code. */
struct graph_call {
	size_t kernel; /* the number of NAME:handle in graph.called */
	uint64_t nth;  /* which call of NAME it is, counted from 1 */
};

/* A graph that was compiled. Its texts are those of the log; names are as written in JSON, between their quotes. */
struct graph {
	struct str compile, rank; /* keys of inductor.texts; rank is JSON, and p is NULL if the log has none */
	bool has[PARTS];
	struct buf nodes, stacks, key; /* payloads; key: a JSON string */
	struct buf files;              /* paths, each with a newline */
	struct map names;
	struct kernel_name *kernels; /* one for each of names */
	size_t cap_kernels;
	struct map called; /* NAME:handle */
	struct graph_call *calls;
	size_t n_calls, cap_calls;
};

/* A kernel of the graph whose records are being written. Both are arrays, or p is NULL. */
struct graph_kernel {
	struct str nodes, stacks;
};

/* Memory for all files: graphs are numbered through all logs. */
struct inductor_run {
	int64_t graphs;
};

struct inductor {
	bool whole;    /* the log was read; its kernels are being written */
	uint64_t line; /* number of the current line */
	/* the current record */
	bool open;                   /* it has a payload, which the following lines may continue */
	struct fault_location began; /* its place; file is not used */
	struct graph *graph;         /* the graph that it describes, or NULL */
	enum part part;
	bool over; /* the payload is larger than --max-record */
	struct payload_sum sum;
	struct buf payload;  /* of a record that describes a graph, except its code */
	bool lines;          /* the payload has a line */
	size_t path, path_n; /* the place in graph.files of the last path in the code */
	/* all graphs */
	struct map texts;
	struct map places; /* rank and compilation id */
	size_t *latest;    /* the last graph of each place */
	size_t cap_latest;
	struct graph *graphs;
	size_t n, cap;
	/* the graph that is being written */
	size_t at, kernel;        /* the number of graphs that were begun; the next kernel of the last one */
	struct map kernels, from; /* NAME:handle; the nodes of postToPre */
	struct graph_kernel *list;
	struct str *sources; /* the value of each of `from` */
	size_t cap_list, cap_sources;
	struct buf stack;
};

/* Returns NAME of NAME:handle, and sets *handle to the digits; to "" if the name has no handle. */
static struct str split_handle(struct str name, struct str *handle)
{
	*handle = str_last(name, is_digit);
	if (handle->n && handle->n < name.n && handle->p[-1] == ':')
		return str_head(name, name.n - handle->n - 1);
	*handle = (struct str){"", 0};
	return name;
}

static void add_part(struct buf *b, char sign, struct str part)
{
	buf_char(b, sign);
	buf_add(b, part.p, part.n);
}

/*
 * Returns the graph that a record describes. A graph has each part once: a part that the last graph of the compilation
 * already has belongs to the next graph, as the backward graph follows the forward graph.
 */
static struct graph *graph_of(struct inductor *s, struct str record, enum part part)
{
	const struct str frame = document_member(record, "frame_id"),
			 autograd = document_member(record, "compiled_autograd_id"),
			 again = document_member(record, "frame_compile_id"),
			 attempt = document_member(record, "attempt");
	const size_t known = s->places.n;
	struct str rank = document_member(record, "rank");
	struct buf text = {0};
	size_t place;
	int64_t number;

	if (num_int(rank, &number) != NUM_OK)
		rank = (struct str){NULL, 0};
	if (autograd.p)
		add_part(&text, '!', autograd);
	if (autograd.p && frame.p)
		buf_char(&text, '/');
	if (frame.p) {
		buf_add(&text, frame.p, frame.n);
		add_part(&text, '/', again.p ? again : STR("0"));
	}
	if (attempt.p && !str_eq(attempt, STR("0")) && text.n)
		add_part(&text, '_', attempt);
	if (!text.n)
		buf_char(&text, '-');
	place = text.n;
	add_part(&text, ' ', rank);
	s->graphs = mem_grow(s->graphs, &s->cap, s->n + 1, sizeof *s->graphs);
	s->graphs[s->n] =
	    (struct graph){.compile = map_key(&s->texts, map_put(&s->texts, str_head(buf_str(&text), place))),
		.rank = rank.p ? map_key(&s->texts, map_put(&s->texts, rank)) : rank};
	place = map_put(&s->places, buf_str(&text));
	buf_free(&text);
	s->latest = mem_grow(s->latest, &s->cap_latest, place + 1, sizeof *s->latest);
	if (place >= known || s->graphs[s->latest[place]].has[part])
		s->latest[place] = s->n++;
	s->graphs[s->latest[place]].has[part] = true;
	return &s->graphs[s->latest[place]];
}

static struct kernel_name *kernel_of(struct graph *g, struct str name)
{
	const size_t i = map_put(&g->names, name);

	g->kernels = mem_grow_zero(g->kernels, &g->cap_kernels, g->names.n, sizeof *g->kernels);
	return &g->kernels[i];
}

/* Reads a line of the generated code: the path of a kernel's file, its definition, or a comment in front of a call. */
static void read_code(struct inductor *s, struct str line)
{
	const struct str path = STR("# kernel path: "), call = STR("# [Provenance debug handles] ");
	struct graph *g = s->graph;
	struct kernel_name *kernel;
	struct str name, handle;

	line = str_trim(line);
	if (str_starts(line, path)) {
		s->path = g->files.n + 1;
		line = str_from(line, path.n);
		buf_add(&g->files, line.p, line.n);
		buf_char(&g->files, '\n');
	} else if (str_starts(line, call)) {
		line = str_from(line, call.n);
		if (!line.n || json_plain(line) != line.n)
			return;
		kernel = kernel_of(g, split_handle(line, &handle));
		g->calls = mem_grow(g->calls, &g->cap_calls, g->n_calls + 1, sizeof *g->calls);
		g->calls[g->n_calls++] = (struct graph_call){map_put(&g->called, line), ++kernel->calls};
	} else if (s->path) {
		name = str_head(line, str_find(line, STR(" = async_compile.")));
		if (name.n == line.n || !name.n || json_plain(name) != name.n)
			return;
		kernel_of(g, name)->file = s->path;
		s->path = 0;
	}
}

/* --- records of the log --- */

/* Returns the JSON of a line that begins a record; p is NULL for any other line. */
static struct str record_of(struct str line)
{
	const char *const form = "V0000 00:00:00.000000 ";
	size_t i;

	for (i = 0; form[i]; i++) {
		if (i >= line.n || !(form[i] == '0' ? is_digit(line.p[i]) : form[i] == line.p[i]))
			return (struct str){NULL, 0};
	}
	line = str_from(line, str_find(line, STR("] {")) + 2);
	return line.n ? line : (struct str){NULL, 0};
}

/* Stores the payload of a record that describes a graph, except its code. Returns whether it is a JSON object. */
static bool store_payload(struct inductor *s)
{
	struct graph *g = s->graph;
	struct buf *to = s->part == PART_NODES ? &g->nodes : &g->stacks;
	struct str payload, key;

	scan_pad(&s->payload);
	payload = buf_str(&s->payload);
	if (!payload.n || payload.p[0] != '{' || !json_check(payload, NULL))
		return false;
	if (s->part == PART_KEY) {
		key = document_member(payload, "key");
		buf_add(&g->key, key.p, key.n);
	} else {
		scan_append(to, payload);
	}
	return true;
}

/* Ends the record whose payload was read. `last`: the log ends with it. A graph can use a payload that was edited. */
static void end_payload(struct inductor *s, struct reader *r, bool last)
{
	const bool json = s->graph && s->part != PART_CODE;
	bool lost, differs;

	if (!s->open)
		return;
	s->open = false;
	differs = sum_differs(&s->sum);
	lost = !s->over && json && !store_payload(s);
	if (s->over)
		reader_lost(r, "payload larger than --max-record; skipped", s->began.line, s->began.byte);
	else if (last && (json ? lost : differs))
		reader_cut(r, "payload cut short", s->began.line, s->began.byte);
	else if (lost)
		reader_lost(r, "payload that is not a JSON object; skipped", s->began.line, s->began.byte);
	else if (differs)
		reader_warning(r, "payload differs from its MD5", s->began.line, s->began.byte);
}

static void read_record(struct inductor *s, struct reader *r, struct str record, uint64_t offset, bool cut)
{
	const struct line at = {.line = s->line, .offset = offset, .cut = cut};
	struct str artifact, sum;
	size_t i;

	record = reader_sound(r, &at, record);
	if (!record.p)
		return;
	sum = document_member(record, "has_payload");
	artifact = document_member(document_member(record, "artifact"), "name");
	s->graph = NULL;
	if (!json_is_string(sum))
		return;
	if (document_member(record, "inductor_output_code").p)
		s->graph = graph_of(s, record, s->part = PART_CODE);
	for (i = 0; json_is_string(artifact) && i < sizeof artifacts / sizeof *artifacts; i++) {
		if (str_eq(json_inner(artifact), str_of(artifacts[i].name)))
			s->graph = graph_of(s, record, s->part = artifacts[i].part);
	}
	s->open = true;
	s->over = s->lines = false;
	s->began = (struct fault_location){.line = s->line, .byte = offset};
	s->payload.n = s->path = 0;
	sum_begin(&s->sum, json_inner(sum));
}

/* Adds a line of the payload, without its tab. */
static void add_payload_line(struct inductor *s, const struct reader *r, struct str line, bool over)
{
	if (s->lines)
		sum_add(&s->sum, STR("\n"));
	sum_add(&s->sum, line);
	s->over |= over;
	if (s->graph && s->part == PART_CODE) {
		read_code(s, line);
	} else if (s->graph) {
		s->over |= s->payload.n + line.n >= r->max_record;
		if (s->over)
			return;
		if (s->lines)
			buf_char(&s->payload, '\n');
		buf_add(&s->payload, line.p, line.n);
	}
	s->lines = true;
}

static void read_log(struct inductor *s, struct reader *r)
{
	struct str line, record;
	uint64_t offset;
	bool cut, over;

	for (;;) {
		offset = r->src->offset;
		if (!document_line(r, &line, &cut, &over))
			break;
		s->line++;
		line.n -= str_ends(line, STR("\r"));
		record = record_of(line);
		if (line.n && line.p[0] == '\t' && !record.p) {
			if (s->open)
				add_payload_line(s, r, str_from(line, 1), over);
			continue;
		}
		if (over)
			reader_lost(r, "record larger than --max-record; skipped", s->line, offset);
		if (!record.p && cut && !over)
			reader_cut(r, "last line cut short; skipped", s->line, offset);
		else if (!record.p && line.n && !over)
			reader_note(r, "line that is not of the log; skipped", s->line, offset);
		if (!record.p)
			continue;
		end_payload(s, r, false);
		read_record(s, r, record, offset, cut);
	}
	end_payload(s, r, true);
	s->whole = true;
}

/* --- records --- */

static struct graph_kernel *put_kernel(struct inductor *s, struct str name)
{
	const size_t known = s->kernels.n, i = map_put(&s->kernels, name);

	s->list = mem_grow(s->list, &s->cap_list, s->kernels.n, sizeof *s->list);
	if (i >= known)
		s->list[i] = (struct graph_kernel){{NULL, 0}, {NULL, 0}};
	return &s->list[i];
}

/* Lists the kernels of a graph: those of the tables of nodes and of stacks, and those that its code defines. */
static void list_kernels(struct inductor *s, const struct graph *g)
{
	struct str key, value, handle;
	struct map named = {0};
	struct iter at;
	size_t i;

	maps_free(&s->kernels, &s->from);
	s->kernel = 0;
	iter_init(&at, document_member(buf_str(&g->nodes), "cppCodeToPost"));
	while (iter_next(&at, &key, &value) > 0)
		put_kernel(s, key)->nodes = value;
	iter_init(&at, buf_str(&g->stacks));
	while (iter_next(&at, &key, &value) > 0)
		put_kernel(s, key)->stacks = value;
	for (i = 0; i < s->kernels.n; i++)
		map_put(&named, split_handle(map_key(&s->kernels, i), &handle));
	for (i = 0; i < g->names.n; i++) {
		if (g->kernels[i].file && map_find(&named, map_key(&g->names, i)) == MAP_NONE)
			put_kernel(s, map_key(&g->names, i));
	}
	map_free(&named);
	iter_init(&at, document_member(buf_str(&g->nodes), "postToPre"));
	while (iter_next(&at, &key, &value) > 0) {
		i = map_put(&s->from, key);
		s->sources = mem_grow(s->sources, &s->cap_sources, s->from.n, sizeof *s->sources);
		s->sources[i] = value;
	}
}

/* Writes the nodes of the user's graph from which the nodes of a kernel were made, each once, and these nodes. */
static void put_nodes(const struct inductor *s, struct buf *args, struct str nodes)
{
	struct map all = {0};
	struct iter at, inner;
	struct str node, source;
	size_t i, known;

	if (!iter_array(&at, nodes))
		return;
	json_write_begin(args, "source_nodes", '[');
	while (iter_element(&at, &node)) {
		i = json_is_string(node) ? map_find(&s->from, json_inner(node)) : MAP_NONE;
		if (i == MAP_NONE || !iter_array(&inner, s->sources[i]))
			continue;
		while (iter_element(&inner, &source)) {
			known = all.n;
			if (map_put(&all, source) == known)
				json_write_json(args, NULL, source);
		}
	}
	json_write_end(args, ']');
	json_write_json(args, "post_nodes", nodes);
	map_free(&all);
}

/* Writes a stack: the number of its frames, and the innermost frame, which is the last one. */
static void put_stack(struct buf *args, struct str text)
{
	const struct str file = STR("File \""), at_line = STR("\", line "), in = STR(", in ");
	struct str line, path = {NULL, 0}, number = path, function = path, source = path;
	int64_t depth = 0;
	size_t at;

	while (str_split(&text, '\n', &line)) {
		line = str_trim(line);
		at = str_starts(line, file) ? str_find(line, at_line) : line.n;
		if (at < line.n) {
			depth++;
			path = str_from(str_head(line, at), file.n);
			line = str_from(line, at + at_line.n);
			number = str_head(line, str_find(line, in));
			function = str_from(line, number.n + in.n);
			source = (struct str){NULL, 0};
		} else if (!source.p && line.n) {
			source = line;
		}
	}
	json_write_begin(args, NULL, '{');
	json_write_int(args, "depth", depth);
	if (depth) {
		json_write_text(args, "file", path);
		json_write_number(args, "line", number);
		json_write_text(args, "function", function);
	}
	if (source.p)
		json_write_text(args, "text", source);
	json_write_end(args, '}');
}

/* Writes the stacks of a kernel. In some logs a newline is written as a backslash and an n. */
static void put_stacks(struct inductor *s, struct buf *args, struct str stacks)
{
	struct str stack, rest;
	struct iter at;
	size_t i, n;

	if (!iter_array(&at, stacks))
		return;
	json_write_begin(args, "stacks", '[');
	while (iter_element(&at, &stack)) {
		s->stack.n = 0;
		if (json_is_string(stack))
			json_unescape(&s->stack, json_inner(stack));
		rest = buf_str(&s->stack);
		if (str_find(rest, STR("\n")) == rest.n) {
			for (i = n = 0; i < s->stack.n; i++, n++) {
				s->stack.p[n] = s->stack.p[i];
				if (str_starts(str_from(rest, i), STR("\\n"))) {
					s->stack.p[n] = '\n';
					i++;
				}
			}
			s->stack.n = n;
		}
		put_stack(args, buf_str(&s->stack));
	}
	json_write_end(args, ']');
}

/* Writes which calls of all with this name are those of the kernel, and how many calls the name has. */
static void put_calls(const struct graph *g, struct buf *args, struct str kernel, const struct kernel_name *name)
{
	const size_t called = map_find(&g->called, kernel);
	size_t i;

	if (called == MAP_NONE)
		return;
	json_write_begin(args, "nth", '[');
	for (i = 0; i < g->n_calls; i++) {
		if (g->calls[i].kernel == called)
			json_write_int(args, NULL, (int64_t)g->calls[i].nth);
	}
	json_write_end(args, ']');
	json_write_int(args, "calls", (int64_t)name->calls);
}

/* Makes the record of a kernel. Returns whether it is selected. */
static bool convert(struct inductor *s, struct reader *r, const struct graph *g, size_t kernel, struct event *e)
{
	const struct inductor_run *run = r->run;
	const struct str whole = map_key(&s->kernels, kernel);
	struct buf *args = &r->draft->args;
	struct str handle, name = split_handle(whole, &handle), file;
	const size_t number = map_find(&g->names, name);
	const struct kernel_name *named = number == MAP_NONE ? NULL : &g->kernels[number];

	draft_begin(r, e, KIND_KERNELINFO);
	buf_set(&r->draft->name, STR("\""));
	buf_add(&r->draft->name, name.p, name.n);
	buf_char(&r->draft->name, '"');
	event_set(e, EVENT_CAT, STR("\"inductor\""));
	event_set(e, EVENT_RANK, g->rank);
	json_write_text(args, "compile", g->compile);
	json_write_int(args, "graph", run->graphs);
	if (handle.n)
		json_write_number(args, "handle", handle);
	if (named && named->file) {
		file = str_from(buf_str(&g->files), named->file - 1);
		json_write_text(args, "kernel_file", str_head(file, str_find(file, STR("\n"))));
	}
	if (json_is_string(buf_str(&g->key)))
		json_write_json(args, "fx_key", buf_str(&g->key));
	put_nodes(s, args, s->list[kernel].nodes);
	if (named)
		put_calls(g, args, whole, named);
	put_stacks(s, args, s->list[kernel].stacks);
	return draft_end(r, e);
}

static int next(void *state, struct reader *r, struct event *e)
{
	struct inductor_run *run = r->run;
	struct inductor *s = state;

	if (!s->whole)
		read_log(s, r);
	for (;;) {
		while (s->kernel < s->kernels.n) {
			if (convert(s, r, &s->graphs[s->at - 1], s->kernel++, e))
				return 1;
		}
		if (s->at == s->n)
			return 0;
		run->graphs++;
		list_kernels(s, &s->graphs[s->at++]);
	}
}

static void close_inductor(void *state, struct reader *r)
{
	struct inductor *s = state;
	struct graph *g;

	(void)r;
	for (g = s->graphs; g < s->graphs + s->n; g++) {
		bufs_free(&g->nodes, &g->stacks, &g->key, &g->files);
		maps_free(&g->names, &g->called);
		mem_free(g->kernels, g->calls);
	}
	bufs_free(&s->payload, &s->stack);
	maps_free(&s->texts, &s->places, &s->kernels, &s->from);
	mem_free(s->latest, s->graphs, s->list, s->sources);
}

/* Finds a record of the log in the first lines, because a program may print other lines before it. */
static bool is_inductor_log(struct str head)
{
	struct str line;

	while (head_line(&head, &line)) {
		if (str_starts(record_of(line), STR("{\"")))
			return true;
	}
	return false;
}

const struct format format_inductor = {
    .name = "inductor",
    .help = "logs of torch.compile: dedicated_log_torch_trace_abc.log",
    .example = "INDUCTOR_PROVENANCE=1 TORCH_TRACE=logs python train.py; trace2ndjson logs/*.log",
    .probe = is_inductor_log,
    .run_size = sizeof(struct inductor_run),
    .state_size = sizeof(struct inductor),
    .next = next,
    .close = close_inductor,
};

/*
 * arg-attach: adds the current arguments of each OpenCL kernel to its enqueue calls and to its runs on the device.
 *
 * in:  {"ts":10,"dur":1,"kind":"api","name":"clSetKernelArg","corr":3,"args":{"kernel":"0x5a0","arg_index":0,
 *       "arg_size":4,"arg_value":"18000000"}}
 *      {"ts":20,"dur":90,"kind":"api","name":"clEnqueueNDRangeKernel","corr":4,"args":{"kernel":"0x5a0"}}
 *      {"ts":45,"dur":30,"kind":"kernel","name":"gemm","corr":4,"args":{"kernel":"0x5a0"}}
 * out: the first record unchanged, then
 *      {"ts":20,"dur":90,"kind":"api","name":"clEnqueueNDRangeKernel","corr":4,"kargs":{"0":24},"args":...}
 *      {"ts":45,"dur":30,"kind":"kernel","name":"gemm","corr":4,"kargs":{"0":24},"args":{"kernel":"0x5a0"}}
 *
 * A kernel object keeps its arguments from one enqueue to the next. arg-attach therefore stores the text of `kargs` for
 * each kernel object, and every clSetKernelArg changes a part of that text.
 */
#include "base/num_format.h"
#include "base/num_parse.h"
#include "record/event_attach.h"
#include "kernel_args.h"
#include "program/filter.h"
#include "program/input_options.h"
#include "json/write.h"
#include "json/scan.h"
#include "json/string.h"
#include "record/places.h"
#include "json/iter.h"

/* A kernel object of the traced program. */
struct kernel_object {
	struct kernel_args *args;
	int64_t corr;  /* corr of the last call for this object; NO_CORR: unknown */
	bool enqueued; /* the last call was an enqueue */
};

enum { NO_CORR = -1 };

/* The name of an argument, given by --name: its key in kargs, as a JSON string. */
struct argument_name {
	uint32_t index;
	struct buf json;
};

/* The members of a record that describe a kernel object: JSON texts, p == NULL for an absent member. */
struct kernel_members {
	struct str kernel, index, value;
	int64_t corr;
};

struct arg_attach {
	bool raw;
	struct argument_name *names;
	size_t n_names, names_cap;
	struct places known; /* rank, pid, repetition and pointer of each kernel object */
	struct kernel_object *kernels;
	size_t cap;
	struct buf member, told;
	struct kernel_members said; /* the members of the current record; valid if `counts` */
	/* counts: the current record names a kernel object; set: it is a clSetKernelArg; made: a clCreateKernel. */
	bool counts, set, made;
	struct input in;
	struct out out;
};

#define TO(member) OPT_TO(struct arg_attach, member)
static const struct opt options[] = {
    {0, "name", OPT_TEXT("I=NAME,..."), OPT_TAKE, "use NAME as the key of argument I in kargs, instead of I"},
    {0, "raw", OPT_FLAG, TO(raw), "write values as bytes in hex, in memory order, not as integers"},
    {0},
};

static const struct opt_program program = {
    "Adds the arguments of each OpenCL kernel to its enqueue call and to its run on the device.",
    "[--name I=NAME,...] [--raw] [FILE...]",
    "trace2ndjson prog.out | arg-attach --name 0=kSizeM,1=kSizeN,2=kSizeK | filter-calls -k kernel",
    .reads = "records (api, kernel)",
    .writes = "records",
};

static void add_name(struct arg_attach *f, const char *option, struct str item)
{
	const size_t at = str_find(item, STR("="));
	const struct str text = str_from(item, at + 1);
	struct argument_name name = {0}, *other;
	int64_t index, number;

	if (at == item.n || num_int(str_head(item, at), &index) != NUM_OK || index < 0 || index > UINT32_MAX)
		opt_invalid(option, item, "I=NAME, where I is the number of an argument");
	if (!text.n || num_int(text, &number) == NUM_OK)
		opt_invalid(option, item, text.n ? "a name that is not a number" : "a name that is not empty");
	name.index = (uint32_t)index;
	json_quote(&name.json, text);
	for (other = f->names; f->n_names && other < f->names + f->n_names; other++) {
		if (other->index == name.index)
			die("%s: argument %u has two names", option, (unsigned)name.index);
		if (str_eq(buf_str(&other->json), buf_str(&name.json)))
			die("%s: two arguments have the name '%.*s'", option, STR_FMT(text));
	}
	f->names = mem_grow(f->names, &f->names_cap, f->n_names + 1, sizeof *f->names);
	f->names[f->n_names++] = name;
}

static void take_names(void *arg, const struct opt_value *v)
{
	const char *list = v->text;
	struct buf text = {0};
	struct str item;

	while (opt_item(&list, &text, &item))
		add_name(arg, v->option, item);
	buf_free(&text);
}

/* Reads the members that describe a kernel object. Returns whether `args` names one; then `args` was checked. */
static bool read_said(struct kernel_members *s, struct event *e)
{
	struct str args = event_get(e, EVENT_ARGS), corr = event_get(e, EVENT_CORR), key, value;
	struct iter w;
	int r;

	*s = (struct kernel_members){.corr = NO_CORR};
	if (!args.p || args.p[0] != '{')
		return false;
	iter_init(&w, args);
	while ((r = iter_next(&w, &key, &value)) > 0) {
		if (str_eq(value, STR("null")))
			continue;
		if (str_eq(key, STR("kernel")))
			s->kernel = value;
		else if (str_eq(key, STR("arg_index")))
			s->index = value;
		else if (str_eq(key, STR("arg_value")))
			s->value = value;
	}
	event_broken_if(e, r < 0);
	if (s->kernel.p)
		event_check(e, args);
	if (!corr.p || num_whole(corr, &s->corr) != NUM_OK || s->corr < 0)
		s->corr = NO_CORR;
	return s->kernel.p;
}

/*
 * Returns the kernel object that the record names. Equal pointers of different ranks, processes or repetitions are
 * different objects.
 */
static struct kernel_object *find_kernel(struct arg_attach *f, struct event *e, const struct kernel_members *s)
{
	struct str key[] = {event_get(e, EVENT_RANK), event_get(e, EVENT_PID), {NULL, 0}, s->kernel};
	size_t known = f->known.n, number;

	if (e->reading != EVENT_PLAIN)
		key[2] = iter_find(e->raw, STR("repetition"));
	number = places_put(&f->known, key, sizeof key / sizeof *key);
	if (number == known) {
		f->kernels = mem_grow(f->kernels, &f->cap, number + 1, sizeof *f->kernels);
		f->kernels[number] = (struct kernel_object){.args = kernel_args_new(), .corr = NO_CORR};
	}
	return &f->kernels[number];
}

static void set_arg(struct arg_attach *f, struct kernel_object *k, const struct kernel_members *s)
{
	char digits[NUM_ROOM];
	struct str key;
	int64_t index;
	size_t i;

	if (!s->index.p || num_whole(s->index, &index) != NUM_OK || index < 0 || index > UINT32_MAX) {
		input_warning(&f->in, "clSetKernelArg without a valid arg_index; ignored");
		return;
	}
	key = num_str_i64(digits, index);
	for (i = 0; i < f->n_names; i++) {
		if (f->names[i].index == index)
			key = json_inner(buf_str(&f->names[i].json));
	}
	if (!kernel_args_member(&f->member, key, s->value, f->raw))
		input_warning(&f->in, "clSetKernelArg with an arg_value that is not hexadecimal; treated as unknown");
	if (!kernel_args_set(k->args, (uint32_t)index, buf_str(&f->member)))
		input_warning(&f->in,
		    "more than 256 KiB of arguments for one kernel object; this argument is treated as unknown");
}

/* Returns the kernel object whose arguments the record gets, or NULL if the record gets none. */
static const struct kernel_object *find_object(struct arg_attach *f, struct event *e)
{
	const struct kernel_members *s = &f->said;
	struct kernel_object *k;

	if (!f->counts || ((f->set || f->made) && event_get(e, EVENT_ERR).p))
		return NULL;
	k = find_kernel(f, e, s);
	if (event_get_kind(e) == KIND_KERNEL) {
		/*
		 * Between a run and its enqueue call, there must be no other call for the kernel object. Unsorted input
		 * has this order, because the enqueue call returned only after the run had ended.
		 */
		if (!kernel_args_text(k->args).n || (k->enqueued && k->corr == s->corr))
			return kernel_args_text(k->args).n ? k : NULL;
		input_warning(&f->in,
		    "kernel does not directly follow its enqueue and gets no kargs; run arg-attach before ts-sort");
		return NULL;
	}
	if (s->corr != NO_CORR && s->corr < k->corr)
		input_warning(&f->in,
		    "corr is smaller than in the preceding call for this kernel object; kargs may be wrong; "
		    "run arg-attach before ts-sort");
	k->corr = s->corr;
	k->enqueued = !f->set && !f->made;
	if (f->made)
		kernel_args_clear(k->args);
	else if (f->set)
		set_arg(f, k, s);
	return k->enqueued && kernel_args_text(k->args).n ? k : NULL;
}

static void attach(struct arg_attach *f, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);
	const struct kernel_object *k;
	struct buf *b = &f->told;
	struct str name, args;

	f->counts = kind == KIND_KERNEL || kind == KIND_API;
	f->set = f->made = false;
	if (kind == KIND_API) {
		name = event_get(e, EVENT_NAME);
		f->set = str_eq(name, STR("\"clSetKernelArg\""));
		f->made = str_eq(name, STR("\"clCreateKernel\""));
		f->counts = f->set || f->made || str_eq(name, STR("\"clEnqueueNDRangeKernel\""));
	}
	f->counts = f->counts && read_said(&f->said, e);
	if (!input_valid(&f->in, e))
		return;
	k = find_object(f, e);
	if (!k) {
		event_copy(&f->out, e);
		return;
	}
	args = str_from(kernel_args_text(k->args), 1); /* the text without its first comma */
	b->n = 0;
	json_write_begin(b, "kargs", '{');
	buf_add(b, args.p, args.n);
	json_write_end(b, '}');
	scan_pad(b);
	event_attach_write(&f->out, e, buf_str(b));
}

int main(int argc, char **argv)
{
	struct arg_attach f = {.raw = false};
	const struct opt_table tables[] = {{options, &f, take_names}, INPUT_OPTIONS(&f.in), {0}};
	struct event e;
	char **operands;
	size_t i;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	input_uses_members(&f.in, UINT32_MAX, 1u << EVENT_KIND);
	filter_open(&f.in, operands, &f.out);
	while (input_next(&f.in, &e))
		attach(&f, &e);
	for (i = 0; i < f.known.n; i++)
		kernel_args_free(f.kernels[i].args);
	for (i = 0; i < f.n_names; i++)
		buf_free(&f.names[i].json);
	mem_free(f.kernels, f.names);
	places_free(&f.known);
	bufs_free(&f.member, &f.told);
	return filter_close(&f.in);
}

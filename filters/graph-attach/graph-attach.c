/*
 * graph-attach: adds to the kernels of replayed CUDA and HIP graphs their operators, from the trace of the capture.
 *
 * in:  {"ts":100,"dur":9,"kind":"api","name":"hipGraphLaunch","pid":7,"tid":7,"corr":5}
 *      {"ts":200,"dur":40,"kind":"kernel","name":"gemm","dev":0,"stream":3,"corr":5,"api":{"name":"hipGraphLaunch",
 *       "ts":100,"dur":9,"pid":7,"tid":7},"delay":100,"queue":91}
 * out: {"ts":100,"dur":9,"kind":"api","name":"hipGraphLaunch","pid":7,"tid":7,"corr":5}
 *      {"ts":200,"dur":40,"kind":"kernel","name":"gemm","dev":0,"stream":3,"corr":5,"api":{"name":"hipGraphLaunch",
 *       "ts":100,"dur":9,"pid":7,"tid":7},"delay":100,"queue":91,"op":"aten::mm","ops":["aten::linear","aten::mm"],
 *       "module":"Linear_0","modules":["Model_0","Linear_0"],"capture":0,"node":0,"match":"list"}
 */
#include "graph_kernels.h"
#include "program/filter.h"
#include "program/input_options.h"

#include <stdlib.h>

enum { GRAPHS = 256, TAKE };

struct graph_attach {
	struct graph_kernels kernels;
	const char **graphs; /* --graphs */
	size_t n_graphs, cap_graphs;
	struct input in;
	struct out out;
};

#define TO(member) OPT_TO(struct graph_attach, member)
static const struct opt options[] = {
    {GRAPHS, "graphs", OPT_TEXT("FILE"), OPT_TAKE,
	"read the captures of graphs from FILE, or from all files of a folder:\n"
	"traces, records, kernel_annotations_*.json"},
    CARRIED_FIELDS_OPTION(TAKE, "the operator in the capture"),
    {0, "horizon", OPT_TIME("T", 1), TO(kernels.launches.horizon),
	"maximum time between a launch and its kernels (default 10s)"},
    {0},
};

static const struct opt_program program = {
    "Adds the operators of a capture to the kernels of replayed graphs.",
    "[--graphs FILE]... [--take NAME=FIELD,...] [--horizon T] [FILE...]",
    "trace-join run.json.gz | graph-attach --graphs capture.json.gz | groupby -g op",
    .reads = "records (api, kernel, memcpy, memset)",
    .writes = "records",
    .needs = "ts order, corr-join",
};

static void take_option(void *arg, const struct opt_value *v)
{
	struct graph_attach *g = arg;

	if (v->opt->letter == TAKE) {
		graph_kernels_take(&g->kernels, v->option, v->text);
		return;
	}
	g->graphs = mem_grow(g->graphs, &g->cap_graphs, g->n_graphs + 1, sizeof *g->graphs);
	g->graphs[g->n_graphs++] = v->text;
}

int main(int argc, char **argv)
{
	struct graph_attach g = {.kernels.launches.horizon = 10000000000, .in.times = INPUT_SORTED};
	const struct opt_table tables[] = {{options, &g, take_option}, INPUT_OPTIONS(&g.in), {0}};
	struct event e;
	char **operands;
	int status = STATUS_OK, closed;
	size_t i;

	err_init(argv[0]);
	operands = opt_read(&program, argc, argv, tables);
	graph_kernels_init(&g.kernels, &g.in, &g.out);
	for (i = 0; i < g.n_graphs; i++)
		captures_read(&g.kernels.captures, g.graphs[i]);
	filter_open(&g.in, operands, &g.out);
	while (input_next(&g.in, &e))
		graph_kernels_add(&g.kernels, &e);
	graph_kernels_end(&g.kernels);
	if (filter_in_order(&g.in, argv, operands) && !g.in.failed)
		status = (int)graph_kernels_report(&g.kernels, g.n_graphs > 0);
	graph_kernels_free(&g.kernels);
	free(g.graphs);
	closed = filter_close(&g.in);
	return closed > status ? closed : status;
}

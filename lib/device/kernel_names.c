#include "device/kernel_names.h"

#include "json/string.h"
#include "record/label_file.h"

#include <stdlib.h>

const char *const kernel_class_names[] = {"comm", "gemm", "attention", "conv", "norm", "reduce", "elementwise",
    "memory", "embedding", "moe", "optimizer", "sort", "sampling", "other", NULL};

extern const char *const kernel_names_tsv[]; /* the lines of kernel-names.tsv; NULL-terminated */

static struct name_match names;
static struct kernel_rule *rules; /* for each rule of `names` */
static size_t rules_cap;
static bool complete; /* the built-in rules are among them, or excluded */

/* Adds a rule with the columns after its expression: class, operation, matrix, and two for readers. */
static const char *add_rule(void *arg, struct str columns)
{
	const struct label_file *file = arg;
	struct kernel_rule rule = {.matrix = "unknown"};
	struct str class, operation = {NULL, 0}, matrix = {NULL, 0};
	const char *line = str_dup(file->line);

	str_split(&columns, '\t', &class);
	str_split(&columns, '\t', &operation);
	str_split(&columns, '\t', &matrix);
	while (kernel_class_names[rule.class] && !str_eq(class, str_of(kernel_class_names[rule.class])))
		rule.class ++;
	if (!kernel_class_names[rule.class])
		return "unknown class; the classes are comm gemm attention conv norm reduce elementwise memory "
		       "embedding moe optimizer sort sampling other";
	if (str_eq(matrix, STR("yes")) || str_eq(matrix, STR("no")))
		rule.matrix = matrix.p[0] == 'y' ? "yes" : "no";
	else if (matrix.n && !str_eq(matrix, STR("-")))
		return "the third column after the expression (matrix units) is not yes, no or -";
	rule.line = (struct str){line, file->line.n};
	rule.operation = (struct str){line + (operation.n ? operation.p - file->line.p : 0), operation.n};
	rules = mem_grow(rules, &rules_cap, names.n, sizeof *rules);
	rules[names.n - 1] = rule;
	return NULL;
}

bool kernel_names_read(const char *path, struct fault *f)
{
	struct label_file file = {.names = &names, .add = add_rule, .arg = &file, .last = "!default"};

	if (!path)
		path = getenv("TRACEFILTERS_KERNEL_NAMES");
	if (!path || !*path)
		return true;
	if (!label_file_read(&file, path, f))
		return false;
	complete = file.ended;
	if (names.n || complete)
		return true;
	*f = (struct fault){.what = "no rule", .error = FAULT_REFUSED, .at.file = path};
	return false;
}

static void complete_rules(void)
{
	struct label_file file = {.names = &names, .add = add_rule, .arg = &file};
	struct fault f;
	size_t i;

	for (i = 0; kernel_names_tsv[i]; i++)
		label_file_text(&file, str_of(kernel_names_tsv[i]), &f);
	complete = true;
}

const struct kernel_rule *kernel_names_find(struct str name)
{
	static const struct kernel_rule none = {.class = KERNEL_OTHER, .matrix = "unknown"};
	size_t rule;

	if (!complete)
		complete_rules();
	rule = name_match_first(&names, name);
	return rule == NAME_MATCH_NONE ? &none : &rules[rule];
}

const struct kernel_rule *kernel_names_find_text(struct str name)
{
	static struct buf quoted;

	/* Only a text that begins with a quote looks like a JSON string. */
	if (!name.n || name.p[0] != '"')
		return kernel_names_find(name);
	return kernel_names_find(json_quoted(&quoted, name));
}

#include "rocprof_csv.h"

static bool is_header(const struct rocprof_cell *cell, size_t n)
{
	static const struct str signs[] = {
	    ROCPROF_TEXT("Kind"),
	    ROCPROF_TEXT("Domain"),
	    ROCPROF_TEXT("Agent_Id"),
	    ROCPROF_TEXT("Start_Timestamp"),
	    ROCPROF_TEXT("Sample_Timestamp"),
	    ROCPROF_TEXT("Correlation_Id"),
	    ROCPROF_TEXT("TotalDurationNs"),
	    ROCPROF_TEXT("Calls"),
	    ROCPROF_TEXT("Node_Id"),
	    ROCPROF_TEXT("Agent_Type"),
	};
	size_t i, k, found = 0;

	for (i = 0; i < n; i++) {
		if (!cell[i].quoted || !cell[i].text.n)
			return false;
		for (k = 0; k < sizeof signs / sizeof *signs; k++)
			found += str_eq_any_case(signs[k], cell[i].text);
	}
	return found >= 2;
}

bool rocprof_header_probe(struct str head)
{
	struct rocprof_cell cell[ROCPROF_COLUMNS_MAX] = {0};
	struct str line;

	return head_line(&head, &line) && str_starts(line, STR("\"")) &&
	       is_header(cell, rocprof_cells_split(line, cell));
}

size_t rocprof_header_find(const struct rocprof_header *h, const char *name)
{
	size_t i;

	for (i = 0; i < h->n && !str_eq_any_case(h->name[i], str_of(name)); i++)
		;
	return i;
}

static enum rocprof_table table_of(const struct rocprof_header *h)
{
	static const struct {
		const char *column;
		enum rocprof_table table;
	} signs[] = {
	    {"Node_Id", ROCPROF_AGENTS},
	    {"Calls", ROCPROF_STATS},
	    {"Sample_Timestamp", ROCPROF_SAMPLES},
	    {"Counter_Name", ROCPROF_COUNTERS},
	    {"Kernel_Name", ROCPROF_KERNELS},
	    {"Direction", ROCPROF_COPIES},
	    {"Operation", ROCPROF_MEMORY},
	};
	size_t i;

	for (i = 0; i < sizeof signs / sizeof *signs; i++) {
		if (rocprof_header_find(h, signs[i].column) < h->n)
			return signs[i].table;
	}
	return ROCPROF_CALLS;
}

static void name_columns(struct rocprof_header *h, const struct rocprof_cell *cell, struct str line)
{
	size_t i;

	h->names.n = 0;
	buf_add(&h->names, line.p, line.n);
	for (i = 0; i < h->n; i++)
		h->name[i] = (struct str){h->names.p + (cell[i].text.p - line.p), cell[i].text.n};
}

/* Members of args have lower case, except those of sums, which are the tool's own words. */
static void lower_names(struct rocprof_header *h)
{
	size_t i;

	for (i = 0; i < h->names.n; i++) {
		if (h->names.p[i] >= 'A' && h->names.p[i] <= 'Z')
			h->names.p[i] = (char)(h->names.p[i] + ('a' - 'A'));
	}
}

bool rocprof_header_read(struct rocprof_header *h, struct str line)
{
	struct rocprof_cell cell[ROCPROF_COLUMNS_MAX];
	size_t i, n;

	if (!str_starts(line, STR("\"")))
		return false;
	n = rocprof_cells_split(line, cell);
	if (!is_header(cell, n))
		return false;
	h->n = n;
	h->text = SIZE_MAX;
	name_columns(h, cell, line);
	h->table = table_of(h);
	for (i = 0; i < n; i++) {
		h->field[i] = rocprof_row_field(h->table, h->name[i]);
		if (h->text == SIZE_MAX && (h->field[i] == ROCPROF_NAME || h->field[i] == ROCPROF_KERNEL))
			h->text = i;
	}
	if (h->table != ROCPROF_STATS)
		lower_names(h);
	return true;
}

/* Returns whether the values of a field are numbers. */
static bool is_number(enum rocprof_field field)
{
	switch (field) {
	case ROCPROF_CAT:
	case ROCPROF_NAME:
	case ROCPROF_FUNCTION:
	case ROCPROF_AGENT:
	case ROCPROF_SRC:
	case ROCPROF_DST:
	case ROCPROF_KERNEL:
	case ROCPROF_ADDRESS:
	case ROCPROF_CALL_ARGS:
	case ROCPROF_N:
		return false;
	default:
		return true;
	}
}

/* Returns whether the cells can be values of their columns. A cell that is empty or "-" has no value. */
static bool fits(const struct rocprof_header *h, const struct rocprof_cell *cell)
{
	double ignored;
	size_t i;

	for (i = 0; i < h->n; i++) {
		if (is_number(h->field[i]) && cell[i].text.n && !str_eq(cell[i].text, STR("-")) &&
		    !num_double(cell[i].text, &ignored))
			return false;
	}
	return true;
}

bool rocprof_header_split(const struct rocprof_header *h, struct str line, struct rocprof_cell *cell)
{
	if (rocprof_cells_split(line, cell) == h->n && fits(h, cell))
		return true;
	return h->text != SIZE_MAX && rocprof_cells_split_around(line, h->n, h->text, cell) && fits(h, cell);
}

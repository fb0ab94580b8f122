#include "rocprof_csv.h"

/* Takes the cell at the beginning of *line, and the comma after it; false when the cell is not closed properly. */
static bool take_first(struct str *line, struct rocprof_cell *cell)
{
	struct str rest = *line;
	size_t n;

	cell->quoted = str_starts(rest, STR("\""));
	if (cell->quoted)
		rest = str_from(rest, 1);
	n = str_find(rest, cell->quoted ? STR("\"") : STR(","));
	if (cell->quoted && n == rest.n)
		return false;
	cell->text = str_head(rest, n);
	rest = str_from(rest, n + cell->quoted);
	if (rest.n && rest.p[0] != ',')
		return false;
	*line = rest.n ? str_from(rest, 1) : (struct str){NULL, 0};
	return true;
}

/* Takes the cell at the end of *line, and the comma before it; false when there is no such comma. */
static bool take_last(struct str *line, struct rocprof_cell *cell)
{
	const struct str s = *line;
	size_t end = s.n, begin = end;

	cell->quoted = s.n > 1 && s.p[s.n - 1] == '"';
	if (cell->quoted) {
		end = begin = s.n - 1;
		while (begin && s.p[begin - 1] != '"')
			begin--;
		if (begin < 2 || s.p[begin - 2] != ',')
			return false;
		*line = str_head(s, begin - 2);
	} else {
		while (begin && s.p[begin - 1] != ',')
			begin--;
		if (!begin)
			return false;
		*line = str_head(s, begin - 1);
	}
	cell->text = (struct str){s.p + begin, end - begin};
	return true;
}

size_t rocprof_cells_split(struct str line, struct rocprof_cell *cell)
{
	size_t n = 0;

	while (line.p) {
		if (n == ROCPROF_COLUMNS_MAX || !take_first(&line, &cell[n]))
			return 0;
		n++;
	}
	return n;
}

bool rocprof_cells_split_around(struct str line, size_t n, size_t text, struct rocprof_cell *cell)
{
	size_t i;

	for (i = 0; i < text; i++) {
		if (!take_first(&line, &cell[i]) || !line.p)
			return false;
	}
	for (i = n; i-- > text + 1;) {
		if (!take_last(&line, &cell[i]))
			return false;
	}
	if (line.n < 2 || line.p[0] != '"' || line.p[line.n - 1] != '"')
		return false;
	cell[text] = (struct rocprof_cell){str_head(str_from(line, 1), line.n - 2), true};
	return true;
}

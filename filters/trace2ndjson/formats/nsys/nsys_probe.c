#include "nsys.h"

#include "base/char_class.h"
#include "json/iter.h"
#include "json/string.h"

/* The file may begin with damaged lines: it is of this format if one of its first 16 lines is a line of this format. */
enum { PROBE_LINES = 16 };

static bool is_of_table_name(char c)
{
	return is_upper(c) || is_digit(c) || c == '_';
}

static bool is_table_name(struct str v)
{
	if (v.n < 4 || v.p[0] != '"')
		return false;
	return str_eq(v, STR("\"StringIds\"")) || str_eq(v, STR("\"ThreadNames\"")) ||
	       str_all(json_inner(v), is_of_table_name);
}

/*
 * Whether the line begins like {"data":["string",... or {"data":[{"nameIdx":... Such a line may be longer than the
 * head.
 */
static bool is_data_line(struct str line)
{
	static const struct str tokens[] = {{"{", 1}, {"\"data\"", 6}, {":", 1}, {"[", 1}};
	size_t i;

	for (i = 0; i < sizeof tokens / sizeof *tokens; i++) {
		line = str_trim(line);
		if (!str_starts(line, tokens[i]))
			return false;
		line = str_from(line, tokens[i].n);
	}
	line = str_trim(line);
	return line.n && (line.p[0] == '"' || line.p[0] == ']' || str_find(line, STR("\"nameId")) < line.n);
}

static bool is_line(struct str line)
{
	struct str key, value, type = {NULL, 0}, table = {NULL, 0};
	bool event = false, record = false;
	struct iter w;

	iter_init(&w, line);
	if (w.close != '}')
		return false;
	while (iter_next(&w, &key, &value) > 0) {
		if (str_eq(key, STR("type")))
			type = value;
		else if (str_eq(key, STR("table")))
			table = value;
		else if (str_ends(key, STR("Event")) && value.p[0] == '{')
			event = true;
		else if (str_eq(key, STR("kind")))
			record = true; /* an event record of this project */
	}
	return !record && (event || is_table_name(table) || str_eq(type, STR("\"String\"")) ||
			      str_eq(type, STR("\"Stream\"")) || str_eq(type, STR("\"ThreadName\"")));
}

bool nsys_probe(struct str head)
{
	struct str line;
	size_t lines = 0;

	while (lines < PROBE_LINES && head_line(&head, &line)) {
		line = str_trim(line);
		if (is_data_line(line) || is_line(line))
			return true;
		lines++;
	}
	return false;
}

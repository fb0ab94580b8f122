#include "dvdt.h"

#include "json/iter.h"

bool dvdt_is_json(struct str s)
{
	bool array;

	s = str_trim(s);
	if (!s.n || (s.p[0] != '[' && s.p[0] != '{'))
		return false;
	array = s.p[0] == '[';
	s = str_trim(str_from(s, 1));
	if (array && s.n && s.p[0] == '{')
		s = str_trim(str_from(s, 1));
	return s.n && (s.p[0] == '"' || s.p[0] == (array ? ']' : '}'));
}

/* Whether the first object of an array is a call or a layer. The text may end anywhere inside it. */
static bool is_element(struct str s)
{
	bool direction = false, label = false;
	struct str key, value;
	struct iter w;

	s = str_trim(str_from(s, 1));
	iter_init(&w, s);
	if (w.close != '}')
		return false;
	while (iter_next(&w, &key, &value) > 0) {
		if (str_eq(key, STR("ph")))
			return false;
		if (str_eq(key, STR("call")))
			return str_starts(value, STR("\"cl"));
		direction |= str_eq(key, STR("direction"));
		label |= str_eq(key, STR("label"));
	}
	return direction && label;
}

/* Whether the object has the list of an experiment's points as a member. The text may end inside the object. */
static bool is_point(struct str s)
{
	struct str key, value;
	struct iter w;

	iter_init(&w, s);
	while (iter_key(&w, &key) > 0) {
		if (str_eq(key, STR("characteristics_list")))
			return true;
		if (str_eq(key, STR("traceEvents")) || !iter_value(&w, &value))
			return false;
	}
	return false;
}

/* Whether the text is a program's output with lines that dvdt-prof printed or lines that log a layer. */
static bool is_output(struct str s)
{
	struct dvdt_layers layers = {0};
	struct str line, rest;
	bool ours = false;
	size_t at;

	while (!ours && head_line(&s, &line)) {
		line = str_trim(line);
		if (str_ends(line, DVDT_OPEN)) {
			ours = true;
			break;
		}
		at = str_find(line, DVDT_MARK);
		rest = str_from(line, at + DVDT_MARK.n);
		ours = (at < line.n && str_starts(rest, STR("cl"))) ||
		       dvdt_layers_line(&layers, line, (struct fault_place){NULL, 0, 0});
	}
	dvdt_layers_free(&layers);
	return ours;
}

bool dvdt_probe(struct str head)
{
	struct str s;

	s = str_trim(head);
	if (s.n && s.p[0] == '{')
		return is_point(s);
	return (s.n && s.p[0] == '[' && is_element(s)) || is_output(s);
}

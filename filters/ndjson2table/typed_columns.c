#include "typed_columns.h"

#include "base/char_class.h"
#include "base/err.h"
#include "program/opt_value.h"
#include "record/event.h"

const char *const typed_columns_engines[] = {"duckdb", "clickhouse", "spark", "pandas", "polars", NULL};

enum column_type { INTEGER, NUMBER, TEXT, JSON, TEXTS, LABEL, KIND, API, COLL, TYPES };

/* The types that --also can name. */
static const char *const type_names[] = {"integer", "number", "text", "json", "texts", NULL};

/* A LABEL is a text with few different values. Ids that are numbers or texts, such as pid, are texts. */
static const char *const types[TYPES][5] = {
    [INTEGER] = {"BIGINT", "Nullable(Int64)", "BIGINT", "Int64", "pl.Int64"},
    [NUMBER] = {"DOUBLE", "Nullable(Float64)", "DOUBLE", "Float64", "pl.Float64"},
    [TEXT] = {"VARCHAR", "Nullable(String)", "STRING", "string", "pl.String"},
    [JSON] = {"JSON", "Nullable(String)", "STRING", "string", "pl.String"},
    [TEXTS] = {"VARCHAR[]", "Array(String)", "ARRAY<STRING>", "object", "pl.List(pl.String)"},
    [LABEL] = {"VARCHAR", "LowCardinality(Nullable(String))", "STRING", "string", "pl.String"},
    [KIND] = {"VARCHAR", "LowCardinality(String)", "STRING", "string", "pl.String"},
    [API] = {"STRUCT(name VARCHAR, ts BIGINT, dur BIGINT, pid VARCHAR, tid VARCHAR)",
	"Tuple(name Nullable(String), ts Nullable(Int64), dur Nullable(Int64), pid Nullable(String), tid "
	"Nullable(String))",
	"STRUCT<name:STRING,ts:BIGINT,dur:BIGINT,pid:STRING,tid:STRING>", "object",
	"pl.Struct({'name':pl.String,'ts':pl.Int64,'dur':pl.Int64,'pid':pl.String,'tid':pl.String})"},
    [COLL] = {"STRUCT(id BIGINT, gid BIGINT, wait BIGINT, late BIGINT, last BIGINT, n BIGINT)",
	"Tuple(id Nullable(Int64), gid Nullable(Int64), wait Nullable(Int64), late Nullable(Int64), last "
	"Nullable(Int64), n Nullable(Int64))",
	"STRUCT<id:BIGINT,gid:BIGINT,wait:BIGINT,late:BIGINT,last:BIGINT,n:BIGINT>", "object",
	"pl.Struct({'id':pl.Int64,'gid':pl.Int64,'wait':pl.Int64,'late':pl.Int64,'last':pl.Int64,'n':pl.Int64})"},
};

/* The types of the standard members. Without the type of a new member, this file is not compiled. */
enum {
	OF_TS = INTEGER,
	OF_DUR = INTEGER,
	OF_KIND = KIND,
	OF_NAME = TEXT,
	OF_CAT = LABEL,
	OF_RANK = INTEGER,
	OF_PID = TEXT,
	OF_TID = TEXT,
	OF_DEV = INTEGER,
	OF_STREAM = INTEGER,
	OF_CORR = INTEGER,
	OF_ID = TEXT,
	OF_PARENT = TEXT,
	OF_CLOCK = LABEL,
	OF_BYTES = INTEGER,
	OF_COPY = LABEL,
	OF_ERR = INTEGER,
	OF_ARGS = JSON,
	OF_SRC = JSON,
};

struct typed_column {
	const char *name;
	enum column_type type;
};

#define STANDARD(id, name) {#name, (enum column_type)OF_##id},
static const struct typed_column standard[EVENT_N] = {EVENT_MEMBERS(STANDARD)};

/* The members that the filters and the readers of reports add. */
static const struct typed_column attached[] = {
    {"api", API},
    {"delay", INTEGER},
    {"queue", INTEGER},
    {"range", TEXT},
    {"ranges", TEXTS},
    {"op", TEXT},
    {"ops", TEXTS},
    {"depth", INTEGER},
    {"node", INTEGER},
    {"parent_node", INTEGER},
    {"parent_name", TEXT},
    {"self", INTEGER},
    {"children", INTEGER},
    {"launches", INTEGER},
    {"stack", TEXTS},
    {"marks", TEXT},
    {"host", TEXT},
    {"kargs", JSON},
    {"coll", COLL},
    {"value", NUMBER},
    {"unit", TEXT},
    {"cpu", INTEGER},
    {"period", INTEGER},
    {"comm", TEXT},
    {"dso", TEXT},
    {"event", TEXT},
    {"frame", INTEGER},
    {"count", INTEGER},
    {"overhead", NUMBER},
    {"total", INTEGER},
    {"dev_self", INTEGER},
    {"dev_total", INTEGER},
    {"cause", TEXT},
    {"prev", TEXT},
    {"next", TEXT},
};

enum { ATTACHED = sizeof attached / sizeof *attached };

/* Returns column i in the order of the members of a record: attachments precede args. The last name is NULL. */
static struct typed_column column_at(const struct typed_columns *c, size_t i)
{
	if (i < EVENT_ARGS)
		return standard[i];
	if (i < EVENT_ARGS + ATTACHED)
		return attached[i - EVENT_ARGS];
	if (i < EVENT_N + ATTACHED)
		return standard[i - ATTACHED];
	i -= EVENT_N + ATTACHED;
	return i < c->n ? c->list[i] : (struct typed_column){NULL, TEXT};
}

static bool is_of_name(char c)
{
	return is_alphanumeric(c) || c == '_';
}

/* Returns whether the text has no character that would end a quoted name in one of the engines. */
static bool is_name(struct str s)
{
	return s.n && !is_digit(s.p[0]) && str_first(s, is_of_name).n == s.n;
}

static void add_column(struct typed_columns *c, const char *option, struct str item)
{
	const size_t colon = str_find(item, STR(":"));
	const struct str name = str_head(item, colon), type = str_from(item, colon + 1);
	size_t i, number = 0;

	while (type_names[number] && !str_eq(type, str_of(type_names[number])))
		number++;
	if (colon >= item.n || !is_name(name) || !type_names[number])
		opt_invalid(option, item, "NAME:TYPE, where TYPE is integer, number, text, json or texts");
	for (i = 0; column_at(c, i).name; i++) { /* SQL does not distinguish upper and lower case in names */
		if (str_eq_any_case(str_of(column_at(c, i).name), name))
			die("%s: '%.*s' is already a column; choose another name", option, STR_FMT(name));
	}
	c->list = mem_grow(c->list, &c->cap, c->n + 1, sizeof *c->list);
	c->list[c->n++] = (struct typed_column){str_dup(name), (enum column_type)number};
}

void typed_columns_add(struct typed_columns *c, const char *option, const char *list)
{
	struct buf text = {0};
	struct str item;

	while (opt_item(&list, &text, &item))
		add_column(c, option, item);
	buf_free(&text);
}

void typed_columns_print(const struct typed_columns *c, enum typed_columns_engine engine, struct out *out)
{
	const bool sql = engine == COLUMNS_CLICKHOUSE || engine == COLUMNS_SPARK;
	const char *quote = engine == COLUMNS_POLARS ? "" : "'";
	struct typed_column column;
	size_t i;

	for (i = 0; (column = column_at(c, i)).name; i++) {
		if (sql)
			out_all(out, (const char *const[]){
					 i ? ", `" : "`", column.name, "` ", types[column.type][engine], NULL});
		else
			out_all(out, (const char *const[]){i ? ",'" : "{'", column.name, "':", quote,
					 types[column.type][engine], quote, NULL});
	}
	out_z(out, sql ? "\n" : "}\n");
}

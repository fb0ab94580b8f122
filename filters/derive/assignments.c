#include "assignments.h"

#include "base/char_class.h"
#include "json/check.h"
#include "json/iter.h"
#include "json/string.h"
#include "expression/member_fit.h"

#include <stdlib.h>

/* --- compiling --- */

bool assignments_is_one(const char *operand)
{
	const struct str text = str_of(operand), name = str_head(text, field_span(text, "="));

	return name.n < text.n && field_span(name, "/") == name.n;
}

static bool is_of_plain_name(char c)
{
	return is_alphanumeric(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Sets *name to the decoded text of NAME, which is a plain name or a JSON string. */
static bool read_name(struct buf *name, struct str text, size_t at, struct fault *f)
{
	struct fault ignored;

	if (!text.n)
		return fault_refuse(f, "expected a NAME before '='", at);
	if (str_all(text, is_of_plain_name) && !is_digit(text.p[0])) {
		buf_add(name, text.p, text.n);
		return true;
	}
	if (field_quoted(text) != text.n)
		return fault_refuse(f,
		    "a NAME consists of letters, digits and _, and does not begin with a digit; put other names in "
		    "double quotes",
		    at);
	if (text.n == 2 || !json_check(text, &ignored))
		return fault_refuse(
		    f, "a quoted NAME must be a JSON string that is not empty; write \\\" for \" and \\\\ for \\", at);
	json_unescape(name, json_inner(text));
	return true;
}

/*
 * Compiles the field that begins at text[at]. Sets *spec to the text of the field; the caller frees it. If `array` is
 * set, the values of the field are arrays: one [] at its end is removed, and others are allowed.
 */
static bool compile_field(struct field *field, char **spec, const char *text, size_t at, bool array, struct fault *f)
{
	struct str name;

	while (is_blank(text[at]))
		at++;
	name = str_of(text + at);
	*spec = str_dup(str_head(name, name.n - (array && str_ends(name, STR("[]")) ? 2 : 0)));
	if (!field_compile(field, *spec, f)) {
		free(*spec);
		return fault_refuse(f, f->what, at + f->at.byte);
	}
	if (field->width || (field->each && !array)) {
		field_free(field);
		free(*spec);
		return fault_refuse(f, "expected a field with one value, without [] or /WIDTH", at);
	}
	return true;
}

static bool compile_array(struct assignments *a, const char *text, size_t at, struct fault *f)
{
	struct field field;
	char *spec;

	if (a->array.spec)
		return fault_refuse(f, "only one --explode is possible; use one derive for each array", 0);
	if (!compile_field(&field, &spec, text, at, true, f))
		return false;
	a->array = (struct assignments_array){.field = field, .spec = spec};
	return true;
}

static bool compile_previous(struct assignments *a, const char *text, size_t at, bool first, struct fault *f)
{
	struct field field;
	char *spec;

	if (!compile_field(&field, &spec, text, at, false, f))
		return false;
	previous_values_add(&a->previous, field, spec, first);
	return true;
}

/* Returns the index of a name in scope and in edits. */
static size_t index_of_name(struct assignments *a, struct str name)
{
	const size_t i = expression_scope_name(&a->scope, name);

	if (i == a->edits.n) {
		member_edits_add(&a->edits, name);
		a->members = mem_resize(a->members, a->edits.n, sizeof *a->members);
		a->members[i] = (struct assignments_member){.found = false};
	}
	return i;
}

static void add_assignment(struct assignments *a, struct str name, struct assignment item)
{
	item.name = index_of_name(a, name);
	a->scope.names[item.name].visible = true;
	a->members[item.name].found = true;
	a->list = mem_grow(a->list, &a->cap, a->n + 1, sizeof *a->list);
	a->list[a->n++] = item;
}

bool assignments_add(struct assignments *a, enum assignment_kind kind, const char *text, struct fault *f)
{
	const struct str all = str_of(text);
	const size_t equals = field_span(all, "=");
	const struct str head = str_head(all, equals), name = str_trim(head);
	struct assignment item = {.kind = kind, .previous = a->previous.n};
	struct buf decoded = {0};
	bool good;

	if (equals == all.n)
		return fault_refuse(f, "expected NAME=EXPR", 0);
	good = read_name(&decoded, name, name.n ? (size_t)(name.p - text) : 0, f);
	if (good && kind == ASSIGNMENT_ELEMENT) {
		good = compile_array(a, text, equals + 1, f);
	} else if (good && kind < ASSIGNMENT_EXPRESSION) {
		good = compile_previous(a, text, equals + 1, kind == ASSIGNMENT_FIRST, f);
	} else if (good) {
		item.expression = expression_new(&a->scope, all, equals + 1, f);
		good = item.expression != NULL;
		if (kind == ASSIGNMENT_SUM)
			item.sum = a->sums.n++;
	}
	if (good)
		add_assignment(a, (struct str){decoded.p, decoded.n}, item);
	buf_free(&decoded);
	return good;
}

bool assignments_list(struct assignments *a, struct str name, bool drop, struct fault *f)
{
	struct buf decoded = {0};
	const bool good = read_name(&decoded, name, 0, f);
	size_t i;

	if (good) {
		i = index_of_name(a, (struct str){decoded.p, decoded.n});
		a->members[i].dropped |= drop;
		a->members[i].listed = true;
		a->edits.only |= !drop;
	}
	buf_free(&decoded);
	return good;
}

struct str assignments_absent(const struct assignments *a, size_t *i)
{
	for (; *i < a->edits.n; ++*i) {
		if (a->members[*i].listed && !a->members[*i].found)
			return a->scope.names[(*i)++].name;
	}
	return (struct str){NULL, 0};
}

void assignments_free(struct assignments *a)
{
	size_t i, f;

	for (i = 0; i < a->n; i++)
		expression_free(a->list[i].expression);
	for (i = 0; i < a->edits.n; i++) {
		for (f = 0; f < FAILURE_N; f++)
			free(a->members[i].messages[f]);
	}
	free(a->members);
	free(a->list);
	member_edits_free(&a->edits);
	if (a->array.spec)
		field_free(&a->array.field);
	free(a->array.spec);
	previous_values_free(&a->previous);
	running_sums_free(&a->sums);
	groups_free(&a->groups);
	expression_scope_free(&a->scope);
}

/* --- reading --- */

void assignments_read(struct assignments *a, struct event *e)
{
	size_t i;

	for (i = 0; i < a->scope.n_fields; i++) {
		if (!a->scope.fields[i].late)
			field_ahead(&a->scope.fields[i].field, e);
		else
			event_check(e, e->raw);
	}
	if (a->array.spec)
		field_ahead(&a->array.field, e);
	for (i = 0; i < a->previous.n; i++)
		field_ahead(&a->previous.list[i].field, e);
	for (i = 0; i < a->groups.n_keys; i++)
		field_ahead(groups_key_field(&a->groups, i), e);
	member_edits_find(&a->edits, e);
}

/* --- evaluating --- */

static struct result evaluate(struct assignments *a, const struct assignment *item, size_t group, struct event *e)
{
	struct result r;

	if (item->kind == ASSIGNMENT_ELEMENT)
		return a->array.now;
	if (!item->expression)
		return a->previous.list[item->previous].value;
	r = expression_value(item->expression, &a->scope, e);
	return item->kind == ASSIGNMENT_SUM ? running_sums_add(&a->sums, group, item->sum, &r) : r;
}

static void evaluate_all(struct assignments *a, struct event *e)
{
	const uint32_t *group = (const uint32_t[]){0};
	size_t i;

	a->scope.record++;
	if (a->previous.n || a->sums.n)
		groups_of(&a->groups, e, &group);
	previous_values_next(&a->previous, e, *group);
	for (i = 0; i < a->n; i++) {
		struct expression_name *name = &a->scope.names[a->list[i].name];

		name->value = evaluate(a, &a->list[i], *group, e);
		if (name->value.type == RESULT_FAILED && name->value.i == 0)
			name->value.i = (int128)a->list[i].name + 1;
		name->record = a->scope.record;
	}
}

/* Sets the new value of a member. Returns false when the value is FAILED. */
static bool set_member(struct member_edit *edit, const struct result *r)
{
	edit->with.p = NULL;
	if (r->type == RESULT_ABSENT)
		return true;
	if (r->type == RESULT_FAILED)
		return false;
	if (r->json.p) {
		edit->with = r->json;
		return true;
	}
	edit->text.n = 0;
	result_write(&edit->text, r);
	edit->with = (struct str){edit->text.p, edit->text.n};
	return true;
}

/* Counts the record as lost. The message is stored, since input_lost() needs it until the end of the program. */
static void report_failure(struct assignments *a, struct input *in, size_t i, enum result_failure f)
{
	char **message = &a->members[i].messages[f];
	struct buf b = {0};

	if (!*message) {
		const char *const parts[] = {": ", result_failure_text(f), "; record written unchanged"};
		size_t part;

		buf_add(&b, a->scope.names[i].name.p, a->scope.names[i].name.n);
		for (part = 0; part < 3; part++)
			buf_add(&b, parts[part], strlen(parts[part]));
		buf_char(&b, '\0');
		*message = b.p;
	}
	input_lost(in, *message);
}

/* Handles a member of --keep or --drop. Returns whether its value is that of an assignment. */
static bool is_computed(struct assignments *a, size_t i)
{
	struct member_edit *edit = &a->edits.list[i];

	a->members[i].found |= edit->old.p != NULL;
	edit->with = a->members[i].dropped ? (struct str){NULL, 0} : edit->old;
	return !a->members[i].dropped && a->scope.names[i].record == a->scope.record;
}

/* Sets what becomes of a member of the record. Returns false after report_failure(). */
static bool edit_member(struct assignments *a, struct input *in, size_t i)
{
	struct result r;

	if (a->members[i].listed && !is_computed(a, i))
		return true;
	r = member_fit(a->scope.names[i].member, &a->scope.names[i].value);
	if (set_member(&a->edits.list[i], &r))
		return true;
	report_failure(a, in, r.i ? (size_t)r.i - 1 : i, r.failure);
	return false;
}

/* Writes the record once, with its new members. */
static void write_one(struct assignments *a, struct input *in, struct event *e)
{
	size_t i = 0;

	evaluate_all(a, e);
	while (i < a->edits.n && edit_member(a, in, i))
		i++;
	if (i < a->edits.n)
		event_copy(in->out, e);
	else
		member_edits_write(&a->edits, in->out, e);
	previous_values_keep(&a->previous);
}

void assignments_write(struct assignments *a, struct input *in, struct event *e)
{
	struct str key, element;
	bool any = false;
	struct value v;
	struct iter w;
	size_t i;

	for (i = 0; a->array.spec && field_get(&a->array.field, e, i, &v); i++) {
		if (v.text.p[0] != '[')
			continue;
		for (iter_init(&w, v.text); iter_next(&w, &key, &element) > 0; any = true) {
			a->array.now = result_json(element);
			write_one(a, in, e);
		}
	}
	a->array.now.type = RESULT_ABSENT;
	if (!any)
		write_one(a, in, e);
}

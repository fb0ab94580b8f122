#include "assignments.h"

#include "base/char_class.h"
#include "json/check.h"
#include "json/iter.h"
#include "json/scan.h"
#include "json/string.h"

#include <stdlib.h>

/* --- compiling --- */

bool assignments_is_one(const char *operand)
{
	const struct str text = str_of(operand), name = str_head(text, field_span(text, "="));

	return name.n < text.n && field_span(name, "/") == name.n;
}

/* Sets *name to the decoded text of NAME, which is a plain name or a JSON string. */
static bool read_name(struct buf *name, struct str text, size_t at, struct fault *f)
{
	struct fault ignored;

	if (!text.n)
		return fault_refuse(f, "expected a NAME before '='", at);
	if (str_all(text, is_name_byte) && !is_digit(text.p[0])) {
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

/* Compiles the field that begins at text[at]. For --explode, whose values are arrays, removes [] at its end. */
static bool compile_field(struct assignments *a, struct assignment *item, const char *text, size_t at, struct fault *f)
{
	const bool array = item->kind == ASSIGNMENT_ELEMENT;
	struct str spec;
	bool good;

	if (array && a->n && a->list[0].kind == ASSIGNMENT_ELEMENT)
		return fault_refuse(f, "only one --explode is possible; use one derive for each array", 0);
	while (is_blank(text[at]))
		at++;
	spec = str_of(text + at);
	spec = str_head(spec, spec.n - (array && str_ends(spec, STR("[]")) ? 2 : 0));
	good = field_compile(&item->field, spec, f);
	if (good && !item->field.width && (!item->field.each || array))
		return true;
	if (good) {
		field_free(&item->field);
		fault_refuse(f, "expected a field with one value, without [] or /WIDTH", at);
	} else {
		fault_refuse(f, f->what, at + f->at.byte);
	}
	return false;
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

bool assignments_add(struct assignments *a, enum assignment_kind kind, const char *text, struct fault *f)
{
	const struct str all = str_of(text);
	const size_t equals = field_span(all, "=");
	const struct str name = str_trim(str_head(all, equals));
	struct assignment item = {.kind = kind, .stored = a->n_stored};
	struct buf decoded = {0};
	bool good;

	if (equals == all.n)
		return fault_refuse(f, "expected NAME=EXPR", 0);
	good = read_name(&decoded, name, name.n ? (size_t)(name.p - text) : 0, f);
	if (good && kind < ASSIGNMENT_EXPRESSION) {
		good = compile_field(a, &item, text, equals + 1, f);
	} else if (good) {
		item.expression = expression_new(&a->scope, all, equals + 1, f);
		good = item.expression != NULL;
	}
	if (good) {
		item.name = index_of_name(a, buf_str(&decoded));
		a->scope.names[item.name].visible = true;
		a->members[item.name].found = true;
		a->n_stored += kind != ASSIGNMENT_ELEMENT && kind != ASSIGNMENT_EXPRESSION;
		a->list = mem_grow(a->list, &a->cap, a->n + 1, sizeof *a->list);
		a->list[a->n++] = item;
	}
	buf_free(&decoded);
	return good;
}

bool assignments_list(struct assignments *a, struct str name, bool drop, struct fault *f)
{
	struct buf decoded = {0};
	const bool good = read_name(&decoded, name, 0, f);
	size_t i;

	if (good) {
		i = index_of_name(a, buf_str(&decoded));
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

/* Returns whether an assignment stores a field for the next record of its group. */
static bool stores_field(const struct assignment *item)
{
	return item->kind > ASSIGNMENT_ELEMENT && item->kind < ASSIGNMENT_EXPRESSION;
}

/* Returns the value that an assignment stores for a group. */
static union assignment_stored *stored_at(struct assignments *a, const struct assignment *item, size_t group)
{
	return &a->stored[group * a->n_stored + item->stored];
}

void assignments_free(struct assignments *a)
{
	size_t i, k;

	for (i = 0; i < a->n; i++) {
		struct assignment *item = &a->list[i];

		for (k = 0; k < a->n_groups; k++) {
			if (item->kind == ASSIGNMENT_SUM)
				running_sum_free(&stored_at(a, item, k)->sum);
			else if (stores_field(item))
				buf_free(&stored_at(a, item, k)->json);
		}
		expression_free(item->expression);
		if (!item->expression)
			field_free(&item->field);
	}
	for (i = 0; i < a->edits.n; i++) {
		for (k = 0; k < FAILURE_N; k++)
			free(a->members[i].messages[k]);
	}
	mem_free(a->stored, a->members, a->list);
	member_edits_free(&a->edits);
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
	for (i = 0; i < a->n; i++) {
		if (!a->list[i].expression)
			field_ahead(&a->list[i].field, e);
	}
	for (i = 0; i < a->groups.n_keys; i++)
		field_ahead(groups_key_field(&a->groups, i), e);
	member_edits_find(&a->edits, e);
}

/* --- evaluating --- */

static struct result evaluate(struct assignments *a, struct assignment *item, size_t group, struct event *e)
{
	struct result r, number;

	if (item->kind == ASSIGNMENT_ELEMENT)
		return a->element;
	if (!item->expression) {
		const struct buf *json = &stored_at(a, item, group)->json;

		field_get(&item->field, e, 0, &item->current);
		if (item->kind == ASSIGNMENT_FIRST
			? !json->n
			: item->kind == ASSIGNMENT_LATEST && item->current.type != VALUE_NONE)
			return result_of(&item->current);
		return result_json(buf_str(json));
	}
	r = expression_value(item->expression, &a->scope, e);
	if (item->kind == ASSIGNMENT_EXPRESSION || r.type == RESULT_ABSENT)
		return r;
	number = running_sum_add(&stored_at(a, item, group)->sum, &r);
	return number.type == RESULT_FAILED ? number : running_sum_get(&stored_at(a, item, group)->sum);
}

/* Sets the values of all names. Returns the group of the record. */
static size_t evaluate_all(struct assignments *a, struct event *e)
{
	const uint32_t *group = (const uint32_t[]){0};
	size_t i;

	a->scope.record++;
	if (a->n_stored)
		groups_of(&a->groups, e, &group);
	if (*group >= a->n_groups) {
		a->n_groups = *group + 1;
		a->stored = mem_grow_zero(a->stored, &a->stored_cap, a->n_groups * a->n_stored, sizeof *a->stored);
	}
	for (i = 0; i < a->n; i++) {
		struct expression_name *name = &a->scope.names[a->list[i].name];

		name->value = evaluate(a, &a->list[i], *group, e);
		if (name->value.type == RESULT_FAILED && name->value.i == 0)
			name->value.i = (int128)a->list[i].name + 1;
		name->record = a->scope.record;
	}
	return *group;
}

/* Stores the fields of --prev, --first and --latest for the next record of the group. */
static void store_fields(struct assignments *a, size_t group)
{
	size_t i;

	for (i = 0; i < a->n; i++) {
		const struct assignment *item = &a->list[i];
		struct buf *json;

		if (!stores_field(item))
			continue;
		json = &stored_at(a, item, group)->json;
		if (item->kind == ASSIGNMENT_FIRST && json->n)
			continue;
		if (item->kind == ASSIGNMENT_LATEST && item->current.type == VALUE_NONE)
			continue;
		json->n = 0;
		if (item->current.type == VALUE_NONE)
			continue;
		buf_add(json, item->current.text.p, item->current.text.n);
		scan_pad(json); /* iterators may read past the end of the text */
	}
}

/* Counts the record as lost. The message is stored, since input_lost() needs it until the end of the program. */
static void report_failure(struct assignments *a, struct input *in, size_t i, enum result_failure f)
{
	const struct str name = a->scope.names[i].name;
	const char *why = result_failure_text(f);
	char **message = &a->members[i].messages[f];
	struct buf b = {0};

	if (!*message) {
		buf_add(&b, name.p, name.n);
		buf_lit(&b, ": ");
		buf_add(&b, why, strlen(why));
		buf_lit(&b, "; record written unchanged");
		buf_char(&b, '\0');
		*message = b.p;
	}
	input_lost(in, *message);
}

/* Sets what becomes of a member of the record. Returns false after report_failure(). */
static bool edit_member(struct assignments *a, struct input *in, size_t i)
{
	const struct expression_name *name = &a->scope.names[i];
	struct assignments_member *member = &a->members[i];
	struct member_edit *edit = &a->edits.list[i];
	struct result r;

	if (member->listed) {
		member->found |= edit->old.p != NULL;
		edit->with = member->dropped ? (struct str){NULL, 0} : edit->old;
		if (member->dropped || name->record != a->scope.record)
			return true; /* not assigned */
	}
	r = result_of_member(name->member, &name->value);
	if (r.type == RESULT_FAILED) {
		report_failure(a, in, r.i ? (size_t)r.i - 1 : i, r.failure);
		return false;
	}
	edit->with = r.json;
	if (r.type == RESULT_ABSENT) {
		edit->with.p = NULL;
	} else if (!r.json.p) {
		edit->text.n = 0;
		result_write(&edit->text, &r);
		edit->with = buf_str(&edit->text);
	}
	return true;
}

/* Writes the record once, with its new members. */
static void write_one(struct assignments *a, struct input *in, struct event *e)
{
	const size_t group = evaluate_all(a, e);
	size_t i = 0;

	while (i < a->edits.n && edit_member(a, in, i))
		i++;
	if (i < a->edits.n)
		event_copy(in->out, e);
	else
		member_edits_write(&a->edits, in->out, e);
	store_fields(a, group);
}

void assignments_write(struct assignments *a, struct input *in, struct event *e)
{
	const bool explodes = a->n && a->list[0].kind == ASSIGNMENT_ELEMENT; /* it is the first assignment */
	struct str element;
	bool any = false;
	struct value v;
	struct iter w;
	size_t i;

	for (i = 0; explodes && field_get(&a->list[0].field, e, i, &v); i++) {
		if (!iter_array(&w, v.text))
			continue;
		for (; iter_element(&w, &element); any = true) {
			a->element = result_json(element);
			write_one(a, in, e);
		}
	}
	a->element = result_absent();
	if (!any)
		write_one(a, in, e);
}

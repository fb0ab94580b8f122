/* expression_eval: runs the instructions of an expression for a record. */
#include "expression_private.h"

#include "arithmetic.h"
#include "base/num_parse.h"
#include "json/iter.h"
#include "member_fit.h"

static inline bool is_missing(const struct result *r)
{
	return r->type == RESULT_ABSENT || r->type == RESULT_FAILED;
}

/* --- fields --- */

static struct result field_value(struct expression_scope *s, struct expression_field *f, struct event *e)
{
	struct value v;

	if (f->record != s->record) {
		field_get(&f->field, e, 0, &v);
		f->value = result_of(&v);
		f->record = s->record;
	}
	return f->value;
}

/* Sets the member ts, dur or name of e to a value that fits this member. */
static void set_member(struct event *e, enum event_member m, const struct result *r, struct buf *room)
{
	e->has &= ~(1u << m);
	e->m[m].p = NULL;
	if (r->type == RESULT_ABSENT)
		return;
	if (m == EVENT_NAME) {
		room->n = 0;
		result_write(room, r);
		event_set(e, m, (struct str){room->p, room->n});
	} else {
		*(m == EVENT_TS ? &e->ts : &e->dur) = (int64_t)r->i;
		event_set(e, m, STR("0")); /* marks the member as present; its text is not used */
	}
}

/* Computes `end` or `short` from the assigned members. */
static struct result late_value(struct expression_scope *s, struct expression_field *f, struct event *e)
{
	struct event changed;
	struct value v;
	size_t i;

	event_walk(e);
	changed = *e;
	for (i = 0; i < s->n_names; i++) {
		const struct expression_name *name = &s->names[i];
		struct result r = member_fit(name->member, &name->value);

		if (name->record != s->record || (name->member > EVENT_DUR && name->member != EVENT_NAME))
			continue;
		if (r.type == RESULT_FAILED) {
			r.i = (int128)i + 1;
			return r;
		}
		set_member(&changed, name->member, &r, &f->room);
	}
	field_get(&f->field, &changed, 0, &v);
	return result_of(&v);
}

/* Returns the value of the last member of an object with this key. The key is JSON text without its quotes. */
static struct result member_of(const struct result *r, struct str key)
{
	if (r->type == RESULT_FAILED)
		return *r;
	if (r->type != RESULT_OTHER || r->json.p[0] != '{')
		return (struct result){.type = RESULT_ABSENT};
	return result_json(iter_find(r->json, key));
}

/* --- comparisons and texts --- */

/*
 * Compares two texts: sets *order to <0, 0 or >0. true and false are compared as the texts "true" and "false". Returns
 * false when a value is neither a text nor true nor false.
 */
static bool compare_texts(const struct result *a, const struct result *b, struct buf *room, int *order)
{
	const struct result *const both[] = {a, b};
	struct str texts[2];
	size_t i;

	for (i = 0; i < 2; i++) {
		if (both[i]->type == RESULT_TEXT)
			texts[i] = result_characters(both[i], &room[i]);
		else if (both[i]->type == RESULT_OTHER && (both[i]->json.p[0] == 't' || both[i]->json.p[0] == 'f'))
			texts[i] = both[i]->json;
		else
			return false;
	}
	*order = str_cmp(texts[0], texts[1]);
	return true;
}

/*
 * Returns the value as INT, REAL or FAILED. A text that contains a number is converted; any other text gives ABSENT.
 */
static struct result number_in(const struct result *r, struct buf *room)
{
	struct result number;
	struct str text;
	int64_t ignored;

	if (r->type != RESULT_TEXT)
		return result_as_number(r);
	text = result_characters(r, room);
	if (num_fixed(text, 0, &ignored) == NUM_BAD)
		return (struct result){.type = RESULT_ABSENT};
	number = result_json(text);
	return result_as_number(&number);
}

static struct result decide(enum expression_op op, int order)
{
	const bool holds[] = {order == 0, order != 0, order<0, order <= 0, order> 0, order >= 0};

	return result_int(holds[op - OP_EQ]);
}

static struct result compare(enum expression_op op, const struct result *a, const struct result *b, struct buf *room)
{
	struct result x, y;
	int order;

	if (a->type == RESULT_TEXT || b->type == RESULT_TEXT) {
		if (compare_texts(a, b, room, &order))
			return decide(op, order);
	} else if (a->type == RESULT_INT && b->type == RESULT_INT) {
		return decide(op, arithmetic_compare(a, b));
	}
	x = number_in(a, &room[0]);
	y = number_in(b, &room[1]);
	if (x.type == RESULT_FAILED || y.type == RESULT_FAILED) {
		const struct result *failed = x.type == RESULT_FAILED ? &x : &y;

		return result_failed(failed->failure == FAILURE_NUMBER ? FAILURE_COMPARE : failed->failure);
	}
	if (x.type == RESULT_ABSENT || y.type == RESULT_ABSENT)
		return result_int(op == OP_NE); /* one value is a number, the other is a text that contains no number */
	return decide(op, arithmetic_compare(&x, &y));
}

/* Adds two numbers, or joins two texts. */
static struct result add(const struct result *a, const struct result *b, struct buf *room)
{
	struct str text;

	if (a->type != RESULT_TEXT || b->type != RESULT_TEXT)
		return arithmetic_add(a, b);
	text = result_characters(a, &room[1]);
	room[0].n = 0;
	buf_add(&room[0], text.p, text.n);
	text = result_characters(b, &room[1]);
	if (room[0].n + text.n > TEXT_MOST)
		return result_failed(FAILURE_TEXT);
	buf_add(&room[0], text.p, text.n);
	return result_text((struct str){room[0].p, room[0].n});
}

static struct result length(const struct result *r, struct buf *room)
{
	struct str key, value;
	struct iter w;
	size_t n = 0;

	if (r->type == RESULT_TEXT)
		return result_int((int128)result_count_characters(result_characters(r, room)));
	if (r->type != RESULT_OTHER || (r->json.p[0] != '[' && r->json.p[0] != '{'))
		return result_failed(FAILURE_LENGTH);
	for (iter_init(&w, r->json); iter_next(&w, &key, &value) > 0;)
		n++;
	return result_int((int128)n);
}

static struct result number(const struct result *r, struct buf *room)
{
	struct result x = number_in(r, room);

	x.json.p = NULL; /* written as a computed number: 1.50 becomes 1.5 */
	return x;
}

static struct result text_of(const struct result *r, struct buf *room)
{
	return r->type == RESULT_TEXT ? *r : result_text(result_as_text(r, room));
}

/* --- instructions --- */

static struct result binary(
    const struct expression *x, const struct expression_instruction *c, const struct result *a, const struct result *b)
{
	if (a->type == RESULT_FAILED || b->type == RESULT_FAILED)
		return a->type == RESULT_FAILED ? *a : *b;
	if (a->type == RESULT_ABSENT || b->type == RESULT_ABSENT)
		return (struct result){.type = RESULT_ABSENT};
	switch (c->op) {
	case OP_ADD:
		return add(a, b, c->room);
	case OP_SUBTRACT:
		return arithmetic_subtract(a, b);
	case OP_MULTIPLY:
		return arithmetic_multiply(a, b);
	case OP_DIVIDE:
		return arithmetic_divide(a, b);
	case OP_QUOTIENT:
		return arithmetic_quotient(a, b);
	case OP_REST:
		return arithmetic_rest(a, b);
	case OP_MIN:
		return arithmetic_min(a, b);
	case OP_MAX:
		return arithmetic_max(a, b);
	case OP_FIXED:
	case OP_ITEM:
	case OP_JOIN:
	case OP_PAD:
	case OP_REPEAT:
	case OP_SUB:
		return text_function(x, c, a, b);
	default:
		return compare(c->op, a, b, c->room);
	}
}

static struct result unary(const struct expression *x, const struct expression_instruction *c, const struct result *a)
{
	if (is_missing(a))
		return *a;
	switch (c->op) {
	case OP_NEGATE:
		return arithmetic_negate(a);
	case OP_ABS:
		return arithmetic_abs(a);
	case OP_ROUND:
		return arithmetic_round(a);
	case OP_FLOOR:
		return arithmetic_floor(a);
	case OP_LEN:
		return length(a, c->room);
	case OP_CAPTURE:
	case OP_COMPACT:
	case OP_JSON:
	case OP_SUM:
		return text_function(x, c, a, NULL);
	case OP_STR:
		return text_of(a, c->room);
	default:
		return number(a, c->room);
	}
}

/*
 * Evaluates the condition of the OP_IF at index `at`; returns the index of the next instruction. Sets *taken if the
 * condition must be popped.
 */
static size_t branch(const struct expression_instruction *c, size_t at, struct result *condition, bool *taken)
{
	const struct result number = is_missing(condition) ? *condition : result_as_number(condition);

	*taken = !is_missing(&number);
	if (!*taken) {
		*condition = number;
		return c->end;
	}
	return (number.type == RESULT_INT ? number.i != 0 : number.d < 0 || number.d > 0) ? at + 1 : c->index;
}

struct result expression_value(struct expression *x, struct expression_scope *s, struct event *e)
{
	struct result *top = x->stack; /* the first free place on the stack */
	size_t at = 0;
	bool taken;

	while (at < x->n) {
		const struct expression_instruction *c = &x->code[at++];

		switch (c->op) {
		case OP_CONSTANT:
			*top++ = x->constants[c->index];
			break;
		case OP_FIELD:
			*top++ = field_value(s, &s->fields[c->index], e);
			break;
		case OP_LATE_FIELD:
			*top++ = late_value(s, &s->fields[c->index], e);
			break;
		case OP_NAME:
			*top++ = s->names[c->index].value;
			break;
		case OP_MEMBER:
			top--;
			top[-1] = member_of(&top[-1], top->text);
			break;
		case OP_IF:
			at = branch(c, at - 1, &top[-1], &taken);
			top -= taken;
			break;
		case OP_JUMP:
			at = c->end;
			break;
		case OP_DEFAULT:
			if (top[-1].type == RESULT_ABSENT)
				top--;
			else
				at = c->end;
			break;
		default:
			if (c->op >= OP_NEGATE) {
				top[-1] = unary(x, c, &top[-1]);
			} else {
				top--;
				top[-1] = binary(x, c, &top[-1], top);
			}
			break;
		}
	}
	return top[-1];
}

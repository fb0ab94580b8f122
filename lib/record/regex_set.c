#include "record/regex_set.h"

#include <ctype.h>
#include <stdlib.h>

/*
 * An expression is a graph of nodes (Thompson, "Regular Expression Search Algorithm", 1968). A state of the automaton
 * is the set of nodes that can be reached by the text so far, and the first expression that has matched already. Nodes
 * of later expressions are left out, because they can no longer change the answer.
 */
enum node_type {
	NODE_BYTES, /* goes on to `a` with one of `bytes` */
	NODE_SPLIT, /* goes on to `a` and to `b` */
	NODE_BEGIN, /* goes on to `a` at the beginning of the text */
	NODE_END,   /* goes on to `a` at the end of the text */
	NODE_MATCH,
};

struct regex_set_node {
	enum node_type type;
	uint32_t rule, a, b;
	uint64_t bytes[4]; /* a bit for each byte */
};

/*
 * The states that some blocks of text lead to from other states: the latest blocks with one hash, often the same text
 * after different beginnings. They take a line of the processor's cache.
 */
enum { BLOCK = 16, BLOCKS = 3, PLACE_BITS = 12 };
struct regex_set_place {
	struct {
		char text[BLOCK];
		uint16_t from, to; /* from: the state that it begins in, plus 1, or 0 if the block is not set */
	} block[BLOCKS];
	uint32_t unused;
};

enum { MOST_NODES = 1 << 18 };
enum { MAP_EACH = 64 }; /* bytes that the map needs for a key beside its bytes */
#define NONE UINT32_MAX
#define NOT_MADE (UINT32_MAX - 1)
#define NO_STATE UINT16_MAX
enum { MOST_STATES = NO_STATE - 2 * BLOCK }; /* a block makes at most BLOCK states */

static inline bool has_byte(const struct regex_set_node *node, size_t c)
{
	return node->bytes[c / 64] >> c % 64 & 1;
}

/* --- expressions become nodes --- */

/* `good` is set as long as an automaton can match the expression. */
struct parser {
	struct regex_set *s;
	const char *text, *p;
	size_t depth; /* of parentheses */
	bool fold, good;
};

/* A part of an expression: its first node, and a node at its end whose `a` is not set yet. */
struct part {
	uint32_t first, last;
};

static uint32_t add_node(struct parser *p, struct regex_set_node node)
{
	struct regex_set *s = p->s;

	if (s->n_nodes >= MOST_NODES) {
		p->good = false;
		return 0;
	}
	node.rule = (uint32_t)s->n;
	s->nodes = mem_grow(s->nodes, &s->cap_nodes, s->n_nodes + 1, sizeof *s->nodes);
	s->nodes[s->n_nodes] = node;
	return (uint32_t)s->n_nodes++;
}

static uint32_t add_split(struct parser *p, uint32_t a, uint32_t b)
{
	return add_node(p, (struct regex_set_node){.type = NODE_SPLIT, .a = a, .b = b});
}

static struct part part_of(struct parser *p, struct regex_set_node node)
{
	uint32_t number;

	node.a = node.b = NONE;
	number = add_node(p, node);
	return (struct part){number, number};
}

static struct part empty(struct parser *p)
{
	return part_of(p, (struct regex_set_node){.type = NODE_SPLIT});
}

static void set_byte(struct regex_set_node *node, unsigned char c, bool fold)
{
	node->bytes[c / 64] |= UINT64_C(1) << c % 64;
	if (fold && isalpha(c) && c < 128)
		node->bytes[(c ^ 32) / 64] |= UINT64_C(1) << (c ^ 32) % 64;
}

/* Reads a bracket expression; p->p is after its [. */
static struct part parse_bracket(struct parser *p)
{
	struct regex_set_node node = {.type = NODE_BYTES};
	const bool negated = *p->p == '^';
	const char *begin;
	size_t i;
	int c;

	p->p += negated;
	for (begin = p->p; *p->p && (*p->p != ']' || p->p == begin);) {
		if (p->p[0] == '[' && strchr(":.=", p->p[1])) {
			p->good = false;
			break;
		}
		c = (unsigned char)*p->p++;
		set_byte(&node, (unsigned char)c, p->fold);
		if (p->p[0] != '-' || p->p[1] == ']' || !p->p[1])
			continue;
		if (p->p[1] == '[') {
			p->good = false;
			break;
		}
		p->good &= c <= (unsigned char)p->p[1];
		for (p->p++; c <= (unsigned char)*p->p; c++)
			set_byte(&node, (unsigned char)c, p->fold);
		p->p++;
	}
	p->good &= *p->p == ']';
	p->p += *p->p != '\0';
	for (i = 0; negated && i < 4; i++)
		node.bytes[i] = ~node.bytes[i];
	return part_of(p, node);
}

static struct part parse_choice(struct parser *p);

/* Reads what a repetition refers to: a group, a bracket expression, an anchor or a character. */
static struct part parse_atom(struct parser *p)
{
	struct regex_set_node node = {.type = NODE_BYTES};
	struct part part;

	switch (*p->p++) {
	case '(':
		p->depth++;
		part = parse_choice(p);
		p->depth--;
		p->good &= *p->p == ')';
		p->p += *p->p == ')';
		return part;
	case '[':
		return parse_bracket(p);
	case '.':
		memset(node.bytes, 0xff, sizeof node.bytes);
		return part_of(p, node);
	case '^': /* elsewhere, only an empty text could match it */
		p->good &= p->p - 1 == p->text || strchr("(|", p->p[-2]);
		return part_of(p, (struct regex_set_node){.type = NODE_BEGIN});
	case '$':
		return part_of(p, (struct regex_set_node){.type = NODE_END});
	case '\\': /* before a letter or digit, it is an extension of regcomp() */
		p->good &= *p->p && !isalnum((unsigned char)*p->p) && !strchr("<>`'", *p->p);
		p->p += *p->p != '\0';
		break;
	case '*':
	case '+':
	case '?':
	case '{':
	case ')':
		p->good = false; /* nothing that could be repeated: what it means depends on regcomp() */
		break;
	}
	set_byte(&node, (unsigned char)p->p[-1], p->fold);
	return part_of(p, node);
}

static struct part join(struct parser *p, struct part a, struct part b)
{
	p->s->nodes[a.last].a = b.first;
	return (struct part){a.first, b.last};
}

/* Makes a part that occurs once or more, if `least` is 1, or any number of times, if it is 0. */
static struct part repeated(struct parser *p, struct part part, unsigned least)
{
	const struct part end = empty(p), again = {add_split(p, part.first, end.first), end.last};

	join(p, part, again);
	return least ? (struct part){part.first, end.last} : again;
}

static struct part parse_piece(struct parser *p)
{
	const char *text = p->p;
	struct part part = parse_atom(p);

	switch (*p->p) {
	case '*':
	case '+':
		part = repeated(p, part, *p->p++ == '+');
		break;
	case '?':
		p->p++;
		part = join(p, part, empty(p));
		part.first = add_split(p, part.first, part.last);
		break;
	default:
		return part;
	}
	/* a repetition of an anchor, or of a repetition */
	p->good &= *text != '^' && *text != '$' && (!*p->p || !strchr("*+?{", *p->p));
	return part;
}

/* Reads the alternatives up to ) or the end. */
static struct part parse_choice(struct parser *p)
{
	struct part all = {NONE, empty(p).last}, one;

	for (;; p->p++) {
		one = empty(p);
		while (p->good && *p->p && *p->p != '|' && !(*p->p == ')' && p->depth))
			one = join(p, one, parse_piece(p));
		join(p, one, (struct part){all.last, all.last});
		all.first = all.first == NONE ? one.first : add_split(p, all.first, one.first);
		if (!p->good || *p->p != '|')
			return all;
	}
}

bool regex_set_add(struct regex_set *s, const char *regex, bool fold)
{
	struct parser p = {.s = s, .text = regex, .p = regex, .fold = fold, .good = true};
	const size_t before = s->n_nodes;
	struct part all = parse_choice(&p);
	const uint32_t match = add_node(&p, (struct regex_set_node){.type = NODE_MATCH});

	if (!p.good || *p.p) {
		s->n_nodes = before;
		return false;
	}
	s->nodes[all.last].a = match;
	s->starts = mem_grow(s->starts, &s->cap_starts, s->n + 1, sizeof *s->starts);
	s->starts[s->n++] = all.first;
	s->prepared = false;
	return true;
}

/* --- states of the automaton --- */

/*
 * s->list is the key of a state: its answer so far, and then its nodes. Nodes that every place of a text begins with
 * are in s->everywhere, and not in the keys.
 */

static void visit(struct regex_set *s, uint32_t node)
{
	if (node == NONE || s->marks[node] == s->mark)
		return;
	s->marks[node] = s->mark;
	s->list = mem_grow(s->list, &s->cap_list, s->n_list + 1, sizeof *s->list);
	s->list[s->n_list++] = node;
}

static void begin_list(struct regex_set *s)
{
	s->list = mem_grow(s->list, &s->cap_list, 1, sizeof *s->list);
	s->n_list = 1;
	s->mark++;
}

/* Adds the nodes that are reached without a byte. */
static void follow(struct regex_set *s, bool at_begin, bool at_end)
{
	size_t i;

	for (i = 1; i < s->n_list; i++) {
		const struct regex_set_node *node = &s->nodes[s->list[i]];

		if (node->type == NODE_SPLIT || (node->type == NODE_BEGIN && at_begin) ||
		    (node->type == NODE_END && at_end)) {
			visit(s, node->a);
			visit(s, node->b);
		}
	}
}

static uint32_t first_match(const struct regex_set *s, uint32_t best)
{
	size_t i;

	for (i = 1; i < s->n_list; i++) {
		if (s->nodes[s->list[i]].type == NODE_MATCH && s->nodes[s->list[i]].rule < best)
			best = s->nodes[s->list[i]].rule;
	}
	return best;
}

/* Keeps the nodes in s->list that wait for a byte or the end, and may change the answer `best`. */
static void reduce_list(struct regex_set *s, uint32_t best)
{
	size_t i, n = 1;

	for (i = 1; i < s->n_list; i++) {
		const struct regex_set_node *node = &s->nodes[s->list[i]];

		if ((node->type == NODE_BYTES || node->type == NODE_END) && node->rule < best)
			s->list[n++] = s->list[i];
	}
	s->n_list = n;
	s->list[0] = best;
}

/* Returns the number of the state with the nodes in s->list, which may be new. */
static uint32_t put_state(struct regex_set *s, uint32_t best)
{
	const size_t known = s->states.n;
	size_t number, i, n = 1;

	best = first_match(s, best);
	reduce_list(s, best);
	for (i = 1; i < s->n_list; i++) {
		if (!s->is_everywhere[s->list[i]])
			s->list[n++] = s->list[i];
	}
	number = map_put(&s->states, (struct str){(const char *)s->list, n * sizeof *s->list});
	if (number < known)
		return (uint32_t)number;
	s->next = mem_grow(s->next, &s->cap_next, s->states.n << s->class_bits, sizeof *s->next);
	memset(s->next + (number << s->class_bits), 0xff, sizeof *s->next << s->class_bits); /* NO_STATE */
	s->at_end = mem_grow(s->at_end, &s->cap_at_end, s->states.n, sizeof *s->at_end);
	s->at_end[number] = NOT_MADE;
	s->kept += n * sizeof *s->list + (sizeof *s->next << s->class_bits) + MAP_EACH;
	return (uint32_t)number;
}

/* Frees all states, and makes the state at the beginning of a text, which has the number 0. */
static void begin_states(struct regex_set *s)
{
	size_t i;

	map_free(&s->states);
	s->kept = 0;
	free(s->places);
	s->places = mem_table(sizeof *s->places << PLACE_BITS);
	memset(s->places, 0, sizeof *s->places << PLACE_BITS);
	begin_list(s);
	for (i = 0; i < s->n; i++)
		visit(s, s->starts[i]);
	follow(s, true, false);
	put_state(s, NONE);
}

/* Frees all states but the first one and a copy of this one; returns its new number. */
static uint32_t forget_states(struct regex_set *s, uint32_t state)
{
	struct buf copy = {0};
	const struct str key = map_key(&s->states, state);

	buf_add(&copy, key.p, key.n);
	begin_states(s);
	begin_list(s);
	s->list = mem_grow(s->list, &s->cap_list, copy.n / sizeof *s->list, sizeof *s->list);
	memcpy(s->list, copy.p, copy.n);
	s->n_list = copy.n / sizeof *s->list;
	buf_free(&copy);
	return put_state(s, s->list[0]);
}

/* Adds to s->list what the nodes of a list go on to with the byte c. */
static void advance(struct regex_set *s, const uint32_t *nodes, size_t n, uint32_t best, unsigned char c)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const struct regex_set_node *node = &s->nodes[nodes[i]];

		if (node->type == NODE_BYTES && node->rule < best && has_byte(node, c))
			visit(s, node->a);
	}
}

/* Makes the state that follows `state` with the byte c. */
static uint32_t next_state(struct regex_set *s, uint32_t state, unsigned char c)
{
	const struct str key = map_key(&s->states, state);
	const uint32_t *own = (const uint32_t *)(const void *)key.p;
	const uint32_t best = own[0];
	const size_t *with = &s->with_begin[s->class_of[c]];

	begin_list(s);
	advance(s, own + 1, key.n / sizeof *own - 1, best, c);
	advance(s, s->everywhere_with + with[0], with[1] - with[0], best, c);
	follow(s, false, false);
	return put_state(s, best);
}

/* Returns the answer if the text ends in `state`. */
static uint32_t answer_at_end(struct regex_set *s, uint32_t state)
{
	const struct str key = map_key(&s->states, state);
	const uint32_t *own = (const uint32_t *)(const void *)key.p;
	size_t i;

	if (s->at_end[state] != NOT_MADE)
		return s->at_end[state];
	begin_list(s);
	for (i = 1; i < key.n / sizeof *own; i++)
		visit(s, own[i]);
	for (i = 1; i < s->n_everywhere; i++)
		visit(s, s->everywhere[i]);
	follow(s, false, true);
	return s->at_end[state] = first_match(s, own[0]);
}

/* Divides each class that has bytes inside and outside the set of a node. */
static void divide_classes(struct regex_set *s, const struct regex_set_node *node)
{
	size_t all[256] = {0}, inside[256] = {0}, new_class[256] = {0}, c;

	for (c = 0; c < 256; c++) {
		all[s->class_of[c]]++;
		inside[s->class_of[c]] += has_byte(node, c);
	}
	for (c = 0; c < 256; c++) {
		const size_t class = s->class_of[c];

		if (!has_byte(node, c) || inside[class] == all[class])
			continue;
		if (!new_class[class])
			new_class[class] = s->n_classes++;
		s->class_of[c] = (uint8_t)new_class[class];
	}
}

/* Puts the bytes that no node tells apart into one class. */
static void make_classes(struct regex_set *s)
{
	struct map sets = {0};
	size_t i;

	memset(s->class_of, 0, sizeof s->class_of);
	s->n_classes = 1;
	for (i = 0; i < s->n_nodes; i++) {
		const struct regex_set_node *node = &s->nodes[i];
		const size_t known = sets.n;

		if (node->type == NODE_BYTES &&
		    map_put(&sets, (struct str){(const char *)node->bytes, sizeof node->bytes}) == known)
			divide_classes(s, node);
	}
	map_free(&sets);
	for (s->class_bits = 0; (size_t)1 << s->class_bits < s->n_classes; s->class_bits++)
		;
}

/* Sets the nodes that every place of a text begins with. */
static void find_everywhere(struct regex_set *s)
{
	size_t i;

	s->marks = mem_grow_zero(s->marks, &s->cap_marks, s->n_nodes, sizeof *s->marks);
	begin_list(s);
	for (i = 0; i < s->n; i++)
		visit(s, s->starts[i]);
	follow(s, false, false);
	reduce_list(s, NONE);
	s->n_everywhere = s->n_list;
	s->everywhere = mem_resize(s->everywhere, s->n_list, sizeof *s->everywhere);
	memcpy(s->everywhere, s->list, s->n_list * sizeof *s->everywhere);
	free(s->is_everywhere);
	s->is_everywhere = mem_zero(s->n_nodes, sizeof *s->is_everywhere);
	for (i = 1; i < s->n_everywhere; i++)
		s->is_everywhere[s->everywhere[i]] = true;
}

/* Sets s->everywhere_with: for each class of bytes, the nodes of s->everywhere that go on with it. */
static void divide_everywhere(struct regex_set *s)
{
	size_t class, c, i, n = 0;

	for (class = 0; class < s->n_classes; class ++) {
		for (c = 0; s->class_of[c] != class; c++)
			;
		s->with_begin[class] = n;
		for (i = 1; i < s->n_everywhere; i++) {
			const struct regex_set_node *node = &s->nodes[s->everywhere[i]];

			if (node->type != NODE_BYTES || !has_byte(node, c))
				continue;
			s->everywhere_with =
			    mem_grow(s->everywhere_with, &s->cap_with, n + 1, sizeof *s->everywhere_with);
			s->everywhere_with[n++] = s->everywhere[i];
		}
	}
	s->with_begin[class] = n;
}

static void prepare(struct regex_set *s)
{
	make_classes(s);
	find_everywhere(s);
	divide_everywhere(s);
	begin_states(s);
	s->prepared = true;
}

/* Returns the state that n bytes lead to. */
static uint32_t walk(struct regex_set *s, uint32_t state, const char *p, size_t n)
{
	const char *end = p + n;

	for (; p < end; p++) {
		const unsigned char c = (unsigned char)*p;
		const size_t at = (size_t)state << s->class_bits | s->class_of[c];

		if (s->next[at] == NO_STATE) {
			state = next_state(s, state, c);
			s->next[at] = (uint16_t)state;
		} else {
			state = s->next[at];
		}
	}
	return state;
}

/* As walk(), for BLOCK bytes. Stores the result, because different names have parts in common. */
static uint32_t walk_block(struct regex_set *s, uint32_t state, const char *p)
{
	struct regex_set_place *place;
	uint64_t half[2];
	size_t i;

	memcpy(half, p, BLOCK);
	/* The place does not depend on the state, so that the processor can load it early. */
	place = &s->places[(half[0] ^ half[1] * 31) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - PLACE_BITS)];
	for (i = 0; i < BLOCKS; i++) {
		if (place->block[i].from == state + 1 && memcmp(place->block[i].text, p, BLOCK) == 0)
			return place->block[i].to;
	}
	memmove(&place->block[1], &place->block[0], (BLOCKS - 1) * sizeof place->block[0]);
	memcpy(place->block[0].text, p, BLOCK);
	place->block[0].from = (uint16_t)(state + 1);
	state = walk(s, state, p, BLOCK);
	place->block[0].to = (uint16_t)state;
	return state;
}

size_t regex_set_first(struct regex_set *s, struct str text)
{
	uint32_t state = 0, answer;

	if (!s->n)
		return REGEX_SET_NONE;
	if (!s->prepared)
		prepare(s);
	for (;; text = str_from(text, BLOCK)) {
		if (s->kept > REGEX_SET_MEMORY || s->states.n > MOST_STATES)
			state = forget_states(s, state);
		if (text.n < BLOCK)
			break;
		state = walk_block(s, state, text.p);
	}
	state = walk(s, state, text.p, text.n);
	answer = answer_at_end(s, state);
	return answer == NONE ? REGEX_SET_NONE : answer;
}

void regex_set_free(struct regex_set *s)
{
	mem_free(s->nodes, s->starts, s->next, s->at_end, s->list, s->marks, s->everywhere, s->is_everywhere);
	mem_free(s->everywhere_with, s->places);
	map_free(&s->states);
	*s = (struct regex_set){0};
}

/*
 * regex_set: finds the first of many regular expressions that matches a text, in one pass over the text. The time does
 * not depend on the number of expressions.
 */
#ifndef REGEX_SET_H
#define REGEX_SET_H

#include "base/map.h"

#include <stdbool.h>
#include <stdint.h>

struct regex_set_node;
struct regex_set_place;

/*
 * Zero-initialise; free it with regex_set_free(). The expressions are POSIX extended ones, compared as bytes; a point
 * matches every byte, NUL too. They become an automaton, whose states are made when a text needs them; if the states
 * take more than REGEX_SET_MEMORY bytes, they are freed and made again.
 */
struct regex_set {
	size_t n; /* number of expressions */
	/* private */
	struct regex_set_node *nodes;
	size_t n_nodes, cap_nodes;
	uint32_t *starts; /* the first node of each expression */
	size_t cap_starts;
	uint8_t class_of[256];        /* bytes that no expression tells apart are of one class */
	size_t n_classes, class_bits; /* there are at most 1 << class_bits classes */
	bool prepared;                /* the classes and the first state are valid */
	struct map states;
	uint16_t *next;   /* for each state: the next states by class, 1 << class_bits of them */
	uint32_t *at_end; /* for each state: the answer at the end */
	size_t cap_next, cap_at_end, kept;
	struct regex_set_place *places; /* blocks of texts that were searched */
	uint32_t *list;                 /* nodes of the state that is being made */
	size_t n_list, cap_list;
	uint32_t *marks, mark; /* marks[node] == mark: the node is in the list */
	size_t cap_marks;
	uint32_t *everywhere; /* see regex_set.c */
	size_t n_everywhere;
	bool *is_everywhere;
	uint32_t *everywhere_with; /* those that go on with a byte of class c: [with_begin[c] .. with_begin[c + 1]) */
	size_t with_begin[257], cap_with;
};

enum { REGEX_SET_MEMORY = 8 << 20 };
#define REGEX_SET_NONE ((size_t)-1)

/*
 * Adds an expression that regcomp() accepts; `fold` ignores the case of ASCII letters. Returns false, and adds nothing,
 * for an expression that only regexec() can match: with a back-reference, with \ before a letter, with a number of
 * repetitions, with a class such as [:digit:], or with very many characters.
 */
bool regex_set_add(struct regex_set *s, const char *regex, bool fold);

/* Returns the number of the first expression that matches anywhere in the text, or REGEX_SET_NONE. */
size_t regex_set_first(struct regex_set *s, struct str text);

void regex_set_free(struct regex_set *s);

#endif

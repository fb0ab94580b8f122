#include "record/cxx_short_name.h"

#include "base/char_class.h"

/* The deepest nesting of brackets that is parsed; names with deeper nesting are returned unchanged. */
enum { NESTING = 256 };

static bool is_word(char c)
{
	return is_name_byte(c) || c == '$';
}

static char at(struct str s, size_t i) /* returns '\0' if i is at or after the end */
{
	return i < s.n ? s.p[i] : '\0';
}

/*
 * If the word "operator" is at i, returns the offset after the operator's symbol, so that brackets in the symbol are
 * not matched with other brackets. Otherwise returns i.
 */
static size_t operator_end(struct str s, size_t i)
{
	static const char symbols[][4] = {
	    "()", "[]", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">"};
	size_t end = i + 8, k;

	if (!str_starts(str_from(s, i), STR("operator")) || (i && is_word(s.p[i - 1])) || is_word(at(s, end)))
		return i;
	while (at(s, end) == ' ')
		end++;
	for (k = 0; k < sizeof symbols / sizeof *symbols; k++) {
		if (str_starts(str_from(s, end), str_of(symbols[k])))
			return end + strlen(symbols[k]);
	}
	return i + 8;
}

/* Returns the offset after the bracket that closes the bracket at i; 0 when not found. */
static size_t group_end(struct str s, size_t i)
{
	char open[NESTING], want;
	size_t depth = 0, symbol;

	for (; i < s.n; i++) {
		switch (s.p[i]) {
		case '<':
		case '(':
		case '[':
		case '{':
			if (depth == NESTING)
				return 0;
			open[depth++] = s.p[i];
			continue;
		case '>':
			/* A '>' that closes no '<' is an operator, as in (a > b), or part of "->". */
			if (open[depth - 1] == '<' && s.p[i - 1] != '-')
				depth--;
			break;
		case ')':
		case ']':
		case '}':
			want = s.p[i] == ')' ? '(' : s.p[i] == ']' ? '[' : '{';
			while (depth && open[depth - 1] == '<' && depth > 1) /* (a < b) */
				depth--;
			if (open[depth - 1] != want)
				return 0;
			depth--;
			break;
		case 'o':
			symbol = operator_end(s, i);
			i = symbol > i ? symbol - 1 : i;
			break;
		default:
			break;
		}
		if (!depth)
			return i + 1;
	}
	return 0;
}

/* Returns whether the text before a name, without template arguments, can be its return type. */
static bool is_return_type(struct str s)
{
	static const char *const known[] = {"", "void", "bool", "char", "short", "int", "long", "float", "double",
	    "auto", "signed", "unsigned", "const", "volatile", "static", "inline", "constexpr", "virtual", "extern",
	    "struct", "class", "enum", "union", "typename", "__global__", "__device__", "__host__", "__half",
	    "decltype", NULL};
	struct str rest = s, word;
	int others = 0;
	size_t i;

	while (str_split(&rest, ' ', &word)) {
		while (word.n && (word.p[word.n - 1] == '*' || word.p[word.n - 1] == '&'))
			word.n--;
		/* "(anonymous namespace)" is one name that consists of two words. */
		if (str_in(word, known) || str_ends(word, STR("(anonymous")))
			continue;
		for (i = 0; i < word.n; i++) {
			if (!is_word(word.p[i]) && word.p[i] != ':' && !str_starts(word, STR("namespace)")))
				return false;
		}
		if (word.p[word.n - 1] == ':' || others++)
			return false;
	}
	return true;
}

/* Skips qualifiers such as " const" and " &" after an argument list. */
static size_t skip_qualifiers(struct str s, size_t i)
{
	static const char *const words[] = {"const", "volatile", "noexcept", "&", "&&", NULL};
	struct str rest, word;

	for (; at(s, i) == ' '; i += 1 + word.n) {
		rest = str_from(s, i + 1);
		for (word = str_head(rest, 0); word.n < rest.n && rest.p[word.n] != ' ' && rest.p[word.n] != ':';
		     word.n++)
			;
		if (!str_in(word, words))
			break;
	}
	return i;
}

/* The state of parsing one name; the parts that the short name keeps are appended to *out. */
struct reading {
	struct str s;
	size_t i;
	struct buf *out;
	size_t begin;        /* offset in *out at which the name begins; a return type may be before it */
	bool after_operator; /* the word "operator" was read last: spaces belong to the name */
	bool symbol;         /* the position is directly after an operator's symbol */
	bool typed;     /* a return type was recognised, by decltype or by template arguments before ' ', '*' or '&' */
	bool arguments; /* the name ends with an argument list */
};

static bool keep(struct reading *r, size_t end)
{
	buf_add(r->out, r->s.p + r->i, end - r->i);
	r->i = end;
	return true;
}

static bool read_angle(struct reading *r, size_t from)
{
	size_t end = group_end(r->s, from);
	char next = at(r->s, end);
	bool path = next == ':' && at(r->s, end + 1) == ':';

	if (!end)
		return false;
	if (!r->symbol && (!from || !is_word(r->s.p[from - 1])))
		return path && keep(r, end); /* <unnamed>:: */
	if (next == ' ' || next == '*' || next == '&')
		r->typed = true;
	else if (next != '\0' && next != '(' && !path)
		return false;
	r->i = end;
	return true;
}

static bool read_round(struct reading *r)
{
	static const struct str anonymous = {"(anonymous namespace)", 21};
	struct str s = r->s;
	size_t end;
	char before = r->i ? s.p[r->i - 1] : '\0', first = at(s, r->i + 1);

	if (str_starts(str_from(s, r->i), anonymous))
		return keep(r, r->i + anonymous.n);
	end = group_end(s, r->i);
	if (!end)
		return false;
	if (str_ends(str_trim((struct str){r->out->p, r->out->n}), STR("decltype")) && at(s, end) == ' ') {
		r->i = end;
		return r->typed = true;
	}
	if (!is_word(before) && !r->symbol && before != '>' && before != '}' && before != ']' && before != '\'' &&
	    !r->after_operator)
		return false;
	if (is_digit(first) || first == '-' || first == '"')
		return false;
	end = skip_qualifiers(s, end);
	if (str_starts(str_from(s, end), STR("::"))) {
		r->i = end;
		r->after_operator = false;
		return true;
	}
	r->arguments = true;
	r->i = s.n;
	return end == s.n || str_starts(str_from(s, end), STR(" [clone")) ||
	       str_starts(str_from(s, end), STR(" [with")) || str_starts(str_from(s, end), STR(" (."));
}

/* Parses the next part. Returns false when the text is not a C++ name. */
static bool read_part(struct reading *r)
{
	struct str s = r->s;
	char c = s.p[r->i];
	size_t end;

	if (c == '<')
		return read_angle(r, r->i);
	if (c == ' ' && r->symbol && at(s, r->i + 1) == '<') /* operator<< <int> */
		return read_angle(r, r->i + 1);
	if (c == '(')
		return read_round(r);
	r->symbol = false;
	if (c == '{' || c == '[') {
		end = group_end(s, r->i);
		return end && keep(r, end);
	}
	if (c == '>' && r->i && s.p[r->i - 1] != '-')
		return false;
	if (c == ')' || c == '}' || c == ']')
		return false;
	if (c == 'o' && (end = operator_end(s, r->i)) > r->i) {
		r->after_operator = true;
		r->symbol = end > r->i + 8;
		return keep(r, end);
	}
	keep(r, r->i + 1);
	if (c == ' ' && !r->after_operator)
		r->begin = r->out->n;
	return true;
}

struct str cxx_short_name(struct str name, struct buf *scratch)
{
	struct reading r = {.s = name, .out = scratch};

	if (!name.n || (!memchr(name.p, '(', name.n) && !memchr(name.p, '<', name.n)))
		return name;
	scratch->n = 0;
	buf_room(scratch, name.n);
	while (r.i < name.n) {
		if (!read_part(&r))
			return name;
	}
	if (!r.arguments) {
		/* Words before a name without arguments are not a return type: "evaluate_function: CppNode<X>". */
		r.begin = 0;
		if (r.typed)
			return name;
	} else if (r.begin && !is_return_type((struct str){scratch->p, r.begin - 1})) {
		return name;
	}
	if (scratch->n == r.begin || scratch->n == name.n)
		return name;
	return (struct str){scratch->p + r.begin, scratch->n - r.begin};
}

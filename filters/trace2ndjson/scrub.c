#include "scrub.h"

#include "base/char_class.h"
#include "json/string.h"

#define REMOVED "[removed]"

const char *const scrub_names[] = {"secrets", "hosts", NULL};

/* --- names of values */

static bool is_one_of(struct str word, const char *const *list)
{
	for (; *list; list++) {
		/* Most words differ in the first letter. */
		if (word.n && ((*list)[0] | 0x20) == (word.p[0] | 0x20) && str_eq_any_case(word, str_of(*list)))
			return true;
	}
	return false;
}

/* Takes the next word of a name: api_key, api-key and apiKey have two words. */
static bool next_word(struct str *rest, struct str *word)
{
	size_t n;

	while (rest->n && !is_alphanumeric(rest->p[0]))
		*rest = str_from(*rest, 1);
	for (n = 0; n < rest->n && is_alphanumeric(rest->p[n]); n++) {
		if (n && is_upper(rest->p[n]) && !is_upper(rest->p[n - 1]))
			break;
	}
	*word = str_head(*rest, n);
	*rest = str_from(*rest, n);
	return n;
}

static bool is_capital(char c)
{
	return is_upper(c) || is_digit(c) || c == '_';
}

/* Returns what the last two words of a name say about its value. */
static enum scrub_class class_of_end(struct str name, struct str before, struct str last)
{
	static const char *const keys[] = {"api", "access", "private", "secret", "ssh", "account", "license", "signing",
	    "encryption", "storage", NULL};
	static const char *const users[] = {"user", "username", "login", "logname", "owner", "email", NULL};
	static const char *const hosts[] = {"host", "hostname", "nodename", "fqdn", "ip", NULL};
	const bool is_name = str_eq_any_case(last, STR("name"));

	if (str_eq_any_case(last, STR("key")) && (is_one_of(before, keys) || str_all(name, is_capital)))
		return SCRUB_SECRET;
	if (is_one_of(last, users) || (is_name && str_eq_any_case(before, STR("user"))) ||
	    (str_eq_any_case(before, STR("started")) && str_eq_any_case(last, STR("by"))))
		return SCRUB_USER;
	if (is_one_of(last, hosts) || (is_name && is_one_of(before, (const char *const[]){"host", "node", NULL})) ||
	    (str_eq_any_case(before, STR("master")) && str_eq_any_case(last, STR("addr"))) ||
	    (str_eq_any_case(before, STR("machine")) && str_eq_any_case(last, STR("id"))))
		return SCRUB_HOST;
	return SCRUB_PLAIN;
}

/* Returns what the name of a value says about it; SCRUB_PLAIN if values with such names are not removed. */
static enum scrub_class class_of(const struct scrub *s, struct str name)
{
	static const char *const environments[] = {"env", "envs", "environ", "environment", "envvar", "envvars", NULL};
	static const char *const secrets[] = {"password", "passwd", "passphrase", "secret", "secrets", "credential",
	    "credentials", "apikey", "auth", "authorization", "cookie", NULL};
	struct str rest = name, word, last = {NULL, 0}, before = {NULL, 0};
	enum scrub_class found = SCRUB_PLAIN;

	while (next_word(&rest, &word)) {
		if (is_one_of(word, environments))
			return SCRUB_ENVIRONMENT;
		if (is_one_of(word, secrets))
			found = SCRUB_SECRET;
		else if (found == SCRUB_PLAIN && str_eq_any_case(word, STR("token")))
			found = SCRUB_TOKEN;
		before = last;
		last = word;
	}
	if (found == SCRUB_PLAIN)
		found = class_of_end(name, before, last);
	/* A member `user` of an event is rarely the name of a person, but in metadata it is. */
	return (found == SCRUB_HOST && !s->hosts) || (found == SCRUB_USER && !s->meta) ? SCRUB_PLAIN : found;
}

/* --- texts */

static bool is_name_char(char c)
{
	return is_alphanumeric(c) || c == '_' || c == '-' || c == '.';
}

static bool is_space(char c)
{
	return is_json_space(c) || c == '\0';
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

static bool is_in_value(char c)
{
	return !is_space(c) && !is_quote(c) && !strchr("&;,()<>", c);
}

static bool is_in_folder(char c)
{
	return is_in_value(c) && c != '/' && c != '\\' && c != ':';
}

static bool is_in_variable(char c)
{
	return c != '\0' && c != '\n';
}

static char char_at(struct str t, size_t i)
{
	return i < t.n ? t.p[i] : '\0';
}

/* Returns whether a word has the form of a token of a well-known service. */
static bool is_known_token(struct str word)
{
	static const struct {
		const char *prefix;
		unsigned char least; /* number of following characters */
		bool marks;          /* these may be - _ . too */
	} forms[] = {{"hf_", 20, false}, {"ghp_", 20, false}, {"gho_", 20, false}, {"ghu_", 20, false},
	    {"ghs_", 20, false}, {"ghr_", 20, false}, {"github_pat_", 20, true}, {"glpat-", 16, true},
	    {"sk-", 20, true}, {"sk_live_", 16, false}, {"rk_live_", 16, false}, {"AKIA", 16, false},
	    {"ASIA", 16, false}, {"AIza", 30, true}, {"xoxb-", 10, true}, {"xoxp-", 10, true}, {"xoxa-", 10, true},
	    {"npm_", 30, false}, {"pypi-", 20, true}, {"dckr_pat_", 20, true}, {"nvapi-", 20, true},
	    {"ya29.", 20, true}, {"r8_", 30, false}, {"gsk_", 30, false}, {"SG.", 40, true}, {"eyJ", 30, true}};
	struct str rest;
	size_t i;

	for (i = 0; i < sizeof forms / sizeof *forms; i++) {
		if (!str_starts(word, str_of(forms[i].prefix)))
			continue;
		rest = str_from(word, strlen(forms[i].prefix));
		if (rest.n >= forms[i].least && str_all(rest, forms[i].marks ? is_name_char : is_alphanumeric) &&
		    str_first(rest, is_letter).n < rest.n && str_first(rest, is_digit).n < rest.n)
			return true;
	}
	return false;
}

/* Appends the mark in place of a value, unless the value is empty or the mark itself. Returns the value's length. */
static size_t put_mark(struct scrub *s, struct str value, enum scrub_class class)
{
	if (!value.n || str_starts(value, STR(REMOVED))) {
		buf_add(&s->clean, value.p, value.n);
		return value.n;
	}
	buf_lit(&s->clean, REMOVED);
	s->removed[class]++;
	return value.n;
}

/*
 * Copies the text from `from`, and removes the value at `at`, up to the first character that is not in it. Returns the
 * offset after the value.
 */
static size_t replace_value(
    struct scrub *s, struct str t, size_t from, size_t at, bool (*is_in)(char), enum scrub_class class)
{
	const struct str value = str_first(str_from(t, at), is_in);

	buf_add(&s->clean, t.p + from, at - from);
	/* A number of tokens, such as max_token=512, is not a token. */
	if (class == SCRUB_TOKEN && value.n < 8 && str_all(value, is_digit)) {
		buf_add(&s->clean, value.p, value.n);
		return at + value.n;
	}
	return at + put_mark(s, value, class);
}

/* Returns the offset of the value of a name that ends at `end` (NAME=VALUE, "NAME": "VALUE"); 0 if it has no value. */
static size_t find_value(struct str t, size_t end)
{
	size_t at = end;

	if (is_quote(char_at(t, at)))
		at += 1 + str_first(str_from(t, at + 1), is_blank).n;
	if (char_at(t, at) != '=' && (char_at(t, at) != ':' || char_at(t, at + 1) == ':'))
		return 0;
	return at + 1 + str_first(str_from(t, at + 1), is_blank).n;
}

/* Returns the offset after the word Bearer or Basic at `at`, which a token follows; `at` if there is no such word. */
static size_t after_scheme(struct str t, size_t at)
{
	const struct str word = str_first(str_from(t, at), is_letter);
	const bool is_scheme = is_one_of(word, (const char *const[]){"bearer", "basic", "token", NULL});

	return is_scheme && char_at(t, at + word.n) == ' ' ? at + word.n + 1 : at;
}

/* Whether the word at offset i is the name of an environment variable in a text that lists these: NAME=VALUE lines. */
static bool begins_variable(const struct scrub *s, struct str t, size_t i, struct str word)
{
	if (!s->meta || char_at(t, i + word.n) != '=' || (i && is_in_variable(t.p[i - 1])))
		return false;
	return (word.n > 1 && str_all(word, is_capital)) || memchr(t.p, '\0', t.n);
}

/* Returns the offset of the token that follows the word Bearer, which ends at `end`; 0 if no token follows. */
static size_t find_bearer(struct str t, struct str word, size_t end)
{
	const struct str value = str_first(str_from(t, end + 1), is_in_value);

	if (!str_eq_any_case(word, STR("bearer")) || char_at(t, end) != ' ')
		return 0;
	return value.n >= 8 && str_first(value, is_letter).n < value.n ? end + 1 : 0; /* a word is not a token */
}

/* Copies or removes the word at offset i and the value that belongs to it. Returns the offset after them. */
static size_t put_word(struct scrub *s, struct str t, size_t i)
{
	const struct str word = str_first(str_from(t, i), is_name_char);
	const bool option = word.p[0] == '-';
	const size_t end = i + word.n;
	enum scrub_class class;
	size_t at;

	if (word.n > 14 && is_known_token(word))
		return i + put_mark(s, word, SCRUB_TOKEN);
	if (begins_variable(s, t, i, word))
		return replace_value(s, t, i, end + 1, is_in_variable, SCRUB_ENVIRONMENT);
	if (str_eq(word, STR("-----BEGIN")) && str_find(str_from(t, i), STR("PRIVATE KEY")) < t.n - i)
		return i + put_mark(s, str_from(t, i), SCRUB_SECRET);
	at = find_bearer(t, word, end);
	if (at)
		return replace_value(s, t, i, at, is_in_value, SCRUB_TOKEN);
	at = find_value(t, end);
	if (!at && option && (end == t.n || is_space(t.p[end])))
		at = end + str_first(str_from(t, end), is_space).n;
	at += at && is_quote(char_at(t, at));
	class = at ? class_of(s, word) : SCRUB_PLAIN;
	if (class == SCRUB_PLAIN || (class == SCRUB_ENVIRONMENT && !option)) {
		buf_add(&s->clean, word.p, word.n);
		return end;
	}
	if (at >= t.n) { /* the value may be the next element of an array of arguments */
		s->next = option ? class : SCRUB_PLAIN;
		at = end;
	}
	return replace_value(s, t, i, after_scheme(t, at), is_in_value, class);
}

/* The same for a character that is not in a word: home folders, and users and passwords in URLs. */
static size_t put_other(struct scrub *s, struct str t, size_t i)
{
	static const struct str homes[] = {
	    {"/home/", 6}, {"/Users/", 7}, {"\\Users\\", 7}, {"\\\\Users\\\\", 9}, {"://", 3}};
	const struct str rest = str_from(t, i);
	struct str value;
	size_t k;

	for (k = 0; k < sizeof homes / sizeof *homes; k++) {
		if (!str_starts(rest, homes[k]))
			continue;
		if (homes[k].n > 3)
			return replace_value(s, t, i, i + homes[k].n, is_in_folder, SCRUB_USER);
		value = str_first(str_from(rest, 3), is_in_value);
		value = str_head(value, str_find(value, STR("/")));
		k = str_after_last(value, '@');
		if (!k)
			break;
		buf_lit(&s->clean, "://");
		return i + 3 + put_mark(s, str_head(value, k - 1), SCRUB_SECRET);
	}
	buf_char(&s->clean, t.p[i]);
	return i + 1;
}

/* Scrubs a decoded text into s->clean. */
static void scrub_text(struct scrub *s, struct str t)
{
	size_t i = 0;

	s->clean.n = 0;
	while (i < t.n)
		i = is_name_char(t.p[i]) ? put_word(s, t, i) : put_other(s, t, i);
}

/* --- JSON */

static struct str decode(struct scrub *s, struct str inner)
{
	if (!inner.n || !memchr(inner.p, '\\', inner.n))
		return inner;
	s->decoded.n = 0;
	json_unescape(&s->decoded, inner);
	return buf_str(&s->decoded);
}

/* Appends a string, or the mark if its class says so. */
static void put_string(struct scrub *s, struct str string, enum scrub_class class)
{
	struct str text;

	if (class != SCRUB_PLAIN && string.n > 2 && !str_eq(string, STR("\"" REMOVED "\""))) {
		buf_lit(&s->out, "\"" REMOVED "\"");
		s->removed[class]++;
		return;
	}
	text = decode(s, json_inner(string));
	scrub_text(s, text);
	if (str_eq(text, buf_str(&s->clean)))
		buf_add(&s->out, string.p, string.n);
	else
		json_quote(&s->out, buf_str(&s->clean));
}

/* Returns the length of the string at the beginning of valid JSON. */
static size_t string_length(struct str json)
{
	size_t i = 1;

	while (i < json.n && json.p[i] != '"')
		i += json.p[i] == '\\' ? 2 : 1;
	return i + 1 < json.n ? i + 1 : json.n;
}

/* The state of scrub_json(): a class is SCRUB_PLAIN if nothing is removed. */
struct scrub_walk {
	enum scrub_class key;  /* of the value after the last key, and of the elements of an array */
	enum scrub_class pair; /* of the member `value` of an object with a member `name` */
	enum scrub_class all;  /* of everything up to the end of depth `depth_all` */
	size_t depth, depth_all;
	bool named;       /* the last key is `name` */
	bool distributed; /* the members of distributedInfo, of which only known ones stay */
};

static void begin_value(const struct scrub *s, struct scrub_walk *w, struct str key)
{
	static const char *const known[] = {
	    "backend", "rank", "world_size", "pg_count", "pg_config", "nccl_version", NULL};

	w->named = is_one_of(key, (const char *const[]){"name", "key", "variable", NULL});
	w->key = str_eq(key, STR("value")) ? w->pair : class_of(s, key);
	if (w->distributed && w->depth == 1 && !str_in(key, known))
		w->key = SCRUB_ENVIRONMENT;
}

static enum scrub_class class_now(const struct scrub_walk *w)
{
	return w->all != SCRUB_PLAIN ? w->all : w->key;
}

/* A key, which ends with a colon, or a string value. */
static void walk_string(struct scrub *s, struct scrub_walk *w, struct str string, bool is_key)
{
	enum scrub_class class = class_now(w);

	if (is_key) {
		put_string(s, string, SCRUB_PLAIN);
		begin_value(s, w, decode(s, json_inner(string)));
		s->next = SCRUB_PLAIN;
		return;
	}
	if (class == SCRUB_PLAIN) {
		class = s->next;
		if (w->named)
			w->pair = class_of(s, decode(s, json_inner(string)));
	}
	s->next = SCRUB_PLAIN;
	put_string(s, string, class);
}

static void walk_bracket(struct scrub *s, struct scrub_walk *w, char c)
{
	buf_char(&s->out, c);
	s->next = SCRUB_PLAIN;
	if (c == '{' || c == '[') {
		w->depth++;
		if (w->all == SCRUB_PLAIN && w->key != SCRUB_PLAIN) {
			w->all = w->key;
			w->depth_all = w->depth;
		}
	} else {
		if (w->depth-- == w->depth_all)
			w->all = SCRUB_PLAIN;
	}
	w->key = SCRUB_PLAIN;
	w->named = false;
}

/* A number or a word. Numbers are removed where they may be a secret: an environment variable, a password. */
static size_t walk_scalar(struct scrub *s, const struct scrub_walk *w, struct str json)
{
	const struct str scalar = str_first(json, is_name_char);
	const enum scrub_class class = class_now(w);

	if (scalar.n && !is_letter(scalar.p[0]) && (class == SCRUB_ENVIRONMENT || class == SCRUB_SECRET)) {
		buf_lit(&s->out, "\"" REMOVED "\"");
		s->removed[class]++;
		return scalar.n;
	}
	buf_add(&s->out, json.p, scalar.n ? scalar.n : 1);
	return scalar.n ? scalar.n : 1;
}

/* Appends valid JSON, or the attachments of a record, scrubbed. */
static void scrub_json(struct scrub *s, struct scrub_walk w, struct str json)
{
	struct str rest, after;

	s->next = SCRUB_PLAIN;
	for (rest = json; rest.n;) {
		if (rest.p[0] == '"') {
			after = str_from(rest, string_length(rest));
			walk_string(s, &w, str_head(rest, rest.n - after.n),
			    char_at(after, str_first(after, is_json_space).n) == ':');
			rest = after;
		} else if (strchr("{}[]", rest.p[0])) {
			walk_bracket(s, &w, rest.p[0]);
			rest = str_from(rest, 1);
		} else {
			rest = str_from(rest, walk_scalar(s, &w, rest));
		}
	}
}

/* --- records */

/* Returns how the value of a member of the record is scrubbed: by the record's name, for metadata. */
static struct scrub_walk begin_member(
    const struct scrub *s, const struct event *e, struct str name, enum event_member m)
{
	struct scrub_walk w = {0};

	if (!s->meta)
		return w;
	w.distributed = str_eq(name, STR("distributedInfo"));
	if (m == EVENT_ARGS || m == EVENT_SRC) {
		w.all = w.distributed ? SCRUB_PLAIN : class_of(s, name);
		/* The tables of nsys are records with the name and the value of a row. */
		if (event_has(e, EVENT_CAT) && json_is_string(e->m[EVENT_CAT]) &&
		    class_of(s, json_inner(e->m[EVENT_CAT])) == SCRUB_ENVIRONMENT)
			w.pair = SCRUB_ENVIRONMENT;
	} else if (m == EVENT_NAME && s->hosts && event_has(e, EVENT_CAT) &&
		   str_eq(e->m[EVENT_CAT], STR("\"metadata\""))) {
		w.all = SCRUB_HOST; /* rocprof: the name of the record of a process is its host */
	}
	return w;
}

static void count_removed(const struct scrub *s, struct diagnostics *d, struct fault_location at)
{
	static const char *const texts[SCRUB_N] = {[SCRUB_ENVIRONMENT] = "value of an environment variable removed",
	    [SCRUB_SECRET] = "password, key or token removed",
	    [SCRUB_TOKEN] = "password, key or token removed",
	    [SCRUB_USER] = "name of a user or home folder removed",
	    [SCRUB_HOST] = "name of a host removed"};
	size_t i;

	for (i = 0; i < SCRUB_N; i++) {
		if (s->removed[i])
			diagnostics_add_many(d, DIAGNOSTICS_NOTE, texts[i], at, s->removed[i]);
	}
}

void scrub_apply(
    struct scrub *s, enum scrub_level level, struct event *e, struct diagnostics *d, struct fault_location at)
{
	size_t begin[EVENT_N + 2];
	enum event_member i;
	struct str name = {NULL, 0}, *member;

	s->meta = event_get_kind(e) == KIND_META;
	s->hosts = level == SCRUB_HOSTS;
	memset(s->removed, 0, sizeof s->removed);
	s->out.n = 0;
	if (event_has(e, EVENT_NAME) && json_is_string(e->m[EVENT_NAME]))
		name = json_inner(e->m[EVENT_NAME]);
	for (i = 0; i <= EVENT_N; i++) {
		begin[i] = s->out.n;
		member = i < EVENT_N ? &e->m[i] : &e->attachments;
		if (i == EVENT_N || (event_has(e, i) && i != EVENT_TS && i != EVENT_DUR && i != EVENT_KIND))
			scrub_json(s, begin_member(s, e, name, i), *member);
	}
	begin[i] = s->out.n;
	for (i = 0; i <= EVENT_N; i++) { /* the buffer no longer moves */
		member = i < EVENT_N ? &e->m[i] : &e->attachments;
		if (begin[i + 1] > begin[i])
			*member = (struct str){s->out.p + begin[i], begin[i + 1] - begin[i]};
	}
	count_removed(s, d, at);
}

void scrub_free(struct scrub *s)
{
	bufs_free(&s->out, &s->decoded, &s->clean);
}

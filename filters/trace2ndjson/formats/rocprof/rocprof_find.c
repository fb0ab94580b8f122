#include "rocprof_json.h"

#include "base/char_class.h"

enum rocprof_section rocprof_section_of(struct str key)
{
	static const struct {
		struct str key;
		enum rocprof_section section;
	} arrays[] = {
	    {ROCPROF_TEXT("rocprofiler-sdk-tool"), ROCPROF_SECTION_PROCESSES},
	    {ROCPROF_TEXT("agents"), ROCPROF_SECTION_AGENTS},
	    {ROCPROF_TEXT("counters"), ROCPROF_SECTION_COUNTERS},
	    {ROCPROF_TEXT("buffer_records"), ROCPROF_SECTION_KINDS},
	    {ROCPROF_TEXT("marker_api"), ROCPROF_SECTION_MESSAGES},
	    {ROCPROF_TEXT("pc_sample_instructions"), ROCPROF_SECTION_INSTRUCTIONS},
	    {ROCPROF_TEXT("pc_sample_comments"), ROCPROF_SECTION_COMMENTS},
	    {ROCPROF_TEXT("kernel_symbols"), ROCPROF_SECTION_KERNELS},
	};
	size_t i;

	for (i = 0; i < sizeof arrays / sizeof *arrays; i++) {
		if (str_eq(arrays[i].key, key))
			return arrays[i].section;
	}
	return ROCPROF_SECTION_EVENTS;
}

static bool is_element(struct str s)
{
	static const struct str firsts[] = {ROCPROF_TEXT("\"size\""), ROCPROF_TEXT("\"kind\""), ROCPROF_TEXT("\"key\""),
	    ROCPROF_TEXT("\"thread_id\""), ROCPROF_TEXT("\"record\""), ROCPROF_TEXT("\"agent_id\"")};
	size_t i;

	s = str_trim(str_from(s, 1));
	for (i = 0; i < sizeof firsts / sizeof *firsts; i++) {
		if (str_starts(s, firsts[i]))
			return true;
	}
	return false;
}

/* Returns the text before `at` without the white space at its end. */
static struct str before(struct str s, size_t at)
{
	while (at && is_json_space(s.p[at - 1]))
		at--;
	return str_head(s, at);
}

/* Returns the name of the array whose bracket ends the text; p is NULL when it has none. */
static struct str name_of_array(struct str s)
{
	const struct str none = {NULL, 0};
	size_t begin;

	s = before(s, s.n - 1);
	if (!str_ends(s, STR(":")))
		return none;
	s = before(s, s.n - 1);
	if (!str_ends(s, STR("\"")))
		return none;
	for (begin = s.n - 1; begin && s.p[begin - 1] != '"'; begin--)
		;
	return begin ? (struct str){s.p + begin, s.n - 1 - begin} : none;
}

size_t rocprof_find_element(struct str s, size_t from, enum rocprof_section *section)
{
	struct str earlier, name;
	const char *brace;

	while (from < s.n && (brace = memchr(s.p + from, '{', s.n - from))) {
		from = (size_t)(brace - s.p);
		earlier = before(s, from);
		if ((str_ends(earlier, STR(",")) || str_ends(earlier, STR("["))) && is_element(str_from(s, from))) {
			name = str_ends(earlier, STR("[")) ? name_of_array(earlier) : (struct str){NULL, 0};
			if (name.p)
				*section = rocprof_section_of(name);
			return from;
		}
		from++;
	}
	return s.n;
}

/* char_class: classes of ASCII characters, independent of the locale. Bytes above 0x7f belong to no class. */
#ifndef CHAR_CLASS_H
#define CHAR_CLASS_H

#include <stdbool.h>

static inline bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static inline bool is_upper(char c)
{
	return (unsigned char)(c - 'A') < 26;
}

static inline char to_lower(char c)
{
	return is_upper(c) ? (char)(c | 0x20) : c;
}

static inline bool is_letter(char c)
{
	return (unsigned char)((c | 0x20) - 'a') < 26;
}

static inline bool is_alphanumeric(char c)
{
	return is_letter(c) || is_digit(c);
}

/* A letter, a digit, _ or a byte of a character beyond ASCII: these need no quotes in the names of expressions. */
static inline bool is_name_byte(char c)
{
	return is_alphanumeric(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Space or tab. */
static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Returns whether c is white space by JSON's grammar: a space, tab, newline or CR. */
static inline bool is_json_space(char c)
{
	return is_blank(c) || c == '\n' || c == '\r';
}

static inline bool is_control(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f;
}

/* Returns the value of a hexadecimal digit (upper or lower case), or -1 for any other character. */
static inline int hex_value(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static inline bool is_hex_digit(char c)
{
	return hex_value(c) >= 0;
}

#endif

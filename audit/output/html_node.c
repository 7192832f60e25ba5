/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Elements, texts and what is drawn in several places of the page.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "text.h"

mxml_node_t *html_add(mxml_node_t *parent, const char *name, const char *class)
{
	mxml_node_t *node = text_memory(mxmlNewElement(parent, name));

	if (class)
		mxmlElementSetAttr(node, "class", class);
	return node;
}

static void say(mxml_node_t *node, const char *format, va_list args)
{
	char *text = text_vprintf(format, args);

	text_memory(mxmlNewOpaque(node, text));
	free(text);
}

mxml_node_t *html_add_text(mxml_node_t *parent, const char *name, const char *class,
			   const char *format, ...)
{
	mxml_node_t *node = html_add(parent, name, class);
	va_list args;

	va_start(args, format);
	say(node, format, args);
	va_end(args);
	return node;
}

void html_say(mxml_node_t *node, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(node, format, args);
	va_end(args);
}

void html_set(mxml_node_t *node, const char *attribute, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = text_vprintf(format, args);
	va_end(args);
	mxmlElementSetAttr(node, attribute, text);
	free(text);
}

struct html_look html_look(enum verdict verdict)
{
	/* Signs of Latin-1 and its neighbourhood, which every font has */
	static const struct html_look looks[] = {
		[VERDICT_OK] = {"ok", "\u2022", "as it is to be"},
		[VERDICT_STRONGER] = {"stronger", "+", "met by something that protects more"},
		[VERDICT_WEAKER] = {"weaker", "\u00b1", "only a part of it"},
		[VERDICT_FAIL] = {"fail", "\u00d7", "not so"},
		[VERDICT_NA] = {"na", "\u2013", "cannot apply to this kernel"},
		[VERDICT_UNKNOWN] = {"unknown", "?", "could not be read"},
		[VERDICT_WAIVED] = {"waived", "w", "somebody answers for it"},
	};

	return looks[verdict];
}

mxml_node_t *html_badge(mxml_node_t *parent, enum verdict verdict)
{
	mxml_node_t *badge = html_add(parent, "span", "badge");

	html_set(badge, "class", "badge %s", html_look(verdict).class);
	html_say(badge, "%s", html_look(verdict).sign);
	return badge;
}

mxml_node_t *html_letter(mxml_node_t *parent, const struct matrix *matrix, size_t column)
{
	char letter[MATRIX_LETTERS];
	mxml_node_t *node;

	matrix_letter(column, letter);
	node = html_add_text(parent, "b", "letter", "%s", letter);
	html_set(node, "title", "%s, %s", matrix->names[column], matrix->audits[column].source);
	return node;
}

char *html_area(const struct entry *entry)
{
	const char *slash = strrchr(entry->where, '/');
	const char *name = slash ? slash + 1 : entry->where;
	char *area = text_printf("%.*s", (int)strcspn(name, ".:"), name);

	for (char *at = area; (at = strchr(at, '-'));)
		*at = ' ';
	return area;
}

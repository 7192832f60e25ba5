/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Strings that anybody's terminal, log or JSON parser can take.
 */
#ifndef PROBES_TEXT_H
#define PROBES_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/*
 * A printf into memory that is the caller's, as one line of UTF-8: line breaks and
 * tabs become spaces, control characters and bytes that are no UTF-8 become \xNN.
 * Running out of memory ends the program with status 2.
 */
char *text_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_vprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/*
 * Two texts made by malloc as one, with the separator between them; before may be NULL,
 * for the first. Both are freed.
 */
char *text_joined(char *before, const char *separator, char *more);

/* No more digits than a measurement has; counts are exact. */
#define TEXT_NUMBER_SIZE 400 /* the largest double has 309 digits */
void text_number(double value, char text[TEXT_NUMBER_SIZE]);

/* How many characters there are in the first size bytes of UTF-8. */
size_t text_width(const char *text, size_t size);

/* NULL says that there is no memory: a message, and exit status 2. */
void *text_memory(void *memory);

#endif

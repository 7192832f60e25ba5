/* SPDX-License-Identifier: GPL-2.0-only */
/* The frame of a probe: its options, where its report goes, and its exit status. */
#include <fcntl.h>
#include <pty.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "printed.h"

#include "lib/probe.h"

#define RAN "the probe ran\n"

static enum verdict finding; /* of the fake probe */

/* Says on stderr that it ran, and in its report how. */
static void run(struct report *report, const struct settings *settings)
{
	(void)!write(STDERR_FILENO, RAN, strlen(RAN));
	if (!report->fact_count)
		report_add(report, "check", "facts", VERDICT_FAIL, "there are none");
	report_add(report, "check", "fake", finding, "%s", "so long a reason that it must break");
	report_fact(report, "fact", "of a length that leaves no room");
	report_say(report, "quick is %d", settings->quick);
	for (char **word = settings->command; word && *word; word++)
		report_say(report, "word %s", *word);
}

static const struct probe plain = {.name = "plain", .summary = "Is plain.", .run = run};
static const struct probe nested = {
	.name = "nested",
	.summary = "Has one more.",
	.inside = "do it under a command",
	.run = run,
};

enum { TO_FILE = -1, CLOSED = -2 };

/* How the probe ended, and what it wrote to its outputs. */
struct end {
	int status; /* or 128 and the signal */
	char out[8192];
	char err[8192];
};

static int status_of(pid_t child)
{
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* In a child: words that are separated by spaces are the command line. */
static void become(const struct probe *probe, const char *line)
{
	char *words[16] = {NULL}, *copy = strdup(line), *rest;
	int count = 0;

	for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		words[count++] = word;
	_exit(probe_main(probe, count, words));
}

static void read_back(int fd, char *text, size_t size)
{
	ssize_t length = pread(fd, text, size - 1, 0);

	assert_true(length >= 0);
	text[length] = '\0';
	close(fd);
}

/* out: TO_FILE, which is read, or CLOSED, or a descriptor. */
static struct end run_with(const struct probe *probe, const char *line, int out)
{
	int file = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC);
	struct end end;
	pid_t child = fork();

	assert_true(file >= 0 && err >= 0 && child >= 0);
	if (!child) {
		dup2(err, STDERR_FILENO);
		if (out == CLOSED)
			close(STDOUT_FILENO);
		else
			dup2(out == TO_FILE ? file : out, STDOUT_FILENO);
		become(probe, line);
	}
	end.status = status_of(child);
	read_back(file, end.out, sizeof(end.out));
	read_back(err, end.err, sizeof(end.err));
	return end;
}

/* On a terminal that is 40 characters wide. */
static struct end run_on_terminal(const char *line)
{
	const struct winsize size = {.ws_row = 24, .ws_col = 40};
	struct end end = {0};
	size_t length = 0;
	ssize_t got;
	int terminal;
	pid_t child = forkpty(&terminal, NULL, NULL, &size);

	assert_true(child >= 0);
	if (!child)
		become(&plain, line);
	/* EIO is how a terminal ends. */
	while ((got = read(terminal, end.out + length, sizeof(end.out) - 1 - length)) > 0)
		length += (size_t)got;
	close(terminal);
	end.status = status_of(child);
	return end;
}

static void assert_json(const char *text)
{
	assert_int_equal(strncmp(text, "{\n  \"probe\": ", 13), 0);
	assert_string_equal(text + strlen(text) - 2, "}\n");
}

static void assert_ktap(const char *text)
{
	assert_int_equal(strncmp(text, "KTAP version 1\n1..1\n", 20), 0);
}

static void test_ktap_is_the_default(void **state)
{
	struct end end = run_with(&plain, "./plain", TO_FILE);

	(void)state;
	assert_int_equal(end.status, 0);
	assert_ktap(end.out);
	assert_has(end.out, "\n# kernel: ");
	assert_has(end.out, "\n# quick is 0\n");
	assert_string_equal(end.err, RAN);
	assert_ktap(run_with(&plain, "./plain --ktap", TO_FILE).out);
}

static void test_json_alone(void **state)
{
	static const char *const lines[] = {"p --json", "p --json=-", "p --json=/dev/stdout"};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct end end = run_with(&plain, lines[i], TO_FILE);

		assert_int_equal(end.status, 0);
		assert_json(end.out);
		assert_string_equal(end.err, RAN);
	}
}

static void test_json_beside(void **state)
{
	char text[8192], line[64], path[] = "/tmp/test_options.XXXXXX";
	int fd = mkstemp(path);
	struct end end;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	snprintf(line, sizeof(line), "p --ktap --json=%s", path);
	end = run_with(&plain, line, TO_FILE);
	fd = open(path, O_RDONLY);
	read_back(fd, text, sizeof(text));
	unlink(path);
	assert_int_equal(end.status, 0);
	assert_ktap(end.out);
	assert_json(text);
}

/* stdout goes to a file, which is FILE, too: then it holds JSON, and nothing else. */
static void test_json_file_is_stdout(void **state)
{
	char text[8192], line[64], path[] = "/tmp/test_options.XXXXXX";
	int fd = mkstemp(path);
	struct end end;

	(void)state;
	snprintf(line, sizeof(line), "p --json=%s", path);
	end = run_with(&plain, line, fd);
	unlink(path);
	read_back(fd, text, sizeof(text));
	assert_int_equal(end.status, 0);
	assert_json(text);
}

static void test_quick(void **state)
{
	(void)state;
	assert_has(run_with(&plain, "p --quick", TO_FILE).out, "\n# quick is 1\n");
}

static void test_inside_takes_the_rest(void **state)
{
	struct end end = run_with(&nested, "p --quick --inside sh -c true --json", TO_FILE);

	(void)state;
	assert_int_equal(end.status, 0);
	assert_ktap(end.out);
	assert_has(end.out, "\n# quick is 1\n# word sh\n# word -c\n# word true\n# word --json\n# ");
}

/* A command line that is wrong, and what is said of it. */
static const struct wrong {
	const struct probe *probe;
	const char *line, *message;
} wrong[] = {
	{&plain, "p --jtag", "unrecognized option '--jtag'"},
	{&plain, "p -x", "invalid option -- 'x'"},
	{&plain, "p --quick=1", "doesn't allow an argument"},
	{&plain, "p now", "'now' is no option"},
	{&plain, "p now --json", "'now' is no option"},
	{&plain, "p --ktap --json", "both want standard output"},
	{&plain, "p --json --ktap", "--ktap --json=FILE"},
	{&plain, "p --inside true", "unrecognized option '--inside'"},
	{&nested, "p --inside", "--inside needs a command"},
	{&plain, "p --json=", "cannot write '': No such file or directory"},
	{&plain, "p --json=/nowhere/x", "cannot write '/nowhere/x': No such file or directory; "},
	{&plain, "p --json=/tmp", "cannot write '/tmp': Is a directory"},
};

static void test_wrong_command_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct end end = run_with(wrong[i].probe, wrong[i].line, TO_FILE);

		assert_int_equal(end.status, 2);
		assert_has(end.err, wrong[i].message);
		assert_has_not(end.err, RAN);
		assert_string_equal(end.out, "");
	}
}

static void test_help(void **state)
{
	struct end end = run_with(&nested, "p --help", TO_FILE);
	static const char *const parts[] = {
		"Usage: nested [OPTION]...\n",
		"Has one more.\n",
		"--json=FILE",
		"--ktap",
		"--quick",
		"--inside COMMAND [ARG]...",
		"do it under a command\n",
		"Exit status:\n  0",
		"\n  4 ",
	};

	(void)state;
	assert_int_equal(end.status, 0);
	assert_string_equal(end.err, "");
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		assert_has(end.out, parts[i]);
	assert_has_not(run_with(&plain, "p --help", TO_FILE).out, "inside");
}

static void test_exit_status(void **state)
{
	static const struct {
		enum verdict verdict;
		int status;
	} rules[] = {
		{VERDICT_OK, 0}, {VERDICT_WEAKER, 1},  {VERDICT_FAIL, 1},
		{VERDICT_NA, 4}, {VERDICT_UNKNOWN, 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		finding = rules[i].verdict;
		assert_int_equal(run_with(&plain, "p", TO_FILE).status, rules[i].status);
		assert_int_equal(run_with(&plain, "p --json", TO_FILE).status, rules[i].status);
	}
	finding = VERDICT_OK;
}

/* Options, and where they send what to. */
static void test_output_that_fails(void **state)
{
	static const char *const lines[] = {"p", "p --json", "p --help"};
	int ends[2], full = open("/dev/full", O_WRONLY);

	(void)state;
	assert_true(full >= 0);
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	for (size_t i = 0; i < 3; i++) {
		struct end end = run_with(&plain, lines[i], full);

		assert_int_equal(end.status, 2);
		assert_has(end.err, "cannot write to standard output: No space left on device");
	}
	for (size_t i = 0; i < 2; i++) {
		struct end end = run_with(&plain, lines[i], ends[1]);

		assert_int_equal(end.status, 2);
		assert_has(end.err, "cannot write to standard output: Broken pipe");
	}
	close(full);
	close(ends[1]);
}

static void test_closed_output(void **state)
{
	struct end end = run_with(&plain, "p", CLOSED);

	(void)state;
	assert_int_equal(end.status, 2);
	assert_has(end.err, "cannot write to standard output: Bad file descriptor");
	assert_has_not(end.err, RAN);
}

/* What fails is the file, and the report is printed nevertheless. */
static void test_json_file_that_fails(void **state)
{
	struct end end = run_with(&plain, "p --json=/dev/full", TO_FILE);

	(void)state;
	assert_int_equal(end.status, 2);
	assert_has(end.err, "cannot write '/dev/full': No space left on device");
	assert_ktap(end.out);
}

static void test_terminal_gets_a_table(void **state)
{
	struct end end;

	(void)state;
	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	end = run_on_terminal("p");
	assert_int_equal(end.status, 0);
	assert_has(end.out, "\033[1mplain\033[0m: \033[32mok\033[0m (1 ok)\r\n");
	assert_has(end.out,
		   "fake   \033[32mok\033[0m\r\n    so long a reason that it must break\r\n");
	assert_has_not(end.out, "KTAP");
	assert_has(end.out, ";\r\n  fact of a length that leaves no room\r\n");
	assert_has(run_on_terminal("p --ktap").out, "KTAP version 1\r\n");
	assert_has(run_on_terminal("p --json").out, "{\r\n  \"probe\": \"plain\"");
}

static void test_no_colour(void **state)
{
	(void)state;
	setenv("TERM", "xterm", 1);
	setenv("NO_COLOR", "1", 1);
	assert_has(run_on_terminal("p").out, "plain: ok (1 ok)\r\n");
	setenv("NO_COLOR", "", 1);
	assert_has(run_on_terminal("p").out, "\033[32mok");
	setenv("TERM", "dumb", 1);
	assert_has(run_on_terminal("p").out, "plain: ok (1 ok)\r\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ktap_is_the_default),
		cmocka_unit_test(test_json_alone),
		cmocka_unit_test(test_json_beside),
		cmocka_unit_test(test_json_file_is_stdout),
		cmocka_unit_test(test_quick),
		cmocka_unit_test(test_inside_takes_the_rest),
		cmocka_unit_test(test_wrong_command_lines),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_exit_status),
		cmocka_unit_test(test_output_that_fails),
		cmocka_unit_test(test_closed_output),
		cmocka_unit_test_setup_teardown(test_json_file_that_fails, become_ordinary,
						become_root_again),
		cmocka_unit_test(test_terminal_gets_a_table),
		cmocka_unit_test(test_no_colour),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

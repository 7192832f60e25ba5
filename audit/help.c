/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of --help.
 */
#include "level.h"
#include "options.h"

void options_help(FILE *out)
{
	fputs("Usage: hardened-audit [OPTION]... [FILE]...\n"
	      "Compare kernels with the catalogue of hardenedconfig: what is set, and what is "
	      "not.\n"
	      "\n"
	      "FILE is a kernel's .config (plain or compressed), an image with one in it, or a "
	      "package\n"
	      "(.deb, .rpm, tar); - is standard input. Without FILE, the running system is "
	      "audited.\n"
	      "\n"
	      "What is audited:\n"
	      "  --level LEVEL        low, medium, high or extreme (default: what " LEVEL_FILE "\n"
	      "                       says, or else low)\n"
	      "  --cmdline FILE       the kernel's command line, as in /proc/cmdline\n"
	      "  --sysctl FILE        its sysctls, as `sysctl -a` prints them\n"
	      "  --root DIR           the kernels of the system in DIR\n"
	      "  --files-from LIST    FILEs, too, one a line or ended by NULs; - is standard "
	      "input\n"
	      "  --waivers FILE       what somebody answers for: setting, reason, owner, expiry "
	      "date\n"
	      "  --jobs N             so many FILEs at a time (default: one per CPU)\n"
	      "\n"
	      "How it is shown:\n"
	      "  --format FORMAT      table, json, csv, ktap, junit, sarif, prometheus or html\n"
	      "  --json, --html       short for --format json, --format html\n"
	      "  --compare            kernels beside each other (table, json, csv, html)\n"
	      "  --only VERDICT,...   of ok, stronger, weaker, fail, n/a, unknown, waived (table, "
	      "csv)\n"
	      "  --order ORDER        catalogue, menu (as in the config) or level\n"
	      "  --colour WHEN        auto, always or never\n"
	      "  --output FILE        replace FILE in one step, instead of standard output\n"
	      "\n"
	      "  --help, --version\n"
	      "\n"
	      "Exit status:\n"
	      "  0  the level is met\n"
	      "  1  it is not: something fails or is weaker than asked\n"
	      "  2  that could not be told; also a wrong command line, or output that cannot be\n"
	      "     written. Of several inputs the worst counts, and 2 is worse than 1.\n",
	      out);
}

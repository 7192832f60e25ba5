# SPDX-License-Identifier: GPL-2.0-only
"""What goes wrong for reasons that the user can mend."""


class UserError(Exception):
    """A mistake or fault outside this program.

    The message is all that the user sees, so it names the file (and line), the
    cause and, where that is not obvious, what to do next.  Exit code 2.
    """

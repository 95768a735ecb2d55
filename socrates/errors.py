"""What goes wrong on the user's side, said in one line that tells the way out."""


class SocratesError(Exception):
    """A mistake that the user can mend: a flag, a setting, a file.

    The command line prints the message after ``socrates: error:`` and exits with 2. The message
    is one line, names the file, flag or key, and says what to do instead.
    """

"""What the workers raise.

WorkerError
├── SettingsError     an environment variable is missing or wrong; the sentence names it
├── SupersededError   the ladder gave the attempt to somebody else: drop it
├── LadderError       the ladder could not be reached, or gave an answer that makes no sense
└── ArtefactError     a program's files did not come, or are not what their digest says
"""


class WorkerError(Exception):
    """Base of every error that workers raise. `code` is a key of the catalogue of messages."""

    code = "platform_stall"


class SettingsError(WorkerError):
    """An environment variable is missing or wrong."""


class SupersededError(WorkerError):
    """This attempt is over: somebody else plays, or has played, its match."""


class LadderError(WorkerError):
    """No answer from the ladder in time, or none that can be read."""


class ArtefactError(WorkerError):
    """The files of a program did not come, or are not the ones that were promised."""

    code = "artefact_missing"

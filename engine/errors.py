"""What the engine raises.

EngineError
├── OptionError        a game was asked for with options that it does not have
├── InvalidMoveError   no position of this game could accept the move
├── IllegalMoveError   well formed, but not allowed in this position
└── RecordError        a record that does not prove its match; `code` says why
"""


class EngineError(Exception):
    """Base of every error the engine raises."""


class OptionError(EngineError, ValueError):
    """The game, its mode, its number of seats or one of its options does not exist."""


class InvalidMoveError(EngineError, ValueError):
    """The move is malformed: no position of this game could accept it."""


class IllegalMoveError(EngineError, ValueError):
    """The move is well formed, but not allowed in this position."""


class RecordError(EngineError, ValueError):
    """The record is malformed, or does not prove its match.

    `code` is one of: malformed, unknown_game, rules_version, options, digest, commitment,
    chance, illegal_action, unfinished, trailing_actions, faults, scores, ranks.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

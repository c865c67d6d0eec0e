"""What can go wrong while starting servers, said to whoever typed the command."""


class EmbeddedError(Exception):
    """A server could not be found or started. `code` is stable; the text says what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

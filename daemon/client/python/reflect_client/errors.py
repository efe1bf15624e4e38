from __future__ import annotations

from typing import Optional


class ReflectError(Exception):
    """The daemon refused a request or does not answer. `code` is for programs, the message for people."""

    def __init__(self, code: str, message: str, detail: Optional[str] = None) -> None:
        super().__init__(message)
        self.code = code
        self.detail = detail

"""Memories for agents written in Python, from the Reflect daemon on this machine."""

from .client import ReflectClient
from .decorator import reflect_trace
from .errors import ReflectError
from .models import AugmentedTask, Memory, Review, Trace
from .run import Run

__all__ = [
    "AugmentedTask",
    "Memory",
    "ReflectClient",
    "ReflectError",
    "Review",
    "Run",
    "Trace",
    "reflect_trace",
]

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from typing import Any, Dict, List, Mapping, Optional, Type, TypeVar

_T = TypeVar("_T")


def from_json(cls: Type[_T], answer: Mapping[str, Any]) -> _T:
    """Builds a dataclass from an answer. Fields that a newer daemon adds are ignored."""
    known = {each.name for each in fields(cls)}  # type: ignore[arg-type]
    snake = {re.sub(r"([A-Z])", r"_\1", name).lower(): value for name, value in answer.items()}
    return cls(**{name: value for name, value in snake.items() if name in known})


@dataclass(frozen=True)
class Memory:
    """A lesson of a past task. Pass its id as one of `retrieved_memory_ids` when you create a trace."""

    id: str
    task: str
    reflection: str
    q_value: float
    similarity: float
    score: float
    success: Optional[bool] = None
    summary: str = ""
    key_mistake: str = ""
    correct_action: str = ""
    applicable_tools: List[str] = field(default_factory=list)
    guidance: str = ""
    tools_used: List[str] = field(default_factory=list)
    metadata: Dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class AugmentedTask:
    """A task followed by its memories, as a prompt for a model; without memories, the task alone."""

    augmented_task: str
    memories: List[Memory]


@dataclass(frozen=True)
class Trace:
    """A recorded run. `memory_id` is the lesson written from it; None before its review, or while a model still writes."""

    id: str
    task: str
    final_response: str
    retrieved_memory_ids: List[str]
    tools_used: List[str]
    metadata: Dict[str, Any]
    result: Optional[str] = None
    feedback: str = ""
    memory_id: Optional[str] = None
    problem: str = ""


@dataclass(frozen=True)
class Review:
    """One step in the utility of a memory."""

    id: int
    learning_id: str
    source: str
    result: str
    alpha: float
    q_before: float
    q_after: float
    reason: str

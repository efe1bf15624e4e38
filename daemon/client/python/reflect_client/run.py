from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional

from .models import AugmentedTask, Memory

Message = Mapping[str, Any]


class Run:
    """A traced run: its prompt and memories, and what it reports back."""

    def __init__(self, task: str, augmented: AugmentedTask) -> None:
        self.task = task
        self.augmented_task = augmented.augmented_task
        self.memories: List[Memory] = augmented.memories
        self._trajectory: List[Message] = []
        self._final_response = ""
        self._review: Optional[Dict[str, Any]] = None

    def record(self, *messages: Message) -> None:
        """Adds messages to the trajectory, as the provider of the model writes them."""
        self._trajectory.extend(messages)

    def respond(self, text: str) -> None:
        """Sets the final answer."""
        self._final_response = text

    def passed(self, feedback: str = "", alpha: Optional[float] = None) -> None:
        """The task was done as it should be."""
        self._judge("pass", feedback, alpha)

    def failed(self, feedback: str = "", alpha: Optional[float] = None) -> None:
        """The task was not done, or had to be corrected."""
        self._judge("fail", feedback, alpha)

    def _judge(self, result: str, feedback: str, alpha: Optional[float]) -> None:
        self._review = {"result": result, "feedback": feedback}
        if alpha is not None:
            self._review["alpha"] = alpha

    def finished(self) -> Dict[str, Any]:
        """The input of `traces.create`."""
        trace: Dict[str, Any] = {
            "task": self.task,
            "trajectory": list(self._trajectory),
            "finalResponse": self._final_response,
            "retrievedMemoryIds": [memory.id for memory in self.memories],
        }
        if self._review is not None:
            trace["review"] = self._review
        return trace

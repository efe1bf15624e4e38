from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from .errors import ReflectError
from .models import AugmentedTask, Memory, Review, Trace, from_json
from .run import Message, Run
from .transport import Transport

Metadata = Mapping[str, Any]


class ReflectClient:
    """Memories for an agent written in Python.

    Memories belong to a project: by default the one of the current folder, otherwise that of `cwd`, or `project` by its id.
    """

    def __init__(
        self,
        *,
        home: Optional[Union[str, Path]] = None,
        cwd: Optional[Union[str, Path]] = None,
        project: Optional[str] = None,
        timeout: float = 60.0,
    ) -> None:
        self._transport = Transport(home, timeout)
        self._place: Dict[str, str] = {"project": project} if project else {"cwd": str(cwd or os.getcwd())}

    def call(self, method: str, **params: Any) -> Any:
        """Calls any method of the daemon; `docs/protocol.md` and `reflect schema` describe them."""
        return self._transport.call(method, params)

    def query_memories(
        self,
        task: str,
        *,
        limit: int = 10,
        lambda_: float = 0.5,
        mmr_lambda: float = 0.7,
        metadata_filter: Optional[Metadata] = None,
        similarity_threshold: Optional[float] = None,
    ) -> List[Memory]:
        """Finds memories of similar tasks, ranked by similarity and utility."""
        query = _query(task, limit, lambda_, mmr_lambda, metadata_filter, similarity_threshold)
        return _memories(self.call("memories.query", **self._place, **query))

    def augment_with_memories(
        self,
        task: str,
        *,
        limit: int = 10,
        lambda_: float = 0.5,
        mmr_lambda: float = 0.7,
        metadata_filter: Optional[Metadata] = None,
        similarity_threshold: Optional[float] = None,
    ) -> AugmentedTask:
        """Returns the task with its memories as one prompt; the task alone when there are none."""
        query = _query(task, limit, lambda_, mmr_lambda, metadata_filter, similarity_threshold)
        answer = self.call("memories.augment", **self._place, **query)
        return AugmentedTask(answer["augmentedTask"], _memories(answer))

    def create_memory(
        self,
        task: str,
        *,
        result: str,
        summary: str,
        guidance: str,
        key_mistake: str = "",
        correct_action: str = "",
        applicable_tools: Sequence[str] = (),
        tools_used: Sequence[str] = (),
        metadata: Optional[Metadata] = None,
    ) -> Memory:
        """Saves a lesson in the agent's own words. `result` is "pass" or "fail"."""
        answer = self.call(
            "memories.create",
            **self._place,
            task=task,
            result=result,
            summary=summary,
            guidance=guidance,
            key_mistake=key_mistake,
            correct_action=correct_action,
            applicable_tools=list(applicable_tools),
            tools_used=list(tools_used),
            metadata=dict(metadata or {}),
        )
        return from_json(Memory, answer["memory"])

    def create_trace(
        self,
        task: str,
        *,
        trajectory: Sequence[Message] = (),
        final_response: str = "",
        retrieved_memory_ids: Sequence[str] = (),
        review_result: Optional[str] = None,
        feedback: str = "",
        alpha: Optional[float] = None,
        metadata: Optional[Metadata] = None,
    ) -> Trace:
        """Records a run. With `review_result` ("pass" or "fail") it is reviewed at once."""
        if review_result is None and (feedback or alpha is not None):
            raise ValueError("feedback and alpha belong to a review: pass review_result too")
        review = None if review_result is None else _review(review_result, feedback, alpha)
        answer = self.call(
            "traces.create",
            **self._place,
            task=task,
            trajectory=list(trajectory),
            final_response=final_response,
            retrieved_memory_ids=list(retrieved_memory_ids),
            metadata=dict(metadata or {}),
            **({} if review is None else {"review": review}),
        )
        return from_json(Trace, answer["trace"])

    def review_trace(
        self, trace_id: str, result: str, *, feedback: str = "", alpha: Optional[float] = None
    ) -> Trace:
        """Reviews a run: the memories it used gain or lose utility, and a lesson is written from it."""
        answer = self.call("traces.review", id=trace_id, **_review(result, feedback, alpha))
        return from_json(Trace, answer["trace"])

    def memory_history(self, memory_id: str) -> List[Review]:
        """Returns the reviews behind the utility of a memory, oldest first."""
        return [from_json(Review, each) for each in self.call("memories.history", id=memory_id)]

    @contextmanager
    def trace(self, task: str, *, metadata: Optional[Metadata] = None, **query: Any) -> Iterator[Run]:
        """Runs a block with its memories and records it as a trace, with the ids of those memories.

        A block that raises is recorded as failed, and the exception goes on. A block that calls neither `passed` nor
        `failed` is recorded without a review. `query` is passed to `augment_with_memories`.
        """
        run = self.start_run(task, **query)
        try:
            yield run
        except BaseException as error:
            self.record_failure(run, error, metadata)
            raise
        self.finish_run(run, metadata)

    def start_run(self, task: str, **query: Any) -> Run:
        """The first half of `trace`, for code that cannot use a `with` block."""
        return Run(task, self.augment_with_memories(task, **query))

    def finish_run(self, run: Run, metadata: Optional[Metadata] = None) -> Trace:
        """The second half of `trace`."""
        answer = self.call("traces.create", **self._place, **run.finished(), metadata=dict(metadata or {}))
        return from_json(Trace, answer["trace"])

    def record_failure(self, run: Run, error: BaseException, metadata: Optional[Metadata] = None) -> None:
        """Records a run that raised. The run's own error matters more than one of the recording."""
        run.failed(str(error) or type(error).__name__)
        try:
            self.finish_run(run, metadata)
        except ReflectError:
            pass


def _query(
    task: str,
    limit: int,
    lambda_: float,
    mmr_lambda: float,
    metadata_filter: Optional[Metadata],
    similarity_threshold: Optional[float],
) -> Dict[str, Any]:
    query: Dict[str, Any] = {"task": task, "limit": limit, "lambda_": lambda_, "mmr_lambda": mmr_lambda}
    if metadata_filter is not None:
        query["metadata_filter"] = dict(metadata_filter)
    if similarity_threshold is not None:
        query["similarity_threshold"] = similarity_threshold
    return query


def _review(result: str, feedback: str, alpha: Optional[float]) -> Dict[str, Any]:
    review: Dict[str, Any] = {"result": result, "feedback": feedback}
    if alpha is not None:
        review["alpha"] = alpha
    return review


def _memories(answer: Mapping[str, Any]) -> List[Memory]:
    return [from_json(Memory, each) for each in answer["memories"]]

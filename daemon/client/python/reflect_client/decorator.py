from __future__ import annotations

import asyncio
import functools
import inspect
from typing import Any, Callable, Optional, TypeVar, Union, overload

from .client import Metadata, ReflectClient
from .run import Run

_F = TypeVar("_F", bound=Callable[..., Any])
TaskOf = Union[str, Callable[..., str]]


@overload
def reflect_trace(client: _F) -> _F: ...


@overload
def reflect_trace(
    client: Optional[ReflectClient] = None,
    *,
    task: Optional[TaskOf] = None,
    review: Optional[Callable[[Any], Optional[str]]] = None,
    metadata: Optional[Metadata] = None,
    **query: Any,
) -> Callable[[_F], _F]: ...


def reflect_trace(
    client: Any = None,
    *,
    task: Optional[TaskOf] = None,
    review: Optional[Callable[[Any], Optional[str]]] = None,
    metadata: Optional[Metadata] = None,
    **query: Any,
) -> Any:
    """Traces every call of a function, which may be `async`. Used as `@reflect_trace` or `@reflect_trace(client, …)`.

    The task is the first argument, or what `task` says: a text, or a function of the arguments. A function with a parameter
    named `run` receives the `Run`; any other receives the task with its memories as its first argument. Text that it returns
    is the final response. `review` turns the return value into "pass", "fail" or None. An exception is a failure.
    """

    if client is not None and not isinstance(client, ReflectClient):
        return reflect_trace()(client)

    def decorate(function: _F) -> _F:
        wants_run = "run" in inspect.signature(function).parameters

        def start(known: ReflectClient, args: Any, kwargs: Any) -> Run:
            named = task(*args, **kwargs) if callable(task) else task
            if named is None and not args:
                raise TypeError("reflect_trace: the task is the first positional argument, or pass task=…")
            return known.start_run(str(args[0]) if named is None else named, **query)

        def prepared(run: Run, args: Any, kwargs: Any) -> Any:
            if wants_run:
                return args, {**kwargs, "run": run}
            return ((run.augmented_task, *args[1:]) if args and task is None else args), kwargs

        def finish(known: ReflectClient, run: Run, result: Any) -> None:
            if isinstance(result, str):
                run.respond(result)
            verdict = review(result) if review else None
            if verdict is not None:
                (run.passed if verdict == "pass" else run.failed)()
            known.finish_run(run, metadata)

        @functools.wraps(function)
        def traced(*args: Any, **kwargs: Any) -> Any:
            known = client or ReflectClient()
            run = start(known, args, kwargs)
            given, named = prepared(run, args, kwargs)
            try:
                result = function(*given, **named)
            except BaseException as error:
                known.record_failure(run, error, metadata)
                raise
            finish(known, run, result)
            return result

        @functools.wraps(function)
        async def traced_async(*args: Any, **kwargs: Any) -> Any:
            known = client or ReflectClient()
            run = await asyncio.to_thread(start, known, args, kwargs)
            given, named = prepared(run, args, kwargs)
            try:
                result = await function(*given, **named)
            except BaseException as error:
                await asyncio.to_thread(known.record_failure, run, error, metadata)
                raise
            await asyncio.to_thread(finish, known, run, result)
            return result

        return traced_async if inspect.iscoroutinefunction(function) else traced  # type: ignore[return-value]

    return decorate

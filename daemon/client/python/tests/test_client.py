"""Run against a real daemon by daemon/client/python.test.ts."""

import asyncio
import os
import tempfile
import unittest

from reflect_client import Memory, ReflectClient, ReflectError, reflect_trace


class ReflectTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        # Each test has a project, and so memories, of its own.
        self.client = ReflectClient(project=f"test/{self.id()}")

    def create(self, **more: object) -> Memory:
        return self.client.create_memory(
            "Cancel a reservation",
            result="pass",
            summary="Cancelled one",
            guidance="Check the fare rules first.",
            **more,
        )

    def utility(self, memory: Memory) -> float:
        return self.client.call("learnings.get", id=memory.id)["signals"]["qValue"]

    def last_trace(self) -> dict:
        return self.client.call("traces.list", limit=1)[0]


class ClientTest(ReflectTest):
    def test_a_memory_has_the_documented_fields(self) -> None:
        self.create(key_mistake="Called too early", applicable_tools=["cancel"], metadata={"domain": "airline"})
        found = self.client.query_memories(
            "Cancel a reservation", limit=5, lambda_=0.6, mmr_lambda=1.0, similarity_threshold=0.3
        )
        self.assertEqual(len(found), 1)
        memory = found[0]
        self.assertEqual(memory.task, "Cancel a reservation")
        self.assertIn("Check the fare rules first.", memory.reflection)
        self.assertEqual((memory.q_value, memory.success), (0.5, True))
        self.assertEqual((memory.key_mistake, memory.applicable_tools), ("Called too early", ["cancel"]))
        self.assertAlmostEqual(memory.score, 0.4 * memory.similarity + 0.6 * memory.q_value)

    def test_metadata_filters(self) -> None:
        self.create(metadata={"action_types": ["cancel", "modify"]})
        ask = lambda value: self.client.query_memories("Cancel a reservation", metadata_filter={"action_types": value})
        self.assertEqual([len(ask("modify")), len(ask("book"))], [1, 0])

    def test_another_project_has_other_memories(self) -> None:
        self.create()
        self.assertEqual(ReflectClient(project="test/other").query_memories("Cancel a reservation"), [])

    def test_without_memories_the_task_is_unchanged(self) -> None:
        augmented = self.client.augment_with_memories("Something else entirely")
        self.assertEqual((augmented.augmented_task, augmented.memories), ("Something else entirely", []))

    def test_a_trace_is_recorded_and_reviewed_later(self) -> None:
        memory = self.create()
        trace = self.client.create_trace(
            "Cancel another reservation",
            trajectory=[{"role": "assistant", "content": "Done."}],
            retrieved_memory_ids=[memory.id],
        )
        self.assertIsNone(trace.result)
        reviewed = self.client.review_trace(trace.id, "pass", alpha=0.5)
        self.assertEqual((reviewed.result, self.utility(memory)), ("pass", 0.75))
        self.assertEqual([(step.q_before, step.q_after) for step in self.client.memory_history(memory.id)], [(0.5, 0.75)])

    def test_a_trace_may_carry_its_review(self) -> None:
        memory = self.create()
        trace = self.client.create_trace(
            "Cancel", retrieved_memory_ids=[memory.id], review_result="fail", feedback="Too late"
        )
        self.assertEqual((trace.result, trace.feedback, self.utility(memory)), ("fail", "Too late", 0.35))
        with self.assertRaisesRegex(ValueError, "review_result"):
            self.client.create_trace("Cancel", alpha=0.5)

    def test_a_block_is_traced_with_the_ids_of_its_memories(self) -> None:
        memory = self.create()
        with self.client.trace("Cancel a reservation", metadata={"domain": "airline"}) as run:
            self.assertIn("Check the fare rules first.", run.augmented_task)
            run.record({"role": "assistant", "content": "Cancelled."})
            run.respond("Cancelled.")
            run.passed("Well done", alpha=0.5)
        self.assertEqual(self.utility(memory), 0.75)
        trace = self.last_trace()
        self.assertEqual(trace["retrievedMemoryIds"], [memory.id])
        self.assertEqual((trace["finalResponse"], trace["metadata"]), ("Cancelled.", {"domain": "airline"}))

    def test_a_block_that_raises_is_a_failure(self) -> None:
        memory = self.create()
        with self.assertRaisesRegex(RuntimeError, "closed"):
            with self.client.trace("Cancel a reservation"):
                raise RuntimeError("the fare rules were closed")
        self.assertEqual(self.utility(memory), 0.35)
        self.assertEqual(self.last_trace()["feedback"], "the fare rules were closed")

    def test_errors_have_a_code_and_a_sentence(self) -> None:
        with self.assertRaises(ReflectError) as refused:
            self.client.query_memories("Cancel", limit=1000)
        self.assertEqual(refused.exception.code, "bad-input")
        self.assertIn("limit", str(refused.exception))
        with self.assertRaisesRegex(ReflectError, "reflect start"):
            ReflectClient(home=self.folder.name).query_memories("Cancel")

    def test_a_proxy_is_not_asked(self) -> None:
        os.environ["http_proxy"] = "http://127.0.0.1:9"
        self.addCleanup(os.environ.pop, "http_proxy")
        self.assertEqual(self.client.query_memories("Cancel a reservation"), [])


class DecoratorTest(ReflectTest):
    def test_a_function_gets_its_task_with_memories(self) -> None:
        memory = self.create()

        @reflect_trace(self.client, review=lambda answer: "pass" if answer == "ok" else "fail")
        def answer(task: str, *, suffix: str = "") -> str:
            self.assertIn("Check the fare rules first.", task)
            return f"ok{suffix}"

        self.assertEqual(answer.__name__, "answer")
        self.assertEqual(answer("Cancel a reservation"), "ok")
        self.assertEqual(self.utility(memory), 0.65)
        self.assertEqual(answer("Cancel a reservation", suffix="!"), "ok!")
        self.assertAlmostEqual(self.utility(memory), 0.455)
        self.assertEqual(self.last_trace()["finalResponse"], "ok!")

    def test_a_function_may_take_the_run(self) -> None:
        memory = self.create()

        @reflect_trace(self.client, task=lambda order: f"Cancel a reservation: {order['id']}", limit=3)
        def cancel(order: dict, run: object) -> int:
            run.passed()  # type: ignore[attr-defined]
            return order["id"]

        self.assertEqual(cancel({"id": 7}), 7)
        self.assertEqual((self.utility(memory), self.last_trace()["task"]), (0.65, "Cancel a reservation: 7"))

    def test_an_exception_is_a_failure_also_of_a_coroutine(self) -> None:
        memory = self.create()

        @reflect_trace(self.client)
        async def cancel(task: str) -> None:
            raise TimeoutError("no answer from the airline")

        with self.assertRaises(TimeoutError):
            asyncio.run(cancel("Cancel a reservation"))
        self.assertEqual((self.utility(memory), self.last_trace()["result"]), (0.35, "fail"))

    def test_a_decorator_without_arguments_uses_the_current_folder(self) -> None:
        @reflect_trace
        def echo(task: str) -> str:
            return task

        self.assertEqual(echo("Book a hotel in Lisbon"), "Book a hotel in Lisbon")
        self.assertEqual(self.last_trace()["task"], "Book a hotel in Lisbon")

    def test_a_call_without_a_task_is_refused(self) -> None:
        @reflect_trace(self.client)
        def nothing() -> None: ...

        with self.assertRaisesRegex(TypeError, "task"):
            nothing()


if __name__ == "__main__":
    unittest.main()

"""Both clients over both transports, on a real daemon and a real browser."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
import unittest
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from typing import Any, Dict, List

import actionregistry as ar
from actionregistry import errors
from actionregistry.models import SessionInfo

from .support import TRANSPORTS, async_client, client, world


# What takes some seconds, beside the other tests.
background = ThreadPoolExecutor(2)
wrong: Dict[str, "Future[ar.RunResult]"] = {}


def setUpModule() -> None:
    for transport in TRANSPORTS:
        c = client(transport)
        unittest.addModuleCleanup(c.close)
        session = c.sessions.create()
        wrong[transport] = background.submit(session.run, "probe:page:wrong", url=world().url)


def tearDownModule() -> None:
    background.shutdown()


async def asleep(approval: Any) -> bool:
    """What only AsyncClient takes as on_approval."""
    return False


class Calls:
    """Tests of the synchronous client, over one of the transports. They share a session."""

    transport = ""
    client: ar.Client
    session: ar.Session

    @classmethod
    def setUpClass(cls) -> None:
        cls.client = client(cls.transport)
        cls.session = cls.client.sessions.create()
        cls.session.open(world().url)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.session.close()
        cls.client.close()

    def test_run(self) -> None:
        with client(self.transport) as c:
            result = c.run("probe:page:title", url=world().url, params={"session": "mine"})
            self.assertEqual(result.data, {"title": "Probe", "word": "seen", "session": "mine"})
            self.assertTrue(result.success)
            self.assertGreater(result.duration_ms, 0)
            self.assertEqual(result["action"], "probe:page:title")

    def test_find(self) -> None:
        with client(self.transport) as c:
            self.assertEqual(c.actions.search("create order").actions[0].name, "shop:order:create")
            names = [a.name for a in c.actions.list(namespace="shop").actions]
            self.assertIn("shop:order:delete", names)
            described = c.actions.describe("shop:order:create")
            self.assertEqual(described.params[0]["name"], "customer")
            self.assertIn("customer", c.actions.describe_text("shop:order:create").text)
            plan = c.actions.dry_run("shop:order:create", {"customer": "Ada"})
            self.assertEqual(plan.action, "shop:order:create")
            self.assertEqual(c.actions.reload().problems, [])

    def test_session(self) -> None:
        with client(self.transport) as c:
            with c.sessions.create(viewport={"width": 800, "height": 600}) as session:
                opened = session.open(world().url)
                self.assertEqual((opened.title, opened.status), ("Probe", 200))
                self.assertEqual(opened.run.warnings, [])
                page = session.snapshot_map()
                found = next(e for e in page.elements if e.role == "textbox")
                self.assertEqual((found.tag, found.name), ("input", "Name"))
                self.assertEqual(session.fill(ref_id=found.ref_id, value="Ada").value, "Ada")
                self.assertEqual(session.get("value", "css:#name")["value"], "Ada")
                self.assertTrue(session.is_("visible", "css:h1")["visible"])
                self.assertEqual(session.select("label:Kind", "large").values, ["large"])
                filled = session.fill_form({"Name": "Bob", "Kind": "small"})
                self.assertEqual(len(filled.fields), 2)
                self.assertEqual(session.eval("1 + n", args={"n": 2}).value, 3)
                more = session.load_more_until("css:#more", "css:li", item_count=5)
                self.assertEqual((more.stop_reason, more.final_count), ("item_count_reached", 6))
                down = session.scroll_until(stop_text="The end", stall=timedelta(seconds=1))
                self.assertEqual(down.stop_reason, "text_found")
                self.assertEqual(session.wait_text("The end").run.action, "wait_text")
                self.assertEqual(session.tab("list").tabs[0]["url"], world().url)
                self.assertGreater(session.screenshot().width, 0)
                listed: List[SessionInfo] = c.sessions.list().sessions
                self.assertIn(session.name, [s.name for s in listed])
            listed = c.sessions.list().sessions
            self.assertNotIn(session.name, [s.name for s in listed])

    def test_stale_ref(self) -> None:
        with client(self.transport) as c:
            session = self.session
            session.open(world().url)
            ref = session.snapshot_map().elements[0].ref_id
            session.open(world().url)
            with self.assertRaises(ar.StaleRefError) as caught:
                session.click(ref_id=ref)
            err = caught.exception
            self.assertEqual((err.code, err.url), ("STALE_REF", world().url))
            self.assertLess(err.snapshot_page_rev or 0, err.current_page_rev or 0)
            self.assertIn(err.ref_id, ref)
            with self.assertRaises(ar.InvalidRequestError):
                session.click("css:h1", ref_id=ref)

    def test_stream(self) -> None:
        with client(self.transport) as c:
            with c.stream("probe:page:title", url=world().url, timeout=20) as events:
                with self.assertRaises(RuntimeError):
                    events.result
                steps = [e.step for e in events if e.name == "step"]
            self.assertEqual([(s.action, s.status) for s in steps], [("open", "ok")])
            self.assertEqual(events.result.data["title"], "Probe")
            seen: List[str] = []
            c.run("probe:page:title", url=world().url, on_event=lambda e: seen.append(e.name))
            self.assertEqual(seen, ["step"])
            with c.stream("probe:page:fail") as events:
                with self.assertRaises(ar.StepFailedError):
                    list(events)

    def test_left_stream_is_cancelled(self) -> None:
        with client(self.transport) as c:
            began = time.monotonic()
            session = self.session
            with session.stream("probe:page:slow", url=world().url) as events:
                self.assertEqual(next(events).step.action, "open")
            self.assertEqual(session.get("url")["url"][:4], "http")
            self.assertLess(time.monotonic() - began, 8)

    def test_interrupt(self) -> None:
        with client(self.transport) as c:
            main = threading.main_thread().ident
            assert main is not None
            timer = threading.Timer(0.4, signal.pthread_kill, (main, signal.SIGINT))
            session = self.session
            session.open(world().url)
            timer.start()
            began = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                session.run("probe:page:wait")
            self.assertEqual(session.get("title")["title"], "Probe")
            self.assertEqual(repr(session.get("title")), "GetResult(title='Probe')")
            self.assertLess(time.monotonic() - began, 6)

    def test_approval(self) -> None:
        with client(self.transport) as c:
            asked: List[str] = []

            def answer(yes: bool) -> Any:
                return lambda approval: asked.append(approval.step) or yes

            run = c.run("probe:page:approved", url=world().url, on_approval=answer(True))
            self.assertEqual(run.data, {"title": "Probe"})
            with self.assertRaises(ar.PolicyDeniedError) as caught:
                c.run("probe:page:approved", url=world().url, on_approval=answer(False))
            self.assertEqual(caught.exception.details["reason"], "denied")
            self.assertEqual(asked, ["open", "open"])
            for wrong in (asleep, lambda approval: "no"):  # neither is a yes
                with self.assertRaises(TypeError):
                    c.run("probe:page:approved", url=world().url, on_approval=wrong)  # type: ignore
            with c.stream("probe:page:approved", url=world().url) as events:
                for event in events:
                    if event.name == "approval_required":
                        waiting = c.approvals.list().approvals
                        self.assertEqual([a.id for a in waiting], [event.approval.id])
                        self.assertEqual(c.approvals.get(waiting[0].id).state, "pending")
                        c.approvals.deny(waiting[0].id, reason="wrong page")
                        break
                with self.assertRaises(ar.PolicyDeniedError):
                    list(events)

    def test_handoff(self) -> None:
        with client(self.transport) as c:
            session = self.session
            session.open(world().url)
            self.assertEqual(session.handoff("log in").state, "held")
            with self.assertRaises(ar.SessionHeldError):
                session.reload()
            self.assertEqual(session.resume().message, "log in")
            until = session.handoff_and_wait(until="${page.title} == 'Probe'", timeout=10)
            self.assertEqual(until.ended, "condition")

    def test_threads(self) -> None:
        with client(self.transport) as c:
            out: List[Any] = []

            def work() -> None:
                for _ in range(5):
                    out.append(c.actions.describe("shop:order:create").name)

            threads = [threading.Thread(target=work) for _ in range(8)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
            self.assertEqual(out, ["shop:order:create"] * 40)


class Socket(Calls, unittest.TestCase):
    transport = "socket"


class HTTP(Calls, unittest.TestCase):
    transport = "http"


class Sync(unittest.TestCase):
    def test_notebook(self) -> None:
        """A synchronous client works inside a running event loop."""

        async def cell() -> str:
            with client("socket") as c:
                return c.run("probe:page:title", url=world().url).data["title"]

        self.assertEqual(asyncio.run(cell()), "Probe")

    def test_only_socket(self) -> None:
        with client("socket") as c:
            self.assertEqual(c.server.hello().protocol, 1)
            self.assertGreater(c.server.status().goroutines, 0)
            self.assertEqual(c.actions.describe_namespace("shop").name, "shop")
            checked = c.actions.validate([world().env["ACTION_PATH"].split(":")[0]])
            self.assertTrue(checked.valid)
            self.assertEqual(c.session("named").open(world().url).title, "Probe")
            c.sessions.close("named")
        with client("http") as c:
            for call in (c.server.hello, lambda: c.actions.describe_namespace("shop")):
                with self.assertRaises(ar.InvalidRequestError) as caught:
                    call()
                self.assertIn("socket", caught.exception.suggestion)
            for wrong in ({"name": "mine"}, {"profile": "/tmp"}):
                with self.assertRaises(ar.InvalidRequestError):
                    c.sessions.create(**wrong)

    def test_closed(self) -> None:
        for transport in TRANSPORTS:
            c = client(transport)
            c.close()
            with self.assertRaises(RuntimeError):
                c.sessions.list()


class Errors(unittest.TestCase):
    """Errors of a real daemon, over both transports."""

    def test_codes(self) -> None:
        for transport in TRANSPORTS:
            with client(transport) as c, c.sessions.create() as s:
                s.open(world().url)
                for cls, call in self.calls(c, s):
                    with self.subTest(cls.code, transport=transport):
                        with self.assertRaises(cls) as caught:
                            call()
                        self.assertEqual(caught.exception.code, cls.code)
                        self.assertTrue(caught.exception.message)

    def calls(self, c: ar.Client, s: ar.Session) -> Any:
        nowhere = "http://127.0.0.1:1/"
        return [
            (errors.ActionNotFoundError, lambda: c.run("probe:page:titel")),
            (errors.ParamRequiredError, lambda: c.run("probe:page:title")),
            (errors.ParamInvalidError, lambda: c.run("probe:page:wait", time="soon")),
            (errors.ElementNotFoundError, lambda: s.click("css:.none", timeout=0.2)),
            (errors.ElementAmbiguousError, lambda: s.click("text:Twice", timeout=0.3)),
            (errors.ElementNotInteractableError, lambda: s.click("text:Off", timeout=0.3)),
            (errors.RunTimeoutError, lambda: s.wait_function("false", timeout=0.2)),
            (errors.StepFailedError, lambda: s.run("probe:page:fail")),
            (errors.NavigationFailedError, lambda: s.open(nowhere)),
            (errors.InvalidRequestError, lambda: s.step("clik")),
        ]

    def test_failed_run_has_its_result(self) -> None:
        for transport in TRANSPORTS:
            with client(transport) as c:
                with self.assertRaises(ar.StepFailedError) as caught:
                    c.run("probe:page:fail")
                result = caught.exception.result
                assert result is not None and result.error is not None
                self.assertEqual(result.steps[0].status, "failed")
                self.assertEqual(result.error.code, "STEP_FAILED")
                self.assertIn("it always fails", str(caught.exception))

    def test_verify(self) -> None:
        for transport in TRANSPORTS:
            with self.assertRaises(errors.VerifyFailedError) as caught:
                wrong[transport].result(60)
            self.assertIn("the title is wrong", caught.exception.message)

    def test_wrong_token(self) -> None:
        with ar.Client(world().server, token="act_wrong") as c:
            with self.assertRaises(ar.SecurityError) as caught:
                c.sessions.list()
        self.assertNotIn("act_wrong", repr(c) + repr(caught.exception) + str(vars(c)))


class Async(unittest.IsolatedAsyncioTestCase):
    async def test_session(self) -> None:
        for transport in TRANSPORTS:
            async with async_client(transport) as c:
                async with await c.sessions.create() as session:
                    await session.open(world().url)
                    page = await session.snapshot_map()
                    ref = next(e.ref_id for e in page.elements if e.role == "textbox")
                    self.assertEqual((await session.fill(ref_id=ref, value="Ada")).value, "Ada")
                    await session.open(world().url)
                    with self.assertRaises(ar.StaleRefError):
                        await session.fill(ref_id=ref, value="Bob")
                    with self.assertRaises(ar.ElementNotFoundError):
                        await session.click("css:.none", timeout=0.2)
                    more = await session.load_more_until("css:#more", "css:li", item_count=4)
                    self.assertEqual(more.final_count, 4)
                    await self.cancel(session)

    async def cancel(self, session: ar.AsyncSession) -> None:
        for on_event in (None, lambda event: None):
            run = session.run("probe:page:wait", on_event=on_event)
            task = asyncio.ensure_future(run)
            await asyncio.sleep(0.2)
            began = time.monotonic()
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertEqual((await session.get("title"))["title"], "Probe")
            self.assertLess(time.monotonic() - began, 4)

    async def test_run_and_stream(self) -> None:
        for transport in TRANSPORTS:
            async with async_client(transport) as c:
                run = await c.run("probe:page:title", url=world().url)
                self.assertEqual(run.data["title"], "Probe")
                async with c.stream("probe:page:title", url=world().url) as events:
                    names = [e.name async for e in events]
                self.assertEqual(names, ["step"])
                self.assertEqual(events.result.data["title"], "Probe")

    async def test_approval(self) -> None:
        async def yes(approval: ar.Approval) -> bool:
            return approval.step == "open"

        for transport in TRANSPORTS:
            async with async_client(transport, on_approval=yes) as c:
                run = await c.run("probe:page:approved", url=world().url)
                self.assertEqual(run.data["title"], "Probe")
                async with c.stream("probe:page:approved", url=world().url) as events:
                    names = [e.name async for e in events]
                self.assertEqual(names, ["approval_required", "approval_ended", "step"])

    async def test_many(self) -> None:
        for transport in TRANSPORTS:
            async with async_client(transport) as c:
                calls = [c.actions.describe("shop:order:create") for _ in range(30)]
                for described in await asyncio.gather(*calls):
                    self.assertEqual(described.name, "shop:order:create")


if __name__ == "__main__":
    unittest.main()

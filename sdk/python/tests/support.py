"""What the tests share: a daemon, a server over HTTP, the demo shop and some pages.

The programs are those of the environment: ACTION (bin/action) and SHOP (testdata/shop/serve).
"""

from __future__ import annotations

import atexit
import functools
import http.server
import os
import shutil
import subprocess
import tempfile
import threading
from typing import Any, List

from actionregistry import AsyncClient, Client

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
ACTION = os.environ.get("ACTION", os.path.join(ROOT, "bin", "action"))
SHOP = os.environ["SHOP"]

DEFINITIONS = """
namespace: probe
version: 1.0.0
env: [{name: PROBE_WORD, secret: false}]
actions:
  page:title:
    params:
      url: {type: string, required: true}
      session: {type: string, default: none}
    steps:
      - open: "${params.url}"
    returns: {title: "${page.title}", word: "${env.PROBE_WORD}", session: "${params.session}"}
  page:wait:
    params:
      time: {type: integer, default: 20000}
    steps:
      - wait: {time: "${params.time}"}
  page:slow:
    params:
      url: {type: string, required: true}
    steps:
      - open: "${params.url}"
      - wait: {time: 20000}
  page:fail:
    steps:
      - fail: "it always fails"
  page:wrong:
    params:
      url: {type: string, required: true}
    steps:
      - open: "${params.url}"
    verify:
      - {condition: "${page.title} == 'another'", message: the title is wrong}
  page:approved:
    params:
      url: {type: string, required: true}
    steps:
      - {open: "${params.url}", approval: required}
    returns: {title: "${page.title}"}
"""

PAGE = """<!doctype html><title>Probe</title>
<h1>Probe</h1>
<button>Twice</button><button>Twice</button>
<button disabled>Off</button>
<label>Name <input id=name></label>
<label>Kind <select><option>small<option>large</select></label>
<ul id=list><li>1</li><li>2</li></ul>
<button id=more onclick="for (let i = 0; i < 2; i++) {
  const li = document.createElement('li'); li.textContent = list.children.length + 1;
  list.append(li) }">More</button>
<div style="height: 3000px"></div><p>The end</p>
"""


class _Pages(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = PAGE.encode() if self.path == "/" else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class World:
    """The programs that the tests talk to. They end with the process."""

    def __init__(self) -> None:
        self.home = tempfile.mkdtemp(prefix="sdk-")
        atexit.register(shutil.rmtree, self.home, ignore_errors=True)
        actions = os.path.join(self.home, "defs.yaml")
        with open(actions, "w", encoding="utf-8") as file:
            file.write(DEFINITIONS)
        self._shop = subprocess.Popen(
            [SHOP, "-until-eof", "-delay", "-1ns"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.shop = self._line(self._shop).split()[-1]
        self.pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Pages)
        self.url = "http://127.0.0.1:{}/".format(self.pages.server_address[1])
        threading.Thread(target=self.pages.serve_forever, daemon=True).start()
        self.env = {
            "PATH": os.path.dirname(ACTION) + os.pathsep + os.environ["PATH"],
            "HOME": self.home,
            "XDG_RUNTIME_DIR": self.home,
            "ACTION_PATH": actions + os.pathsep + os.path.join(ROOT, "testdata/shop/actions"),
            "BASE_URL": self.shop,
            "SHOP_PASSWORD": "lovelace",
            "PROBE_WORD": "seen",
            "ACTION_ACTIONS_DEFAULT_TIMEOUT": "1s",
        }
        os.environ.update(self.env)
        self._serve = subprocess.Popen(
            [ACTION, "serve", "--listen", "127.0.0.1:0", "--allow-private"]
            + ["--access-log", "off"],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.server = self._line(self._serve).split()[-1]
        atexit.register(self.close)

    @staticmethod
    def _line(process: "subprocess.Popen[str]") -> str:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, "the program has ended"
        return line

    def close(self) -> None:
        self._serve.terminate()
        self._serve.communicate()
        assert self._shop.stdin is not None
        self._shop.communicate()
        subprocess.run([ACTION, "daemon", "stop"], check=False, stdout=subprocess.DEVNULL)
        self.pages.shutdown()
        self.pages.server_close()


@functools.lru_cache(maxsize=None)
def world() -> World:
    """Returns the programs, which the first call starts."""
    return World()


# The two ways to a server, as arguments of a client.
TRANSPORTS: List[str] = ["socket", "http"]


def client(transport: str, **options: Any) -> Client:
    """Returns a synchronous client."""
    w = world()
    return Client(**options) if transport == "socket" else Client(w.server, **options)


def async_client(transport: str, **options: Any) -> AsyncClient:
    """Returns an asynchronous client."""
    w = world()
    return AsyncClient(**options) if transport == "socket" else AsyncClient(w.server, **options)

"""The package as its users get it: the examples of the README, types and the wheel."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tempfile
import unittest
from typing import Dict, List

import actionregistry

from .support import world

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def examples() -> List[str]:
    """Returns the examples of the README."""
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
        return re.findall(r"^```python\n(.*?)^```$", file.read(), re.S | re.M)


def run(*command: str, env: Dict[str, str] = {}, cwd: str = HERE) -> str:
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": HERE, **env},
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    if done.returncode != 0:
        raise AssertionError("{}\n{}".format(" ".join(command), done.stdout))
    return done.stdout


class Readme(unittest.TestCase):
    def test_examples(self) -> None:
        world()
        want = [
            r"shop:order:create - .*customer string.*10\d\d Order #10\d\d created",
            r"e\d button Sign in.*True http.*/orders\nSTALE_REF .*'customer': 'Ada'",
            r"approve|click.*steps\[1\] click ok.*'message': 'Order #10\d\d created'",
            r"'count': \d.*'customer': 'Ada'",
            r"SnapshotMap\(.*text='New order'",
        ]
        self.assertEqual(len(examples()), len(want))
        for text, pattern in zip(examples(), want):
            with self.subTest(pattern):
                with tempfile.TemporaryDirectory() as folder:
                    file = os.path.join(folder, "example.py")
                    with open(file, "w", encoding="utf-8") as f:
                        f.write(text.replace("http://127.0.0.1:7666", world().server))
                    self.assertRegex(run(sys.executable, file), re.compile(pattern, re.S))


class Types(unittest.TestCase):
    def test_mypy(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for i, text in enumerate(examples()):
                files.append(os.path.join(folder, "example{}.py".format(i)))
                with open(files[-1], "w", encoding="utf-8") as f:
                    f.write(text)
            cache = {"MYPYPATH": HERE, "MYPY_CACHE_DIR": os.path.join(folder, "cache")}
            options = ["--strict", "--python-version", "3.9"]
            run("mypy", *options, "actionregistry", *files, env=cache)
            wrong = os.path.join(folder, "wrong.py")
            with open(wrong, "w", encoding="utf-8") as f:
                f.write("import actionregistry as a\ns = a.Client().session()\n")
                f.write('s.fill("css:a")\ns.click("css:a", button="up")\ns.get("text").no\n')
            with self.assertRaises(AssertionError) as caught:
                run("mypy", *options, wrong, env=cache)
            self.assertIn("Found 3 errors", str(caught.exception))

    def test_syntax(self) -> None:
        """The package has no syntax that is newer than Python 3.9."""
        folder = os.path.join(HERE, "actionregistry")
        for name in sorted(os.listdir(folder)):
            if name.endswith(".py"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = file.read()
                ast.parse(text, name, feature_version=(3, 9))
                self.assertIn("from __future__ import annotations", text)
                long = [line for line in text.split("\n") if len(line) > 100]
                self.assertEqual(long, [], name)

    def test_standard_library_only(self) -> None:
        run(sys.executable, "-I", "-S", "-c", "import sys; sys.path.insert(0, {!r}); "
            "import actionregistry".format(HERE))  # fmt: skip

    def test_everything_has_a_docstring(self) -> None:
        for name in actionregistry.__all__:
            self.assertTrue(getattr(actionregistry, name).__doc__, name)


class Wheel(unittest.TestCase):
    def test_install(self) -> None:
        """The wheel is built by the standard tools, and works in a new environment."""
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "source")
            run("cp", "-r", HERE, source)
            build = [sys.executable, "-m", "build", "--wheel", "--no-isolation"]
            run(*build, "--outdir", folder, source)
            (wheel,) = [f for f in os.listdir(folder) if f.endswith(".whl")]
            self.assertEqual(wheel, "actionregistry-0.1.0-py3-none-any.whl")
            venv = os.path.join(folder, "venv")
            run(sys.executable, "-m", "venv", venv)
            python = os.path.join(venv, "bin", "python")
            install = [python, "-m", "pip", "install", "--no-index", "--no-deps", "-q"]
            run(*install, os.path.join(folder, wheel))
            check = "import actionregistry as a; print(a.__file__); a.Client('http://h', 't')"
            path = run(python, "-c", check, cwd=folder, env={"PYTHONPATH": ""})
            self.assertTrue(path.startswith(venv), path)
            self.assertTrue(os.path.exists(os.path.join(os.path.dirname(path), "py.typed")))


if __name__ == "__main__":
    unittest.main()

"""The wheel, as its users get it."""

from __future__ import annotations

import os
import sys
import tempfile
import unittest

from .package import HERE, run


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

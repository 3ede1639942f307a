"""The types of the package and of the examples, and its syntax."""

from __future__ import annotations

import ast
import os
import sys
import tempfile
import unittest

import actionregistry

from .package import HERE, examples, run


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


if __name__ == "__main__":
    unittest.main()

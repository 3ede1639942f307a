"""The examples of the README, on a real daemon and the demo shop."""

from __future__ import annotations

import os
import re
import sys
import tempfile
import unittest

from .package import examples, run
from .support import world


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


if __name__ == "__main__":
    unittest.main()

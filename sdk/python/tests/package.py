"""What the tests of the package as a whole share."""

from __future__ import annotations

import os
import re
import subprocess
from typing import Dict, List

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

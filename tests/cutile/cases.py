"""What tests of cuTile programs begin with: a folder of their own, and programs in it.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import signal
import subprocess
import tempfile
import textwrap
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = os.environ["TILESIM_TOOL"]


class Case(unittest.TestCase):
    BEGINNING = "import cuda.tile as ct\nimport numpy as np\n"  # of each program

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, text):
        path = self.folder / "program.py"
        path.write_text(self.BEGINNING + textwrap.dedent(text))
        return path


ENDLESS = """\
import cuda.tile as ct, numpy as np
@ct.kernel
def endless(x):
    i = 1
    while i != 0:
        i = i | 1
    ct.store(x, (0,), ct.full((1,), i, ct.int32))

print("it begins", flush=True)
ct.launch(0, (1,), endless, (np.zeros(1, np.int32),))
"""


def interrupted(folder, *words):
    """What `tilesim` says of ENDLESS in program.py, and its exit status, where Ctrl-C is pressed in the kernel."""
    pathlib.Path(folder, "program.py").write_text(ENDLESS)
    child = subprocess.Popen([TOOL, *map(str, words), "program.py"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder,
                             start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        time.sleep(5)  # what is printed comes when it ends, in some modes
        os.killpg(child.pid, signal.SIGINT)
        said, _ = child.communicate(timeout=60)
        return said, child.returncode
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()

#!/usr/bin/env python3
"""What a release holds besides the program: the step for GitHub's workflows, the extension for VS Code."""
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

class Action(unittest.TestCase):
    """tools/action.sh, which action.yml runs: the inputs become words, the status becomes an output."""

    def test_inputs_reach_the_command_and_its_status_comes_back(self):
        with tempfile.TemporaryDirectory() as folder:
            tool = pathlib.Path(folder) / "tilesim"
            tool.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\nexit 1\n')
            tool.chmod(0o755)
            output = pathlib.Path(folder) / "output"
            done = subprocess.run(
                ["bash", str(ROOT / "tools" / "action.sh"), "check"],
                env={**os.environ, "TILESIM": str(tool), "FILES": "src/a.cu -Iinclude\n-- 12 $(touch x)",
                     "OPTIONS": "--timeout 300", "SARIF": "out dir/t.sarif", "HTML": "t.html", "GITHUB_OUTPUT": str(output)},
                cwd=folder, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stdout.splitlines(),
                             ["check", "--timeout", "300", "--sarif=out dir/t.sarif", "--html=t.html",
                              "src/a.cu", "-Iinclude", "--", "12", "$(touch", "x)"])
            self.assertEqual(output.read_text(), "status=1\n")

    def test_a_report_of_before_does_not_pass_for_this_one(self):
        with tempfile.TemporaryDirectory() as folder:
            reports = [pathlib.Path(folder) / name for name in ("tilesim.sarif", "tilesim.html")]
            for report in reports:
                report.write_text("old")
            env = {k: v for k, v in os.environ.items() if k not in ("SARIF", "HTML")}
            done = subprocess.run(["bash", str(ROOT / "tools" / "action.sh"), "check"], cwd=folder, check=False, capture_output=True,
                                  env={**env, "TILESIM": "false", "FILES": "a.cu"})
            self.assertEqual(done.returncode, 1)
            self.assertEqual([report.exists() for report in reports], [False, False])

    def test_without_a_file_it_is_the_command_line_that_is_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "output"
            for files in ({}, {"FILES": ""}, {"FILES": " \n"}):
                env = {k: v for k, v in os.environ.items() if k != "FILES"}
                done = subprocess.run(["bash", str(ROOT / "tools" / "action.sh"), "check"], cwd=folder, capture_output=True, text=True, check=False,
                                      env={**env, **files, "TILESIM": "false", "GITHUB_OUTPUT": str(output)})
                self.assertEqual((done.returncode, done.stdout), (64, ""))
                self.assertIn("error: no file to check: give the input files", done.stderr)
                self.assertEqual(output.read_text(), "status=64\n")
                output.unlink()

    def test_every_input_of_the_action_is_one_of_the_script(self):
        action, script = (ROOT / "action.yml").read_text(), (ROOT / "tools" / "action.sh").read_text()
        for name in ("files", "options", "sarif", "html"):
            self.assertIn(f"\n  {name}:\n", action)
            self.assertIn(f"{name.upper()}: ${{{{ inputs.{name} }}}}", action)
            self.assertIn(f"${{{name.upper()}", script)

    def test_a_kept_build_on_a_new_machine_has_its_packages_looked_for(self):
        # The stamp says that the build is current; the machine may be another one than it was made on.
        with tempfile.TemporaryDirectory() as folder:
            tool, stamp = pathlib.Path(folder) / "tilesim", pathlib.Path(folder) / "build" / "release" / ".stamp"
            stamp.parent.mkdir(parents=True)
            stamp.touch()
            tool.write_text('#!/bin/sh\n[ -e "$(dirname "$0")/build/release/.stamp" ] || echo "packages: $*"\n')
            tool.chmod(0o755)
            self.assertEqual(self.step("build", tool).stdout, "packages: --version\n")

    def test_a_kept_build_is_of_the_same_sources_and_the_same_system(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            folders = ("api", "cmake", "gpu_backend", "memmodel", "sim", "tools")
            for name in folders:
                (root / name).mkdir()
            for name in ("CMakeLists.txt", "CMakePresets.json", "tilesim", "sim/a b.cpp"):
                (root / name).write_text("1")
            key = self.step("key", root / "tilesim").stdout
            self.assertRegex(key, "^[0-9a-f]{32}\n$")
            self.assertEqual(self.step("key", root / "tilesim").stdout, key)
            (root / "build").mkdir()
            (root / "build" / "made").write_text("1")
            self.assertEqual(self.step("key", root / "tilesim").stdout, key)
            (root / "sim" / "a b.cpp").write_text("2")
            keys = {key, self.step("key", root / "tilesim").stdout}
            for name in folders:
                (root / name / "new.cpp").write_text(name)
                keys.add(self.step("key", root / "tilesim").stdout)
            self.assertEqual(len(keys), 2 + len(folders))

    def test_every_step_of_the_action_is_one_of_the_script(self):
        action = (ROOT / "action.yml").read_text()
        self.assertEqual(re.findall(r'action\.sh" (\w+)', action), ["key", "build", "check"])
        # Kept before the check: of a job with findings, too.
        self.assertLess(action.index("actions/cache/save"), action.index("id: check"))
        self.assertEqual(self.step("nothing", "tilesim").returncode, 64)

    def step(self, name, tool):
        return subprocess.run(["bash", str(ROOT / "tools" / "action.sh"), name], env={**os.environ, "TILESIM": str(tool)},
                              capture_output=True, text=True, check=False)


class Extension(unittest.TestCase):
    """The .vsix of editors/vscode: what VS Code looks for is in it, and says what package.json says."""

    def test_the_vsix_is_complete_and_the_same_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder) / n for n in ("a.vsix", "b.vsix")]
            for f in files:
                subprocess.run([sys.executable, str(ROOT / "editors/vscode/make_vsix.py"), "-q", "-o", str(f)], check=True)
            self.assertEqual(files[0].read_bytes(), files[1].read_bytes())
            with zipfile.ZipFile(files[0]) as archive:
                self.assertIsNone(archive.testzip())
                package = json.loads(archive.read("extension/package.json"))
                manifest = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
                space = {"v": "http://schemas.microsoft.com/developer/vsx-schema/2011"}
                identity = manifest.find(".//v:Identity", space)
                self.assertEqual((identity.get("Id"), identity.get("Version"), identity.get("Publisher")),
                                 (package["name"], package["version"], package["publisher"]))
                for asset in manifest.findall(".//v:Asset", space):
                    self.assertIn(asset.get("Path"), archive.namelist())
                types = ElementTree.fromstring(archive.read("[Content_Types].xml"))
                known = {d.get("Extension") for d in types}
                for name in archive.namelist():
                    if name != "[Content_Types].xml":
                        self.assertIn(pathlib.PurePath(name).suffix, known, name)

    def test_an_unwritable_place_is_an_error(self):
        done = subprocess.run([sys.executable, str(ROOT / "editors/vscode/make_vsix.py"), "-o", "/nowhere/t.vsix"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 69)
        self.assertIn("error: cannot write /nowhere/t.vsix", done.stderr)


if __name__ == "__main__":
    unittest.main()

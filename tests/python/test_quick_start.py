"""docs/quick_start.md: its programs are compiled and run, and print what the page says."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import sardonyx

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARIES = pathlib.Path(sardonyx.__file__).parent / "lib"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", (ROOT / "docs" / "quick_start.md").read_text(), re.M | re.S)


def programs():
    """(language, source, what it prints) in the order of the page."""
    for i, (language, source) in enumerate(BLOCKS):
        if language != "text":
            follows = BLOCKS[i + 1] if i + 1 < len(BLOCKS) else ("", "")
            yield language, source, follows[1] if follows[0] == "text" else ""


def command_of(language, source, folder):
    if language == "python":
        return [sys.executable, "-c", source]
    compiler, suffix, flags = {"cpp": ("g++", "cc", ["-std=c++20"]), "c": ("gcc", "c", ["-std=c11"])}[language]
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    file, program = folder / f"app.{suffix}", folder / f"app_{suffix}"
    file.write_text(source)
    library = next(iter(sorted(LIBRARIES.glob("libsardonyx.so*"))))
    subprocess.run([compiler, *flags, "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}", str(file), str(library), "-o", str(program)], check=True)
    return [str(program)]


def test_programs_print_what_the_page_says(tmp_path):
    seen = []
    for language, source, wanted in programs():
        environment = os.environ | {"LD_LIBRARY_PATH": str(LIBRARIES)}
        done = subprocess.run(command_of(language, source, tmp_path), cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert done.stdout == wanted, language
        seen.append(language)
    assert seen == ["python", "python", "cpp", "c"]


def test_entries_that_have_an_effect_are_read():
    page = (ROOT / "docs" / "coming_from_onnxruntime.md").read_text()
    table = page[page.index("| entry | effect |"): page.index("All other entries")]
    named = set(re.findall(r"`((?:session|optimization|sardonyx)\.[\w.]+)`", table))
    sources = [path for path in (ROOT / "src" / "api").glob("*.cc") if path.name != "config_keys.cc"]
    read = set(re.findall(r'"((?:session|optimization|sardonyx)\.[\w.]+)"', "".join(path.read_text() for path in sources)))
    read -= {"sardonyx.h", "sardonyx.hpp", "session.record_ep_graph_assignment_info"}
    assert named == read


def test_links_of_pages_lead_somewhere():
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links {target}"

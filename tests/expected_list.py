"""A checked-in list of the cases that must pass: one name a line, sorted, # for comments. Shared by the suites' runners."""
import os


def read(path):
    if not os.path.exists(path):
        return set()
    with open(path, encoding="utf-8") as f:
        return {line.strip() for line in f if line.strip() and not line.startswith("#")}


def write(path, title, names):
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"# {title}\n")
        f.writelines(f"{name}\n" for name in sorted(names))


def settle(path, title, results, update):
    """results: {case: passed}, of the cases that ran. Prints the differences and the sums, returns the exit status. A case
    that does not pass has failed when it is in the list; the others are known not to pass, and count as skipped."""
    expected = read(path)
    passed = {name for name, ok in results.items() if ok}
    lost = sorted(expected & results.keys() - passed)
    won = sorted(passed - expected)
    for name in lost:
        print(f"LOST {name}: is in {os.path.basename(path)} but does not pass")
    for name in won[:20]:
        print(f"new pass: {name}")
    if len(won) > 20:
        print(f"new pass: {len(won) - 20} more")
    if update:
        write(path, title, expected - results.keys() | passed)
        print(f"{path}: {len(won)} added, {len(lost)} removed")
        lost = []
    elif won:
        print("run with --update to add them to the list")
    known = len(results) - len(passed) - len(lost)
    print(f"{len(passed)} passed, {len(lost)} failed" + (f", {known} skipped" if known else ""))
    return 1 if lost else 0

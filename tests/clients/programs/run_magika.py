"""Says what kind of content some bytes are."""

import json
import sys

from magika import Magika

SAMPLES = [
    b"def main():\n    import os\n    for name in os.listdir('.'):\n        print(name)\n\n\nif __name__ == '__main__':\n    main()\n" * 3,
    b"#include <stdio.h>\nint main(int argc, char** argv) {\n  printf(\"%d\\n\", argc);\n  return 0;\n}\n" * 4,
    b"<!DOCTYPE html><html><head><title>page</title></head><body><p>Some text</p></body></html>" * 5,
    b'{"name": "value", "list": [1, 2, 3], "inner": {"a": null}}' * 6,
    b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, b"PK\x03\x04" + bytes(2000), b"The quick brown fox jumps over the lazy dog. " * 30,
    b"SELECT name, count(*) FROM people WHERE age > 30 GROUP BY name ORDER BY 2 DESC;\n" * 5, b"", b"x",
    b"use std::io;\nfn main() -> io::Result<()> { let mut s = String::new(); io::stdin().read_line(&mut s)?; Ok(()) }\n" * 4,
]
engine = Magika()
answers = []
for sample in SAMPLES:
    result = engine.identify_bytes(sample)
    answers.append({"label": str(result.output.label), "model": str(result.dl.label), "score": float(result.score)})
json.dump(answers, open(sys.argv[1], "w"))

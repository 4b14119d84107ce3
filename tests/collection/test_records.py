"""What a new call asks for again."""

from splyce_bench.collection.records import forget_unavailable
from splyce_bench.files import write_json


def test_only_what_is_there_is_remembered(tmp_path):
    matrix = tmp_path / "a.mtx"
    matrix.touch()
    records = {
        "here": {"outcome": "available", "path": str(matrix)},
        "gone": {"outcome": "available", "path": str(tmp_path / "b.mtx")},
        "absent": {"outcome": "absent", "reason": "offline"},
    }
    for name, record in records.items():
        write_json(tmp_path / "matrices" / "G" / f"{name}.json", record)
    forget_unavailable(tmp_path)
    assert [path.stem for path in tmp_path.glob("matrices/*/*.json")] == ["here"]

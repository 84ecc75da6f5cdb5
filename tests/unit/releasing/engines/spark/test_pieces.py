from __future__ import annotations

from pathlib import Path

from hushwood.releasing.engines.spark.exchange import buckets_of, write_pieces


def test_pieces_come_back_by_bucket_in_the_order_of_the_files(tmp_path: Path) -> None:
    limits = [
        write_pieces(tmp_path, 0, [(0, "a"), (2, "b")], 3),
        write_pieces(tmp_path, 1, [], 3),
        write_pieces(tmp_path, 2, [(0, "c"), (1, "d")], 3),
    ]
    found = [list(bucket.pieces()) for bucket in buckets_of(tmp_path, limits)]
    assert found == [["a", "c"], ["d"], ["b"]]
    assert len(list(tmp_path.iterdir())) == 3

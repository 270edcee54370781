"""Fusing rankings."""

from __future__ import annotations

from ledger.index.ranking import fuse


def ids(*arguments: object) -> list[int]:
    return [hit.id for hit in fuse(*arguments)]  # type: ignore[arg-type]


def test_what_several_rankings_name_comes_first():
    assert ids([(1, 0.9), (2, 0.8)], [(2, 3.0)], [], 10) == [2, 1]
    assert ids([(1, 0.9), (2, 0.8)], [(2, 3.0), (3, 1.0)], [(3, 0.9), (2, 0.6)], 10) == [2, 3, 1]


def test_equal_scores_share_a_place_whatever_their_order():
    one = fuse([(5, 0.5), (4, 0.50001), (3, 0.4)], [], [], 10)
    other = fuse([(4, 0.50001), (5, 0.5), (3, 0.4)], [], [], 10)
    assert [(hit.id, hit.score) for hit in one] == [(hit.id, hit.score) for hit in other]
    assert [hit.id for hit in one] == [4, 5, 3]
    assert one[0].score == one[1].score > one[2].score == 1 / 63


def test_hits_carry_cosine_and_spelling():
    [first, second, third] = fuse([(1, 0.9)], [(1, 2.0), (2, 1.0), (3, 1.0)], [(2, 0.8)], 10)
    assert (first.id, first.cosine, first.lexical) == (1, 0.9, False)
    assert (second.id, second.cosine, second.lexical) == (2, None, True)
    assert (third.cosine, third.lexical) == (None, False)
    assert [hit.relevant() for hit in (first, second, third)] == [True, True, False]
    assert not first.relevant(bar=0.95)


def test_the_limit_holds():
    assert ids([(n, 1 / n) for n in range(1, 9)], [], [], 3) == [1, 2, 3]
    assert ids([(1, 1.0)], [], [], 0) == []
    assert ids([(1, 1.0)], [], [], -1) == []
    assert ids([], [], [], 5) == []

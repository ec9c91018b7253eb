"""The fast reading of rows: a piece of the file's bytes to doubles, no Python object a cell.

The separators are found first: they must cut every line into the same number of cells, or the piece
is left to the strict reading. A plain cell (sign, digits, mark, digits, at most 15 digits in all)
is then a whole number m below 10^15 and a count k of decimals; both m and 10^k are exact doubles, so
the one division m / 10^k rounds correctly (Clinger, How to Read Floating Point Numbers Accurately,
1990). Eight digits at a time become a number by three multiplications on a 64-bit word (Lemire,
Number Parsing at a Gigabyte per Second, 2021). Other cells, such as ``1.2E-05``, are read one by one by
`read_number`; if that says no to one of them, the whole piece goes to the strict reading.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lib.scan.cells import QUOTE
from lib.scan.content import Points
from lib.scan.number import read_number

Integers = NDArray[np.int64]
Words = NDArray[np.uint64]

# Zeros around a piece, so that every cell has two words before its end and one behind it.
_BEFORE = b"0" * 16
_BEHIND = b"0" * 16
_NEWLINE = ord("\n")
_QUOTE = ord(QUOTE)
_MINUS, _PLUS = ord("-"), ord("+")
_MOST_DIGITS = 15
_POWER_INT = 10 ** np.arange(_MOST_DIGITS + 1, dtype=np.int64)
_POWER = _POWER_INT.astype(np.float64)

_ASCII_ZEROS = np.uint64(0x3030303030303030)
# Keeps the last k of a word's eight bytes: little-endian, the last digit is the highest byte.
_KEEP_LAST = np.array([(2**64 - 1) << (64 - 8 * k) & (2**64 - 1) for k in range(9)], dtype=np.uint64)
_ONE, _TEN, _BYTE, _PAIR, _HALF, _LAST_BIT = (np.uint64(n) for n in (1, 10, 8, 16, 32, 63))
_EVERY_FOURTH = np.uint64(0x000000FF000000FF)
_HUNDREDS = np.uint64(100 + (1_000_000 << 32))
_UNITS = np.uint64(1 + (10_000 << 32))


def read_plainly(
    piece: bytes, width: int, positions: Sequence[int], delimiter: str, decimal_mark: str
) -> Points | None:
    """Return the wanted cells of ``piece`` as doubles, of shape (lines, len(positions)).

    ``piece`` ends with a line end; each of its lines should have ``width`` cells. None where
    anything is not as it should be: the strict reading then says what.
    """
    piece = _tightened(piece, delimiter)
    if QUOTE.encode() in piece:
        bare = _without_quotes(piece, delimiter)
        if bare is None:
            return None
        piece = _tightened(bare, delimiter)
    text = np.frombuffer(_BEFORE + piece + _BEHIND[len(piece) % 8 :], dtype=np.uint8)
    # Everything that is no digit, in order; each cell's are those up to its separator.
    others = np.flatnonzero(text - np.uint8(ord("0")) > 9)
    kinds = text.take(others)
    last = np.flatnonzero((kinds == ord(delimiter)) | (kinds == _NEWLINE))
    if not _is_grid(kinds.take(last), width):
        return None
    ends = others.take(last)
    starts = np.concatenate(([len(_BEFORE)], ends[:-1] + 1))
    inside = last - np.concatenate(([0], last[:-1] + 1))
    if tuple(positions) != tuple(range(width)):
        wanted = (np.arange(0, len(ends), width)[:, None] + np.asarray(positions)).ravel()
        last, ends, starts, inside = (of_all.take(wanted) for of_all in (last, ends, starts, inside))
    before = last - (inside > 0)
    marks = np.where(kinds.take(before) == ord(decimal_mark), others.take(before), ends)
    values, odd = _plain_values(text, starts, marks, ends, inside)
    for cell in odd.tolist():
        number = read_number(
            bytes(text[starts[cell] : ends[cell]]).decode(errors="backslashreplace"), decimal_mark
        )
        if number is None:
            return None
        values[cell] = number
    return values.reshape(-1, len(positions))


def _tightened(piece: bytes, delimiter: str) -> bytes:
    """Drop the spaces beside separators; those inside a cell stay, to be refused."""
    if b" " not in piece:
        return piece
    piece = piece.lstrip(b" ")
    for separator in (delimiter.encode(), b"\n"):
        for loose in (separator + b" ", b" " + separator):
            while loose in piece:
                piece = piece.replace(loose, separator)
    return piece


def _without_quotes(piece: bytes, delimiter: str) -> bytes | None:
    """Drop the quotes where each pair holds one cell, whole; None where any does not."""
    text = np.frombuffer(b"\n" + piece, dtype=np.uint8)
    is_separator = (text == ord(delimiter)) | (text == _NEWLINE)
    quotes = np.flatnonzero(text == _QUOTE)
    opening, closing = quotes[::2], quotes[1::2]
    if len(opening) != len(closing) or not (is_separator[opening - 1] & is_separator[closing + 1]).all():
        return None
    separators = np.flatnonzero(is_separator)
    if (np.searchsorted(separators, opening) != np.searchsorted(separators, closing)).any():
        return None
    return piece.replace(QUOTE.encode(), b"")


def _is_grid(separators: NDArray[np.uint8], width: int) -> bool:
    if len(separators) % width:
        return False
    ends_line = (separators == _NEWLINE).reshape(-1, width)
    return bool(ends_line[:, -1].all()) and not ends_line[:, :-1].any()


def _plain_values(
    text: NDArray[np.uint8], starts: Integers, marks: Integers, ends: Integers, inside: Integers
) -> tuple[Points, Integers]:
    """Return the value of each cell and which cells are not plain; the value of those means nothing.

    A cell is ``text[starts:ends]``, its decimal mark (if any) at ``marks``, else ``marks`` is its end;
    ``inside`` counts its bytes that are no digits.
    """
    first = text[starts]
    is_negative = first == _MINUS
    is_signed = is_negative | (first == _PLUS)
    has_mark = marks < ends
    whole_digits = marks - starts - is_signed
    decimals = ends - marks - has_mark
    is_plain = (
        (inside == has_mark.astype(np.int8) + is_signed)
        & (whole_digits + decimals > 0)
        & (whole_digits <= 8)
        & (whole_digits + decimals <= _MOST_DIGITS)
    )
    odd = np.flatnonzero(~is_plain)
    whole_digits[odd] = decimals[odd] = 0
    words = text.view("<u8")
    digits = _digits_before(words, marks, whole_digits) * _POWER_INT.take(decimals)
    digits += _digits_before(words, ends, np.minimum(decimals, 8))
    many = np.flatnonzero(decimals > 8)
    digits[many] += _digits_before(words, ends[many] - 8, decimals[many] - 8) * _POWER_INT[8]
    values = digits / _POWER.take(decimals)
    return np.where(is_negative, -values, values) + 0.0, odd  # -0.0 is read as 0.0


def _digits_before(words: Words, ends: Integers, counts: Integers) -> Integers:
    """Return the number that the ``counts`` (0 to 8) digits right before each of ``ends`` spell."""
    index = ends >> 3
    shift = ((ends & 7) << 3).astype(np.uint64)
    word = words.take(index - 1) >> shift
    word |= words.take(index) << _ONE << (_LAST_BIT - shift)
    word ^= _ASCII_ZEROS
    word &= _KEEP_LAST.take(counts)
    word = word * _TEN + (word >> _BYTE)
    upper = (word >> _PAIR & _EVERY_FOURTH) * _UNITS
    word = ((word & _EVERY_FOURTH) * _HUNDREDS + upper) >> _HALF
    return word.astype(np.int64)

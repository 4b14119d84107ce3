"""Index notation: parse `A[i,j] = B[i,k] * C[k,j]` into a small expression tree.

An index that is not in the output is summed over. Each term of a sum has to use every summed
index: `y[i] = B[i,j] * x[j] + z[i]` would add z once per j in a single loop nest.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from splyce_bench.errors import UserError

_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z_]\w*)|(?P<number>\d+(?:\.\d+)?)|(?P<mark>[][=+\-*(),]))"
)


@dataclass(frozen=True)
class Access:
    """A tensor with its indices, as in `B[i,k]`."""

    tensor: str
    indices: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.tensor}[{','.join(self.indices)}]"


@dataclass(frozen=True)
class Constant:
    """A literal factor or term."""

    value: float


@dataclass(frozen=True)
class Binary:
    """`left operator right`, where operator is one of + - *."""

    operator: str
    left: "Expression"
    right: "Expression"


Expression = Access | Constant | Binary


@dataclass(frozen=True)
class Assignment:
    """A whole kernel: output access and right-hand side."""

    output: Access
    value: Expression

    @property
    def operands(self) -> list[Access]:
        """The accesses of the right-hand side, in order."""
        return list(accesses(self.value))

    @property
    def indices(self) -> list[str]:
        """All indices in order of first use, the output's first."""
        seen = dict.fromkeys(self.output.indices)
        for access in self.operands:
            seen.update(dict.fromkeys(access.indices))
        return list(seen)

    @property
    def reduced(self) -> set[str]:
        """The indices that are summed over."""
        return set(self.indices) - set(self.output.indices)


def accesses(expression: Expression) -> Iterator[Access]:
    """Yield the tensor accesses of an expression from left to right."""
    match expression:
        case Access():
            yield expression
        case Binary(_, left, right):
            yield from accesses(left)
            yield from accesses(right)


def parse(text: str, where: str) -> Assignment:
    """Parse an assignment; UserError names `where` and the column of the mistake."""
    parser = _Parser(text, where)
    assignment = parser.assignment()
    _check(assignment, where)
    return assignment


class _Parser:
    def __init__(self, text: str, where: str) -> None:
        self.text, self.where, self.position = text, where, 0

    def assignment(self) -> Assignment:
        output = self.access(self.expect("name"))
        self.expect("mark", "=")
        value = self.sum()
        if self.text[self.position :].strip():
            self.fail("an operator or the end")
        return Assignment(output, value)

    def sum(self) -> Expression:
        left = self.product()
        while (operator := self.accept("mark", "+-")) is not None:
            left = Binary(operator, left, self.product())
        return left

    def product(self) -> Expression:
        left = self.factor()
        while self.accept("mark", "*") is not None:
            left = Binary("*", left, self.factor())
        return left

    def factor(self) -> Expression:
        if (number := self.accept("number")) is not None:
            return Constant(float(number))
        if self.accept("mark", "(") is not None:
            inner = self.sum()
            self.expect("mark", ")")
            return inner
        return self.access(self.expect("name"))

    def access(self, tensor: str) -> Access:
        self.expect("mark", "[")
        indices = [self.expect("name")]
        while self.accept("mark", ",") is not None:
            indices.append(self.expect("name"))
        self.expect("mark", "]")
        return Access(tensor, tuple(indices))

    def accept(self, kind: str, allowed: str = "") -> str | None:
        found = _TOKEN.match(self.text, self.position)
        token = found.group(kind) if found else None
        if found is None or token is None or (allowed and token not in allowed):
            return None
        self.position = found.end()
        return str(token)

    def expect(self, kind: str, allowed: str = "") -> str:
        token = self.accept(kind, allowed)
        if token is None:
            self.fail(f"'{allowed}'" if allowed else f"a {kind}")
        return str(token)

    def fail(self, expected: str) -> None:
        raise UserError(
            f"{self.where}: cannot read '{self.text}' at column {self.position + 1}: "
            f"expected {expected}, as in 'A[i,j] = B[i,k] * C[k,j]'"
        )


def _check(assignment: Assignment, where: str) -> None:
    names = [assignment.output.tensor, *(a.tensor for a in assignment.operands)]
    if repeated := {name for name in names if names.count(name) > 1}:
        raise UserError(
            f"{where}: tensor '{min(repeated)}' is used twice; give each use its own name "
            "(two operands may be fed the same input)"
        )
    for access in [assignment.output, *assignment.operands]:
        if len(set(access.indices)) != len(access.indices):
            raise UserError(f"{where}: {access} repeats an index; use a different index for each")
    for index in assignment.indices:
        _check_index(assignment, index, where)
    _check_terms(assignment.value, assignment.reduced, where)


def _check_index(assignment: Assignment, index: str, where: str) -> None:
    users = [a for a in assignment.operands if index in a.indices]
    in_output = index in assignment.output.indices
    if users and (in_output or len(users) > 1):
        return
    only = users[0] if users else assignment.output
    raise UserError(
        f"{where}: index '{index}' is used in {only} only; an index must be used in two "
        "operands, or in one operand and the output"
    )


def _check_terms(expression: Expression, reduced: set[str], where: str) -> None:
    if isinstance(expression, Binary) and expression.operator in "+-":
        _check_terms(expression.left, reduced, where)
        _check_terms(expression.right, reduced, where)
        return
    used = {index for access in accesses(expression) for index in access.indices}
    if missing := reduced - used:
        raise UserError(
            f"{where}: a term does not use the summed index '{min(missing)}'; "
            "every term of a sum must use every summed index"
        )

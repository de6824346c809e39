"""What GraphQL's own scalars let through."""

from math import isinf

from graphql import FloatValueNode, GraphQLError, IntValueNode, StringValueNode, ValueNode
from graphql.validation import ASTValidationRule

from app.core.scalars.words import echo, text_is_clean


class CleanLiterals(ASTValidationRule):
    """Refuses literals that GraphQL's own scalars would let through: infinite numbers, NUL."""

    def enter_float_value(self, node: FloatValueNode, *_: object) -> None:
        self._check_number(node)

    def enter_int_value(self, node: IntValueNode, *_: object) -> None:
        self._check_number(node)

    def enter_string_value(self, node: StringValueNode, *_: object) -> None:
        if not text_is_clean(node.value):
            self._refuse(node, "A string holds a NUL or half of a surrogate pair.")

    def _check_number(self, node: FloatValueNode | IntValueNode) -> None:
        if isinf(float(node.value)):
            shown = echo(node.value)
            self._refuse(node, f"The number {shown} is too large. Example: 1.5e300")

    def _refuse(self, node: ValueNode, message: str) -> None:
        self.report_error(GraphQLError(message, node, extensions={"code": "BAD_INPUT"}))

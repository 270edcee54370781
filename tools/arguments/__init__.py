"""Arguments that a model wrote, made into what it plainly meant, checked, and turned into what the function takes."""

from tools.arguments.coercion import Coerced, coerce_arguments
from tools.arguments.conversion import to_python
from tools.schema.validation import Problem

__all__ = ["Coerced", "Problem", "coerce_arguments", "to_python"]

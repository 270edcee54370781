"""Tool schemas: made from a typed function, checked against one, flattened for a grammar, and validated against.

The JSON schema is the one shape that the model sees, that arguments are fitted to and that they are checked by.
"""

from tools.schema.flattening import flat_schema, inline_schema, parameters_schema
from tools.schema.function import tool_schema
from tools.schema.overrides import check_schema, schema_name
from tools.schema.signature import Parameter, tool_parameters
from tools.schema.validation import Problem, find_problems

__all__ = [
    "Parameter",
    "Problem",
    "check_schema",
    "find_problems",
    "flat_schema",
    "inline_schema",
    "parameters_schema",
    "schema_name",
    "tool_parameters",
    "tool_schema",
]

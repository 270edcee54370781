"""Which of many tools a model is offered for a question."""

from tools.selection.custom import load_selector
from tools.selection.keyword import KeywordSelector, named_in
from tools.selection.model import ModelSelector
from tools.selection.opening import open_selector
from tools.selection.selector import AllSelector, Selection, Selector
from tools.selection.semantic import SemanticSelector

__all__ = [
    "AllSelector",
    "KeywordSelector",
    "ModelSelector",
    "Selection",
    "Selector",
    "SemanticSelector",
    "load_selector",
    "named_in",
    "open_selector",
]

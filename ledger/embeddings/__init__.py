"""Texts become vectors: on this machine with MiniLM, or through an Ollama server by setting."""

from ledger.embeddings.embedder import Embedder
from ledger.embeddings.minilm import MiniLmEmbedder, english_words
from ledger.embeddings.ollama import OllamaEmbedder

__all__ = ["Embedder", "MiniLmEmbedder", "OllamaEmbedder", "english_words"]

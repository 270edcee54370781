"""The platforms: a message comes in, a reply goes out."""

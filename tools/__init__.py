"""What the agent can do, and how it picks among it."""

"""The built-in planner: everyday questions become calls, without any model."""

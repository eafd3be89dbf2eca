"""How work grows with the input: shapes that make work, every public function, and a count of instructions."""

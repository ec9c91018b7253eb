"""The emulated firmware: a pseudo-terminal that speaks the arm's frames and moves a body."""

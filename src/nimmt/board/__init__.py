"""Bundles for boards: one module of MicroPython, made of the names of nimmt that a program uses and what they need.

The source is written for readers, in rooms, with ordinary imports; a small board has room for what it uses, no more. In
this order: `source` reads the modules without what boards do not need, `link` puts what each name means in its place,
`reach` leaves out what is not reached, `bundle` makes one module of the rest, `text` makes the form for a micro:bit,
`files` has what goes to a board.
"""

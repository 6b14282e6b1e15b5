// A function without a body may stand beside an assembly file.

"""Does what is due: slow, one row at a time, the outside world. The only way to it is a `due` row."""

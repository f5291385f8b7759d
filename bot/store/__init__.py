"""What is remembered: one database, SQLite for one process, PostgreSQL for many."""

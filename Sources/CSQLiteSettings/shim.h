// Swift cannot call a variadic function.
#pragma once

int sqlite3_config(int option, ...);

// SQLITE_CONFIG_MEMSTATUS, off (sqlite.org/malloc.html). Has an effect only before SQLite is used.
static inline int tminus_sqlite_stop_counting_memory(void) { return sqlite3_config(9, 0); }

// SQLITE_CONFIG_STMTJRNL_SPILL, never (sqlite.org/tempfiles.html#statement_journal_files). Has an effect only before SQLite is used.
static inline int tminus_sqlite_keep_statement_journals_in_memory(void) { return sqlite3_config(26, -1); }

/* Prints how many rows of 600 bytes a second SQLite takes with synchronous = FULL and a write-ahead log, as the store of tminus
   has it: so many a transaction.

   usage: sqlite FILE ROWS-A-TRANSACTION SECONDS */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void run(sqlite3 *database, const char *text) {
    char *problem = NULL;
    if (sqlite3_exec(database, text, NULL, NULL, &problem)) {
        fprintf(stderr, "%s: %s\n", text, problem);
        exit(74);
    }
}

int main(int argc, char **argv) {
    sqlite3 *database;
    sqlite3_stmt *insert;
    char id[40], payload[560];
    if (argc != 4) return 64;
    if (sqlite3_open(argv[1], &database)) return 74;
    run(database, "PRAGMA journal_mode = WAL");
    run(database, "PRAGMA synchronous = FULL");
    run(database, "CREATE TABLE item (id TEXT PRIMARY KEY, payload BLOB) WITHOUT ROWID");
    if (sqlite3_prepare_v2(database, "INSERT INTO item VALUES (?, ?)", -1, &insert, NULL)) return 74;
    memset(payload, 'x', sizeof payload);
    int batch = atoi(argv[2]), rows = 0;
    double began = now(), limit = atof(argv[3]);
    while (now() - began < limit) {
        run(database, "BEGIN IMMEDIATE");
        for (int index = 0; index < batch; index++) {
            snprintf(id, sizeof id, "%032d", rows++);
            sqlite3_bind_text(insert, 1, id, -1, SQLITE_STATIC);
            sqlite3_bind_blob(insert, 2, payload, sizeof payload, SQLITE_STATIC);
            if (sqlite3_step(insert) != SQLITE_DONE) return 74;
            sqlite3_reset(insert);
        }
        run(database, "COMMIT");
    }
    printf("%.0f\n", rows / (now() - began));
    sqlite3_finalize(insert);
    sqlite3_close(database);
    return 0;
}

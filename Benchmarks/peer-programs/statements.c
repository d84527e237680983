// Sends the statements of another program again, by libpq in pipeline mode: each transaction in as few trips as the buffers of a socket allow.
//
// usage: statements ADDRESS FROM <STATEMENTS
//
// A statement is a line with its length and that of each parameter (-1: NULL), followed by all of these texts. Prints the
// seconds from the statement FROM on, counted from 0.
#include <libpq-fe.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_parameters = 160, most_texts = 1024, depth = 64 };

struct statement {
    char *sql;
    int name, parameters;
    char *values[most_parameters];
};

static PGconn *connection;
static char *texts[most_texts];
static bool is_prepared[most_texts];
static int sent;

static void fail(const char *what) {
    fprintf(stderr, "statements: %s: %s\n", what, connection ? PQerrorMessage(connection) : "");
    exit(1);
}

static void *checked(void *memory) {
    if (!memory) fail("out of memory");
    return memory;
}

static char *read_text(long length) {
    char *text = checked(malloc((size_t)length + 1));
    if (fread(text, 1, (size_t)length, stdin) != (size_t)length) fail("the input ends too early");
    text[length] = 0;
    return text;
}

static bool read_statement(struct statement *statement) {
    char line[4096], *next = line;
    long lengths[most_parameters];
    if (!fgets(line, sizeof line, stdin)) return false;
    long length = strtol(next, &next, 10);
    statement->parameters = 0;
    while (*next == ' ' && statement->parameters < most_parameters)
        lengths[statement->parameters++] = strtol(next, &next, 10);
    if (*next != '\n') fail("the input cannot be read");
    statement->sql = read_text(length);
    for (int i = 0; i < statement->parameters; i++)
        statement->values[i] = lengths[i] < 0 ? NULL : read_text(lengths[i]);
    // Each text is prepared once.
    int name = 0;
    while (name < most_texts && texts[name] && strcmp(texts[name], statement->sql) != 0) name++;
    if (name == most_texts) fail("too many different statements");
    if (!texts[name]) texts[name] = statement->sql;
    statement->name = name;
    return true;
}

// Waits for the answers of everything that was sent.
static void receive(void) {
    if (!PQpipelineSync(connection)) fail("not sent");
    while (true) {
        PGresult *result = PQgetResult(connection);
        if (!result) continue;
        ExecStatusType status = PQresultStatus(result);
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_PIPELINE_SYNC) fail("refused");
        PQclear(result);
        if (status == PGRES_PIPELINE_SYNC) break;
    }
    sent = 0;
}

static void send(const struct statement *statement) {
    char name[16];
    snprintf(name, sizeof name, "t%d", statement->name);
    if (!is_prepared[statement->name] && !PQsendPrepare(connection, name, statement->sql, 0, NULL)) fail("not prepared");
    is_prepared[statement->name] = true;
    if (!PQsendQueryPrepared(
            connection, name, statement->parameters, (const char *const *)statement->values, NULL, NULL, 1))
        fail("not sent");
    if (++sent >= depth || strcmp(statement->sql, "COMMIT") == 0) receive();
}

int main(int count, char **words) {
    if (count != 3) fail("usage: statements ADDRESS FROM <STATEMENTS");
    long from = strtol(words[2], NULL, 10), total = 0, room = 0;
    struct statement *statements = NULL;
    do {
        if (total == room) statements = checked(realloc(statements, sizeof *statements * (size_t)(room = 2 * room + 64)));
    } while (read_statement(&statements[total]) && ++total);
    connection = PQconnectdb(words[1]);
    if (PQstatus(connection) != CONNECTION_OK || !PQenterPipelineMode(connection)) fail("no connection");
    struct timespec began = {0}, ended;
    for (long i = 0; i < total; i++) {
        if (i == from) clock_gettime(CLOCK_MONOTONIC, &began);
        send(&statements[i]);
    }
    clock_gettime(CLOCK_MONOTONIC, &ended);
    printf("%.6f\n", (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec) / 1e9);
    PQfinish(connection);
    return 0;
}

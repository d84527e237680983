// libpq by its header alone: the module links nothing. The library is loaded when a store on PostgreSQL is opened, so
// a daemon on SQLite pays nothing for it.
#pragma once

#include <dlfcn.h>
#include <stddef.h>

#include <postgresql/libpq-fe.h>

// What the program calls (postgresql.org/docs/15/libpq.html).
#define TMINUS_LIBPQ(call)                                                                                             \
    call(PQclear) call(PQcmdTuples) call(PQconnectdbParams) call(PQconninfoFree) call(PQconninfoParse)                 \
    call(PQconsumeInput) call(PQenterPipelineMode) call(PQerrorMessage) call(PQfinish) call(PQfreemem) call(PQftype)   \
    call(PQgetResult) call(PQgetisnull) call(PQgetlength) call(PQgetvalue) call(PQnotifies) call(PQntuples)            \
    call(PQparameterStatus) call(PQpipelineSync) call(PQresultErrorField) call(PQresultStatus) call(PQsendPrepare)     \
    call(PQsendQueryPrepared) call(PQserverVersion) call(PQsetNoticeProcessor) call(PQsocket) call(PQstatus)

struct tminus_libpq {
#define TMINUS_FIELD(name) __typeof__(name) *name;
    TMINUS_LIBPQ(TMINUS_FIELD)
#undef TMINUS_FIELD
};

// Loads the library and finds its functions. Returns NULL, or what is missing; the text lives until the next dlerror().
static inline const char *tminus_load_libpq(struct tminus_libpq *calls) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return dlerror();
#define TMINUS_FIND(name)                                                                                              \
    calls->name = (__typeof__(name) *)dlsym(library, #name);                                                           \
    if (calls->name == NULL) return #name;
    TMINUS_LIBPQ(TMINUS_FIND)
#undef TMINUS_FIND
    return NULL;
}

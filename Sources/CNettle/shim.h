// SHA-256 and HMAC-SHA-256 of libnettle. Nettle 4.0 took the length out of the `_digest` functions: they always write the
// whole digest. Asked for the whole one, those of Nettle 3 do the same.
#pragma once
#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

#if NETTLE_VERSION_MAJOR >= 4
#define TMINUS_WHOLE_DIGEST
#else
#define TMINUS_WHOLE_DIGEST SHA256_DIGEST_SIZE,
#endif

// Writes 32 bytes.
static inline void tminus_sha256_digest(struct sha256_ctx *context, uint8_t *digest) {
    sha256_digest(context, TMINUS_WHOLE_DIGEST digest);
}

// Writes 32 bytes.
static inline void tminus_hmac_sha256_digest(struct hmac_sha256_ctx *context, uint8_t *digest) {
    hmac_sha256_digest(context, TMINUS_WHOLE_DIGEST digest);
}

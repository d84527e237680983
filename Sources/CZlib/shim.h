#pragma once

#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

/// Compresses `length` bytes as a gzip file (RFC 1952), as small as zlib can. `deflateInit2` is a macro, which Swift does
/// not see.
///
/// - Returns: the number of bytes written; 0 if `room` is too small or memory is short.
static inline size_t tminus_gzip(const uint8_t *bytes, size_t length, uint8_t *out, size_t room)
{
    enum { best = 9, largest_window = 15, as_gzip = 16, most_memory = 9 };
    z_stream stream = {0};
    if (deflateInit2(&stream, best, Z_DEFLATED, largest_window + as_gzip, most_memory, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)length;
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    int end = deflate(&stream, Z_FINISH);
    size_t written = stream.total_out;
    deflateEnd(&stream);
    return end == Z_STREAM_END ? written : 0;
}

#pragma once

#include <stddef.h>
#include <stdint.h>

/// A file of the web page, as it was when the program was built.
struct page_file {
    /// Its name: `main.js`.
    const char *name;
    /// Its bytes, which live as long as the program.
    const uint8_t *bytes;
    /// How many they are.
    size_t length;
};

/// The number of files.
size_t page_file_count(void);

/// The file with a number below `page_file_count()`.
struct page_file page_file(size_t number);

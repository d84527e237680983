// Swift's Glibc module does not export malloc_trim(3).
#pragma once
#include <malloc.h>

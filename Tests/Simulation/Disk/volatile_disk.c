// A shim around the default VFS (sqlite.org/vfs.html). At a power cut, each write and each truncation since the last xSync of
// its file is kept, lost or torn, independently of the others. The creation and deletion of files is never lost: SQLite
// synchronizes the directory.
#include "volatile_disk.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { sector = 512 };

// A write of `size` bytes; or, with a negative size, a truncation.
struct change {
    struct change *next;
    sqlite3_int64 offset;
    int size;
    unsigned char bytes[];
};

// What is on the disk of a file, and what is not yet.
struct image {
    struct image *next;
    char *path;
    unsigned char *bytes;
    sqlite3_int64 size;
    struct change *changes;
    struct change **end;
};

struct file {
    sqlite3_file base;
    struct image *image;
    sqlite3_file *usual;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct image *images;
// The directory that takes no more than so many changes.
static struct {
    char *directory;
    long left;
} stop;
static sqlite3_vfs *usual_vfs;
static sqlite3_io_methods methods;

// MARK: Images

static void *allocated(void *memory)
{
    if (memory == NULL) abort();
    return memory;
}

static void resize(struct image *image, sqlite3_int64 size)
{
    image->bytes = allocated(realloc(image->bytes, (size_t)size + 1));
    if (size > image->size) memset(image->bytes + image->size, 0, (size_t)(size - image->size));
    image->size = size;
}

static void apply(struct image *image, const struct change *change, int size)
{
    if (change->size < 0) {
        resize(image, change->offset);
        return;
    }
    if (change->offset + size > image->size) resize(image, change->offset + size);
    memcpy(image->bytes + change->offset, change->bytes, (size_t)size);
}

static void drop_changes(struct image *image)
{
    for (struct change *change = image->changes, *next; change; change = next) {
        next = change->next;
        free(change);
    }
    image->changes = NULL;
    image->end = &image->changes;
}

static void note(struct image *image, sqlite3_int64 offset, const void *bytes, int size)
{
    struct change *change = allocated(malloc(sizeof *change + (size < 0 ? 0 : (size_t)size)));
    *change = (struct change){ .offset = offset, .size = size };
    if (size > 0) memcpy(change->bytes, bytes, (size_t)size);
    pthread_mutex_lock(&lock);
    *image->end = change;
    image->end = &change->next;
    pthread_mutex_unlock(&lock);
}

// The image of a file; that of a file which SQLite has not opened before begins with what the file has.
static struct image *image_of(const char *path)
{
    pthread_mutex_lock(&lock);
    struct image *image = images;
    while (image && strcmp(image->path, path) != 0) image = image->next;
    if (image == NULL) {
        image = allocated(calloc(1, sizeof *image));
        *image = (struct image){ .next = images, .path = allocated(strdup(path)) };
        image->end = &image->changes;
        images = image;
        FILE *stream = fopen(path, "re");
        if (stream) {
            fseek(stream, 0, SEEK_END);
            resize(image, ftell(stream));
            rewind(stream);
            if (fread(image->bytes, 1, (size_t)image->size, stream) != (size_t)image->size) abort();
            fclose(stream);
        }
    }
    pthread_mutex_unlock(&lock);
    return image;
}

static bool is_in(const struct image *image, const char *directory)
{
    const size_t length = strlen(directory);
    return strncmp(image->path, directory, length) == 0 && image->path[length] == '/';
}

// Forgets the images of files in a directory, or that of one file.
static void forget(const char *path, bool is_directory)
{
    const size_t length = strlen(path);
    pthread_mutex_lock(&lock);
    for (struct image **place = &images; *place;) {
        struct image *image = *place;
        const char end = image->path[strnlen(image->path, length)];
        if (strncmp(image->path, path, length) != 0 || end != (is_directory ? '/' : '\0')) {
            place = &image->next;
            continue;
        }
        *place = image->next;
        drop_changes(image);
        free(image->bytes);
        free(image->path);
        free(image);
    }
    pthread_mutex_unlock(&lock);
}

void volatile_disk_forget(const char *directory) { forget(directory, true); }

// splitmix64 (prng.di.unimi.it/splitmix64.c).
static uint64_t draw(uint64_t *seed)
{
    uint64_t value = (*seed += 0x9E3779B97F4A7C15);
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}

// Has some of the changes reach the disk. Returns how many did not, or not wholly.
static long settle(struct image *image, uint64_t *seed)
{
    long lost = 0;
    for (const struct change *change = image->changes; change; change = change->next) {
        const uint64_t fate = draw(seed) % 3;
        const sqlite3_int64 first = change->offset / sector;
        // A torn write ends at a border between two sectors.
        const sqlite3_int64 borders = change->size < 1 ? 0 : (change->offset + change->size - 1) / sector - first;
        if (fate == 0 || (fate == 1 && borders == 0)) {
            lost++;
            continue;
        }
        int kept = change->size;
        if (fate == 1) {
            kept = (int)((first + 1 + (sqlite3_int64)(draw(seed) % (uint64_t)borders)) * sector - change->offset);
            lost++;
        }
        apply(image, change, kept);
    }
    return lost;
}

static int write_file(const struct image *image, const char *directory)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s", directory, strrchr(image->path, '/'));
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0) return -1;
    errno = ENOSPC;
    const bool is_written = write(descriptor, image->bytes, (size_t)image->size) == image->size;
    close(descriptor);
    return is_written ? 0 : -1;
}

long volatile_disk_cut(const char *from, const char *to, uint64_t seed)
{
    long lost = 0;
    pthread_mutex_lock(&lock);
    for (struct image *image = images; image && lost >= 0; image = image->next) {
        if (!is_in(image, from)) continue;
        lost += settle(image, &seed);
        drop_changes(image);
        if (write_file(image, to) != 0) lost = -1;
    }
    pthread_mutex_unlock(&lock);
    return lost;
}

void volatile_disk_move(const char *from, const char *to)
{
    const size_t length = strlen(from);
    pthread_mutex_lock(&lock);
    for (struct image *image = images; image; image = image->next) {
        if (!is_in(image, from)) continue;
        const char *name = image->path + length;
        char *path = allocated(malloc(strlen(to) + strlen(name) + 1));
        strcpy(stpcpy(path, to), name);
        free(image->path);
        image->path = path;
    }
    pthread_mutex_unlock(&lock);
}

void volatile_disk_stop(const char *directory, long changes)
{
    pthread_mutex_lock(&lock);
    if (stop.directory) abort();
    stop.directory = allocated(strdup(directory));
    stop.left = changes;
    pthread_mutex_unlock(&lock);
}

bool volatile_disk_go_on(void)
{
    pthread_mutex_lock(&lock);
    free(stop.directory);
    stop.directory = NULL;
    const bool has_failed = stop.left < 0;
    pthread_mutex_unlock(&lock);
    return has_failed;
}

// Whether a file takes one more change.
static bool takes(sqlite3_file *file)
{
    pthread_mutex_lock(&lock);
    const bool is_stopping = stop.directory && is_in(((struct file *)file)->image, stop.directory);
    const bool is_taken = !is_stopping || stop.left-- > 0;
    pthread_mutex_unlock(&lock);
    return is_taken;
}

// MARK: The VFS

static sqlite3_file *usual(sqlite3_file *file) { return ((struct file *)file)->usual; }

static int do_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset)
{
    if (!takes(file)) return SQLITE_IOERR_WRITE;
    const int code = usual(file)->pMethods->xWrite(usual(file), bytes, size, offset);
    if (code == SQLITE_OK) note(((struct file *)file)->image, offset, bytes, size);
    return code;
}

static int do_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    if (!takes(file)) return SQLITE_IOERR_TRUNCATE;
    const int code = usual(file)->pMethods->xTruncate(usual(file), size);
    if (code == SQLITE_OK) note(((struct file *)file)->image, size, NULL, -1);
    return code;
}

static int do_sync(sqlite3_file *file, int flags)
{
    if (!takes(file)) return SQLITE_IOERR_FSYNC;
    const int code = usual(file)->pMethods->xSync(usual(file), flags);
    if (code != SQLITE_OK) return code;
    struct image *image = ((struct file *)file)->image;
    pthread_mutex_lock(&lock);
    for (const struct change *change = image->changes; change; change = change->next) apply(image, change, change->size);
    drop_changes(image);
    pthread_mutex_unlock(&lock);
    return code;
}

static int do_close(sqlite3_file *file) { return usual(file)->pMethods->xClose(usual(file)); }

static int do_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset)
{
    return usual(file)->pMethods->xRead(usual(file), bytes, size, offset);
}

static int do_size(sqlite3_file *file, sqlite3_int64 *size) { return usual(file)->pMethods->xFileSize(usual(file), size); }

static int do_lock(sqlite3_file *file, int level) { return usual(file)->pMethods->xLock(usual(file), level); }

static int do_unlock(sqlite3_file *file, int level) { return usual(file)->pMethods->xUnlock(usual(file), level); }

static int do_check_lock(sqlite3_file *file, int *is_held)
{
    return usual(file)->pMethods->xCheckReservedLock(usual(file), is_held);
}

static int do_control(sqlite3_file *file, int what, void *argument)
{
    return usual(file)->pMethods->xFileControl(usual(file), what, argument);
}

static int do_sector_size(sqlite3_file *file) { return usual(file)->pMethods->xSectorSize(usual(file)); }

static int do_characteristics(sqlite3_file *file) { return usual(file)->pMethods->xDeviceCharacteristics(usual(file)); }

static int do_map(sqlite3_file *file, int region, int size, int extends, void volatile **memory)
{
    return usual(file)->pMethods->xShmMap(usual(file), region, size, extends, memory);
}

static int do_lock_map(sqlite3_file *file, int offset, int count, int flags)
{
    return usual(file)->pMethods->xShmLock(usual(file), offset, count, flags);
}

static void do_barrier(sqlite3_file *file) { usual(file)->pMethods->xShmBarrier(usual(file)); }

static int do_unmap(sqlite3_file *file, int deletes) { return usual(file)->pMethods->xShmUnmap(usual(file), deletes); }

static sqlite3_io_methods methods = {
    .iVersion = 2, .xClose = do_close, .xRead = do_read, .xWrite = do_write, .xTruncate = do_truncate, .xSync = do_sync,
    .xFileSize = do_size, .xLock = do_lock, .xUnlock = do_unlock, .xCheckReservedLock = do_check_lock,
    .xFileControl = do_control, .xSectorSize = do_sector_size, .xDeviceCharacteristics = do_characteristics,
    .xShmMap = do_map, .xShmLock = do_lock_map, .xShmBarrier = do_barrier, .xShmUnmap = do_unmap,
};

static int do_open(sqlite3_vfs *vfs, sqlite3_filename path, sqlite3_file *file, int flags, int *result)
{
    // Temporary files have no name, and none of them survives the process.
    if (path == NULL) return usual_vfs->xOpen(usual_vfs, path, file, flags, result);
    (void)vfs;
    struct file *own = (struct file *)file;
    own->base.pMethods = NULL;
    own->usual = (sqlite3_file *)(own + 1);
    // Before the usual one makes the file.
    own->image = image_of(path);
    const int code = usual_vfs->xOpen(usual_vfs, path, own->usual, flags, result);
    if (own->usual->pMethods) own->base.pMethods = &methods;
    return code;
}

static int do_delete(sqlite3_vfs *vfs, const char *path, int synchronizes)
{
    (void)vfs;
    const int code = usual_vfs->xDelete(usual_vfs, path, synchronizes);
    if (code == SQLITE_OK) forget(path, false);
    return code;
}

int volatile_disk_install(void)
{
    static sqlite3_vfs vfs;
    usual_vfs = sqlite3_vfs_find(NULL);
    if (usual_vfs == NULL) return SQLITE_ERROR;
    vfs = *usual_vfs;
    vfs.pNext = NULL;
    vfs.zName = "volatile";
    vfs.szOsFile = (int)sizeof(struct file) + usual_vfs->szOsFile;
    vfs.xOpen = do_open;
    vfs.xDelete = do_delete;
    return sqlite3_vfs_register(&vfs, 1);
}

/* One fault at one call on the files of one folder: loaded before the C library (LD_PRELOAD) by tests/it/book/faults.rs.
 *
 * FAULT_DIR   calls on files whose path contains this are counted, others are left alone
 * FAULT_OP    open, write, pwrite, fsync, ftruncate, rename or unlink
 * FAULT_AT    which call of this kind, from 1; 0 is none
 * FAULT_KIND  KILL, TORN (half of the bytes, then KILL), EIO, ENOSPC or EINTR
 * FAULT_LOG   every counted call is a line of this file
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define MOST 4096
static char ours[MOST];
static long calls;

static int is_ours(const char *path) {
    const char *folder = getenv("FAULT_DIR");
    return folder && path && strstr(path, folder) != NULL;
}

static int is_our_file(int file) { return file >= 0 && file < MOST && ours[file]; }

/* The error of this call; 0 for none. Ends the process where the fault says so. */
static int fault(const char *op, int file, const void *bytes, size_t count, off_t at, int has_at) {
    const char *log = getenv("FAULT_LOG"), *wanted = getenv("FAULT_OP"), *kind = getenv("FAULT_KIND");
    if (log) {
        int to = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT, 0600);
        if (to >= 0) {
            char line[32];
            size_t length = strlen(op);
            memcpy(line, op, length);
            line[length] = '\n';
            syscall(SYS_write, to, line, length + 1);
            syscall(SYS_close, to);
        }
    }
    if (!wanted || !kind || strcmp(wanted, op) != 0)
        return 0;
    const char *which = getenv("FAULT_AT");
    if (!which || ++calls != atol(which))
        return 0;
    if (strcmp(kind, "TORN") == 0 && bytes && count > 1) {
        if (has_at)
            syscall(SYS_pwrite64, file, bytes, count / 2, at);
        else
            syscall(SYS_write, file, bytes, count / 2);
    }
    if (strcmp(kind, "KILL") == 0 || strcmp(kind, "TORN") == 0)
        kill(getpid(), SIGKILL);
    return strcmp(kind, "EIO") == 0 ? EIO : strcmp(kind, "ENOSPC") == 0 ? ENOSPC : EINTR;
}

#define REAL(name, ...) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
    return real(__VA_ARGS__)

#define STOP(op, file, bytes, count, at, has_at) \
    do { \
        int error = fault(op, file, bytes, count, at, has_at); \
        if (error) { errno = error; return -1; } \
    } while (0)

static int opened(int file, const char *path) {
    if (file >= 0 && file < MOST)
        ours[file] = is_ours(path);
    return file;
}

#define OPENS(name, first, ...) \
    int name first { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        if (is_ours(path)) STOP("open", -1, NULL, 0, 0, 0); \
        static __typeof__(&name) real; \
        if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        return opened(real(__VA_ARGS__, mode), path); \
    }

OPENS(open, (const char *path, int flags, ...), path, flags)
OPENS(open64, (const char *path, int flags, ...), path, flags)
OPENS(openat, (int folder, const char *path, int flags, ...), folder, path, flags)
OPENS(openat64, (int folder, const char *path, int flags, ...), folder, path, flags)

int close(int file) {
    if (file >= 0 && file < MOST)
        ours[file] = 0;
    REAL(close, file);
}

ssize_t write(int file, const void *bytes, size_t count) {
    if (is_our_file(file)) STOP("write", file, bytes, count, 0, 0);
    REAL(write, file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
    if (is_our_file(file)) STOP("pwrite", file, bytes, count, at, 1);
    REAL(pwrite, file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
    if (is_our_file(file)) STOP("pwrite", file, bytes, count, at, 1);
    REAL(pwrite64, file, bytes, count, at);
}

int fsync(int file) {
    if (is_our_file(file)) STOP("fsync", file, NULL, 0, 0, 0);
    REAL(fsync, file);
}

int fdatasync(int file) {
    if (is_our_file(file)) STOP("fsync", file, NULL, 0, 0, 0);
    REAL(fdatasync, file);
}

int ftruncate(int file, off_t length) {
    if (is_our_file(file)) STOP("ftruncate", file, NULL, 0, 0, 0);
    REAL(ftruncate, file, length);
}

int ftruncate64(int file, off64_t length) {
    if (is_our_file(file)) STOP("ftruncate", file, NULL, 0, 0, 0);
    REAL(ftruncate64, file, length);
}

int rename(const char *from, const char *to) {
    if (is_ours(from)) STOP("rename", -1, NULL, 0, 0, 0);
    REAL(rename, from, to);
}

int unlink(const char *path) {
    if (is_ours(path)) STOP("unlink", -1, NULL, 0, 0, 0);
    REAL(unlink, path);
}

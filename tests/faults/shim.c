/* Between a program and its disk: at the n-th durable call under a folder, be killed, write half and be killed, or fail.
 * And a log of all of them, from which any state can be rebuilt that a loss of power could leave.
 *
 * Loaded with LD_PRELOAD. Counts every call that changes what is on the disk below the folder that was armed: what a kill after the
 * n-th of them leaves behind is every state that a crash of the process can leave.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum action { NOTHING, KILLED, HALF, FAILS_ONCE, FAILS_FOR_EVER };

static char under[4096];
static long calls, chosen;
static enum action action;
static int code, armed, logged = -1;

/* folder: absolute, resolved; at: the call at which it happens, from 1 on; error: an errno */
void fault_arm(const char *folder, long at, int what, int error) {
    snprintf(under, sizeof under, "%s", folder);
    calls = 0, chosen = at, action = what, code = error, armed = 1;
}

/* Whether calls count and fail: off while somebody else is played. */
void fault_pause(int paused) { armed = !paused; }

/* Write every durable call to this descriptor from now on: a line "op call offset size path [path]", then the bytes that were written. */
void fault_log(int fd) { logged = fd; }

long fault_calls(void) { return calls; }

/* Whether it is the folder, or below it. */
static int path_is_ours(const char *path) {
    size_t length = strlen(under);
    return armed && path && strncmp(path, under, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int is_ours(int fd) {
    char link[64], path[4096];
    if (!armed) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return path_is_ours(path);
}

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
}

/* Counts a call. 0: let it be done; HALF: do a half of it and die; else it has failed, and errno is set. */
static int struck(void) {
    calls++;
    if (calls != chosen && !(action == FAILS_FOR_EVER && calls > chosen && chosen)) return 0;
    if (action == KILLED) die();
    if (action == HALF || action == NOTHING) return action;
    errno = code;
    return action;
}

static void put(const void *data, size_t size) {
    static __typeof__(write) *real;
    if (!real) real = (__typeof__(write) *)dlsym(RTLD_NEXT, "write");
    for (const char *at = data; size;) {
        ssize_t done = real(logged, at, size);
        if (done <= 0) die();
        at += done, size -= done;
    }
}

static void note(const char *op, const char *path, const char *other, long offset, long size, const void *data) {
    char line[9000];
    if (logged < 0) return;
    int length = snprintf(line, sizeof line, "%s\t%ld\t%ld\t%ld\t%s\t%s\n", op, calls, offset, size, path, other ? other : "");
    put(line, length);
    if (data) put(data, size);
}

static void note_fd(const char *op, int fd, long offset, long size, const void *data) {
    char link[64], path[4096];
    if (logged < 0) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) die();
    path[length] = 0;
    note(op, path, 0, offset, size, data);
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define WRITES(name, parameters, arguments, half, offset)                                      \
    ssize_t name parameters {                                                                  \
        REAL(name);                                                                            \
        int ours = is_ours(fd), hit = ours ? struck() : 0;                                     \
        if (hit == HALF) { real half; die(); }                                                 \
        ssize_t done = hit ? -1 : real arguments;                                              \
        if (ours && done > 0) note_fd("write", fd, offset, done, data);                        \
        return done;                                                                           \
    }
WRITES(write, (int fd, const void *data, size_t size), (fd, data, size), (fd, data, size / 2), lseek(fd, 0, SEEK_CUR) - done)
WRITES(pwrite, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at), (fd, data, size / 2, at), at)
WRITES(pwrite64, (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at), (fd, data, size / 2, at), at)

#define DOES(name, which, parameters, arguments, told)                                         \
    int name parameters {                                                                      \
        REAL(name);                                                                            \
        int ours = which, hit = ours ? struck() : 0;                                           \
        if (hit == HALF) die();                                                                \
        int done = hit ? -1 : real arguments;                                                  \
        if (ours && done == 0) told;                                                           \
        return done;                                                                           \
    }
DOES(fsync, is_ours(fd), (int fd), (fd), note_fd("sync", fd, 0, 0, 0))
DOES(fdatasync, is_ours(fd), (int fd), (fd), note_fd("sync", fd, 0, 0, 0))
DOES(ftruncate, is_ours(fd), (int fd, off_t size), (fd, size), note_fd("cut", fd, 0, size, 0))
DOES(ftruncate64, is_ours(fd), (int fd, off64_t size), (fd, size), note_fd("cut", fd, 0, size, 0))
DOES(unlink, path_is_ours(path), (const char *path), (path), note("unlink", path, 0, 0, 0, 0))
DOES(unlinkat, path_is_ours(path), (int folder, const char *path, int flags), (folder, path, flags), note("unlink", path, 0, 0, 0, 0))
DOES(link, path_is_ours(to), (const char *from, const char *to), (from, to), note("link", from, to, 0, 0, 0))
DOES(linkat, path_is_ours(to), (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags),
     note("link", from, to, 0, 0, 0))
DOES(rename, path_is_ours(to), (const char *from, const char *to), (from, to), note("rename", from, to, 0, 0, 0))
DOES(renameat, path_is_ours(to), (int a, const char *from, int b, const char *to), (a, from, b, to), note("rename", from, to, 0, 0, 0))
DOES(renameat2, path_is_ours(to), (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags),
     note(flags & RENAME_EXCHANGE ? "exchange" : "rename", from, to, 0, 0, 0))
DOES(mkdir, path_is_ours(path), (const char *path, mode_t mode), (path, mode), note("folder", path, 0, 0, 0, 0))

#define OPENS(name)                                                                            \
    int name(const char *path, int flags, ...) {                                               \
        REAL(name);                                                                            \
        va_list more;                                                                          \
        va_start(more, flags);                                                                 \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;                \
        va_end(more);                                                                          \
        int ours = flags & (O_CREAT | O_TRUNC) && path_is_ours(path), hit = ours ? struck() : 0; \
        if (hit == HALF) die();                                                                \
        int done = hit ? -1 : real(path, flags, mode);                                         \
        if (ours && done >= 0) note(flags & O_TRUNC ? "empty" : "create", path, 0, 0, 0, 0);   \
        return done;                                                                           \
    }
OPENS(open)
OPENS(open64)

/* Between a program and its disk: at the n-th durable call under a folder, be killed, write half and be killed, or fail.
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
static int code, armed;

/* folder: absolute, resolved; at: the call at which it happens, from 1 on; error: an errno */
void fault_arm(const char *folder, long at, int what, int error) {
    snprintf(under, sizeof under, "%s/", folder);
    calls = 0, chosen = at, action = what, code = error, armed = 1;
}

/* Whether calls count and fail: off while somebody else is played. */
void fault_pause(int paused) { armed = !paused; }

long fault_calls(void) { return calls; }

static int path_is_ours(const char *path) { return armed && path && strncmp(path, under, strlen(under)) == 0; }

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

#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define WRITES(name, parameters, arguments, half)                                              \
    ssize_t name parameters {                                                                  \
        REAL(name);                                                                            \
        int hit = is_ours(fd) ? struck() : 0;                                                  \
        if (hit == HALF) { real half; die(); }                                                 \
        return hit ? -1 : real arguments;                                                      \
    }
WRITES(write, (int fd, const void *data, size_t size), (fd, data, size), (fd, data, size / 2))
WRITES(pwrite, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at), (fd, data, size / 2, at))
WRITES(pwrite64, (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at), (fd, data, size / 2, at))

#define DOES(name, ours, parameters, arguments)                                                \
    int name parameters {                                                                      \
        REAL(name);                                                                            \
        int hit = ours ? struck() : 0;                                                         \
        if (hit == HALF) die();                                                                \
        return hit ? -1 : real arguments;                                                      \
    }
DOES(fsync, is_ours(fd), (int fd), (fd))
DOES(fdatasync, is_ours(fd), (int fd), (fd))
DOES(ftruncate, is_ours(fd), (int fd, off_t size), (fd, size))
DOES(ftruncate64, is_ours(fd), (int fd, off64_t size), (fd, size))
DOES(unlink, path_is_ours(path), (const char *path), (path))
DOES(unlinkat, path_is_ours(path), (int folder, const char *path, int flags), (folder, path, flags))
DOES(link, path_is_ours(to), (const char *from, const char *to), (from, to))
DOES(linkat, path_is_ours(to), (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags))
DOES(rename, path_is_ours(to), (const char *from, const char *to), (from, to))
DOES(renameat, path_is_ours(to), (int a, const char *from, int b, const char *to), (a, from, b, to))
DOES(renameat2, path_is_ours(to), (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags))
DOES(mkdir, path_is_ours(path), (const char *path, mode_t mode), (path, mode))

#define OPENS(name)                                                                            \
    int name(const char *path, int flags, ...) {                                               \
        REAL(name);                                                                            \
        va_list more;                                                                          \
        va_start(more, flags);                                                                 \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;                \
        va_end(more);                                                                          \
        int hit = flags & (O_CREAT | O_TRUNC) && path_is_ours(path) ? struck() : 0;            \
        if (hit == HALF) die();                                                                \
        return hit ? -1 : real(path, flags, mode);                                             \
    }
OPENS(open)
OPENS(open64)

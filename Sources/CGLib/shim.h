#include <glib-unix.h>
#include <glib.h>
#include <spawn.h>

// glibc declares it for _GNU_SOURCE only, which Swift's view of the headers lacks.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

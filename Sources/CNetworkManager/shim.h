#include <NetworkManager.h>
// For malloc_trim, which gives back what a closed NMClient took.
#include <malloc.h>

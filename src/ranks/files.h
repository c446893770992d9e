/* The files of a checkpoint that ranks write: see driver/parts.h. */
#ifndef EVR_RANKS_FILES_H
#define EVR_RANKS_FILES_H

/* Each returns 0 or errno. */
int evr_files_write_part(const char *directory, const char *model, unsigned long long epoch, int rank,
			 const char *text);
int evr_files_write_list(const char *directory, const char *model, unsigned long long epoch, int ranks);
/* The largest epoch of which there are parts, 0 if there are none. */
unsigned long long evr_files_last_epoch(const char *directory, const char *model);
/* Remove the parts of epochs before this one; of `rank` only, if it is not negative. */
void evr_files_remove(const char *directory, const char *model, unsigned long long before, int rank);
void evr_files_remove_list(const char *directory, const char *model);

#endif

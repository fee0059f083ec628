/* A small journaling file system in memory, in the spirit of the Daisy benchmark: per-inode and per-block locks, a
   journal of whole blocks, a directory, a bitmap, checksums, a checker.

   Order of locks: an inode's, then the bitmap's, then a block's, then the journal's. What each lock guards:
     inode_lock[i]   inodes[i]
     bitmap_lock     bitmap, free_blocks
     block_lock[b]   disk[b]
     journal_lock    journal, journal_head, journal_sequence
     directory_lock  directory

   RACE=1 seeds a race in the journal: the sequence number is looked at after the lock has been given up.
   RACE=2 seeds a race in the allocator: the number of free blocks is looked at before the lock is taken.
   RACE=0 (the default) has none. OPERATIONS chooses what the two clients do: see main. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef RACE
#define RACE 0
#endif
#ifndef OPERATIONS
#define OPERATIONS 1
#endif

enum {
    BLOCK_SIZE = 4,
    BLOCK_COUNT = 6,
    INODE_COUNT = 3,
    DIRECT_BLOCKS = 2,
    DIRECTORY_SIZE = 3,
    NAME_SIZE = 4,
    JOURNAL_SIZE = 4,
    NO_BLOCK = -1,
    NO_INODE = -1,
};

enum status {
    FS_OK = 0,
    FS_NO_SPACE = -2,
    FS_NOT_FOUND = -3,
    FS_EXISTS = -4,
    FS_TOO_BIG = -5,
    FS_BAD_INODE = -6,
    FS_CORRUPT = -7,
};

enum inode_kind { INODE_FREE, INODE_FILE };

struct inode {
    enum inode_kind kind;
    int size;
    int blocks[DIRECT_BLOCKS];
    int links;
    int version;
};

struct block {
    unsigned char data[BLOCK_SIZE];
    unsigned char checksum;
};

struct directory_entry {
    bool used;
    char name[NAME_SIZE];
    int inode;
};

enum journal_kind { JOURNAL_EMPTY, JOURNAL_WRITE, JOURNAL_COMMIT };

struct journal_entry {
    enum journal_kind kind;
    int sequence;
    int block;
    struct block content;
};

static struct inode inodes[INODE_COUNT];
static struct block disk[BLOCK_COUNT];
static bool bitmap[BLOCK_COUNT];
static int free_blocks;
static struct directory_entry directory[DIRECTORY_SIZE];
static struct journal_entry journal[JOURNAL_SIZE];
static int journal_head;
static int journal_sequence;

static pthread_mutex_t inode_lock[INODE_COUNT];
static pthread_mutex_t block_lock[BLOCK_COUNT];
static pthread_mutex_t bitmap_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t directory_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- small helpers ------------------------------------------------------------------------------------------- */

static int minimum(int a, int b)
{
    return a < b ? a : b;
}

static bool valid_inode(int number)
{
    return number >= 0 && number < INODE_COUNT;
}

static bool valid_block(int number)
{
    return number >= 0 && number < BLOCK_COUNT;
}

static bool same_name(const char *a, const char *b)
{
    for (int i = 0; i < NAME_SIZE; i++) {
        if (a[i] != b[i])
            return false;
        if (a[i] == '\0')
            return true;
    }
    return true;
}

static void copy_name(char *to, const char *from)
{
    int i = 0;
    for (; i < NAME_SIZE - 1 && from[i] != '\0'; i++)
        to[i] = from[i];
    for (; i < NAME_SIZE; i++)
        to[i] = '\0';
}

static unsigned char checksum_of(const struct block *block)
{
    unsigned char sum = 0x5A;
    for (int i = 0; i < BLOCK_SIZE; i++)
        sum = (unsigned char)(sum * 3 + block->data[i]);
    return sum;
}

static void clear_block(struct block *block)
{
    for (int i = 0; i < BLOCK_SIZE; i++)
        block->data[i] = 0;
    block->checksum = checksum_of(block);
}

static void copy_block(struct block *to, const struct block *from)
{
    for (int i = 0; i < BLOCK_SIZE; i++)
        to->data[i] = from->data[i];
    to->checksum = from->checksum;
}

/* ---- the journal --------------------------------------------------------------------------------------------- */

/* A transaction: the blocks it has written, until they are committed. */
struct transaction {
    int sequence;
    int entries;
};

static void journal_reset(void)
{
    for (int i = 0; i < JOURNAL_SIZE; i++) {
        journal[i].kind = JOURNAL_EMPTY;
        journal[i].sequence = 0;
        journal[i].block = NO_BLOCK;
        clear_block(&journal[i].content);
    }
    journal_head = 0;
    journal_sequence = 1;
}

static void journal_begin(struct transaction *transaction)
{
    transaction->entries = 0;
#if RACE == 1
    transaction->sequence = journal_sequence;
    pthread_mutex_lock(&journal_lock);
    journal_sequence++;
    pthread_mutex_unlock(&journal_lock);
#else
    pthread_mutex_lock(&journal_lock);
    transaction->sequence = journal_sequence++;
    pthread_mutex_unlock(&journal_lock);
#endif
}

static void journal_append(struct transaction *transaction, enum journal_kind kind, int block,
                           const struct block *content)
{
    struct journal_entry *entry = &journal[journal_head];
    entry->kind = kind;
    entry->sequence = transaction->sequence;
    entry->block = block;
    if (content != NULL)
        copy_block(&entry->content, content);
    journal_head = (journal_head + 1) % JOURNAL_SIZE;
    transaction->entries++;
}

static void journal_write(struct transaction *transaction, int block, const struct block *content)
{
    pthread_mutex_lock(&journal_lock);
    journal_append(transaction, JOURNAL_WRITE, block, content);
    pthread_mutex_unlock(&journal_lock);
}

static void journal_commit(struct transaction *transaction)
{
    if (transaction->entries == 0)
        return;
    pthread_mutex_lock(&journal_lock);
    journal_append(transaction, JOURNAL_COMMIT, NO_BLOCK, NULL);
    pthread_mutex_unlock(&journal_lock);
}

static bool journal_committed(int sequence)
{
    for (int i = 0; i < JOURNAL_SIZE; i++) {
        if (journal[i].kind == JOURNAL_COMMIT && journal[i].sequence == sequence)
            return true;
    }
    return false;
}

/* Replays what was committed, the oldest entry first. For a file system that nobody else uses. */
static int journal_recover(void)
{
    int replayed = 0;
    for (int n = 0; n < JOURNAL_SIZE; n++) {
        const struct journal_entry *entry = &journal[(journal_head + n) % JOURNAL_SIZE];
        if (entry->kind != JOURNAL_WRITE || !valid_block(entry->block))
            continue;
        if (!journal_committed(entry->sequence))
            continue;
        copy_block(&disk[entry->block], &entry->content);
        replayed++;
    }
    journal_reset();
    return replayed;
}

/* ---- blocks -------------------------------------------------------------------------------------------------- */

static int block_allocate(void)
{
#if RACE == 2
    if (free_blocks == 0)
        return FS_NO_SPACE;
    pthread_mutex_lock(&bitmap_lock);
#else
    pthread_mutex_lock(&bitmap_lock);
    if (free_blocks == 0) {
        pthread_mutex_unlock(&bitmap_lock);
        return FS_NO_SPACE;
    }
#endif
    int found = FS_NO_SPACE;
    for (int b = 0; b < BLOCK_COUNT; b++) {
        if (!bitmap[b]) {
            bitmap[b] = true;
            free_blocks--;
            found = b;
            break;
        }
    }
    pthread_mutex_unlock(&bitmap_lock);
    return found;
}

static void block_free(int block)
{
    assert(valid_block(block));
    pthread_mutex_lock(&bitmap_lock);
    assert(bitmap[block]);
    bitmap[block] = false;
    free_blocks++;
    pthread_mutex_unlock(&bitmap_lock);
}

static void block_write(struct transaction *transaction, int block, const unsigned char *data, int from, int length)
{
    assert(valid_block(block) && from >= 0 && from + length <= BLOCK_SIZE);
    struct block next;
    pthread_mutex_lock(&block_lock[block]);
    copy_block(&next, &disk[block]);
    for (int i = 0; i < length; i++)
        next.data[from + i] = data[i];
    next.checksum = checksum_of(&next);
    journal_write(transaction, block, &next);
    copy_block(&disk[block], &next);
    pthread_mutex_unlock(&block_lock[block]);
}

static int block_read(int block, unsigned char *data, int from, int length)
{
    assert(valid_block(block) && from >= 0 && from + length <= BLOCK_SIZE);
    struct block content;
    pthread_mutex_lock(&block_lock[block]);
    copy_block(&content, &disk[block]);
    pthread_mutex_unlock(&block_lock[block]);
    if (content.checksum != checksum_of(&content))
        return FS_CORRUPT;
    for (int i = 0; i < length; i++)
        data[i] = content.data[from + i];
    return length;
}

/* ---- inodes -------------------------------------------------------------------------------------------------- */

static void inode_clear(struct inode *inode)
{
    inode->kind = INODE_FREE;
    inode->size = 0;
    inode->links = 0;
    for (int i = 0; i < DIRECT_BLOCKS; i++)
        inode->blocks[i] = NO_BLOCK;
}

static int inode_allocate(void)
{
    for (int i = 0; i < INODE_COUNT; i++) {
        pthread_mutex_lock(&inode_lock[i]);
        if (inodes[i].kind == INODE_FREE) {
            inode_clear(&inodes[i]);
            inodes[i].kind = INODE_FILE;
            inodes[i].links = 1;
            inodes[i].version++;
            pthread_mutex_unlock(&inode_lock[i]);
            return i;
        }
        pthread_mutex_unlock(&inode_lock[i]);
    }
    return NO_INODE;
}

/* The inode is locked. */
static int inode_block(struct inode *inode, int index, bool allocate)
{
    if (index < 0 || index >= DIRECT_BLOCKS)
        return FS_TOO_BIG;
    if (inode->blocks[index] == NO_BLOCK && allocate) {
        int block = block_allocate();
        if (block < 0)
            return block;
        inode->blocks[index] = block;
    }
    return inode->blocks[index];
}

static int inode_write(int number, const unsigned char *data, int offset, int length)
{
    if (!valid_inode(number))
        return FS_BAD_INODE;
    struct transaction transaction;
    int written = 0;
    journal_begin(&transaction);
    pthread_mutex_lock(&inode_lock[number]);
    struct inode *inode = &inodes[number];
    if (inode->kind != INODE_FILE) {
        pthread_mutex_unlock(&inode_lock[number]);
        return FS_BAD_INODE;
    }
    while (written < length) {
        int at = offset + written;
        int block = inode_block(inode, at / BLOCK_SIZE, true);
        if (block < 0) {
            if (written == 0)
                written = block;
            break;
        }
        int part = minimum(length - written, BLOCK_SIZE - at % BLOCK_SIZE);
        block_write(&transaction, block, data + written, at % BLOCK_SIZE, part);
        written += part;
    }
    if (written > 0 && offset + written > inode->size)
        inode->size = offset + written;
    inode->version++;
    journal_commit(&transaction);
    pthread_mutex_unlock(&inode_lock[number]);
    return written;
}

static int inode_read(int number, unsigned char *data, int offset, int length)
{
    if (!valid_inode(number))
        return FS_BAD_INODE;
    int done = 0;
    pthread_mutex_lock(&inode_lock[number]);
    struct inode *inode = &inodes[number];
    if (inode->kind != INODE_FILE) {
        pthread_mutex_unlock(&inode_lock[number]);
        return FS_BAD_INODE;
    }
    length = minimum(length, inode->size - offset);
    while (done < length) {
        int at = offset + done;
        int block = inode_block(inode, at / BLOCK_SIZE, false);
        int part = minimum(length - done, BLOCK_SIZE - at % BLOCK_SIZE);
        if (block == NO_BLOCK) {
            for (int i = 0; i < part; i++)
                data[done + i] = 0;
        } else {
            int got = block_read(block, data + done, at % BLOCK_SIZE, part);
            if (got < 0) {
                done = got;
                break;
            }
        }
        done += part;
    }
    pthread_mutex_unlock(&inode_lock[number]);
    return done;
}

static int inode_truncate(int number)
{
    if (!valid_inode(number))
        return FS_BAD_INODE;
    pthread_mutex_lock(&inode_lock[number]);
    struct inode *inode = &inodes[number];
    for (int i = 0; i < DIRECT_BLOCKS; i++) {
        if (inode->blocks[i] != NO_BLOCK) {
            block_free(inode->blocks[i]);
            inode->blocks[i] = NO_BLOCK;
        }
    }
    inode->size = 0;
    inode->version++;
    pthread_mutex_unlock(&inode_lock[number]);
    return FS_OK;
}

static void inode_release(int number)
{
    (void)inode_truncate(number);
    pthread_mutex_lock(&inode_lock[number]);
    inode_clear(&inodes[number]);
    pthread_mutex_unlock(&inode_lock[number]);
}

/* ---- the directory ------------------------------------------------------------------------------------------- */

/* The directory is locked. */
static struct directory_entry *directory_find(const char *name)
{
    for (int i = 0; i < DIRECTORY_SIZE; i++) {
        if (directory[i].used && same_name(directory[i].name, name))
            return &directory[i];
    }
    return NULL;
}

static int fs_lookup(const char *name)
{
    pthread_mutex_lock(&directory_lock);
    struct directory_entry *entry = directory_find(name);
    int inode = entry != NULL ? entry->inode : FS_NOT_FOUND;
    pthread_mutex_unlock(&directory_lock);
    return inode;
}

static int fs_create(const char *name)
{
    int inode = inode_allocate();
    if (inode == NO_INODE)
        return FS_NO_SPACE;
    pthread_mutex_lock(&directory_lock);
    int status = directory_find(name) != NULL ? FS_EXISTS : FS_NO_SPACE;
    for (int i = 0; status == FS_NO_SPACE && i < DIRECTORY_SIZE; i++) {
        if (!directory[i].used) {
            directory[i].used = true;
            directory[i].inode = inode;
            copy_name(directory[i].name, name);
            status = inode;
        }
    }
    pthread_mutex_unlock(&directory_lock);
    if (status < 0)
        inode_release(inode);
    return status;
}

static int fs_unlink(const char *name)
{
    pthread_mutex_lock(&directory_lock);
    struct directory_entry *entry = directory_find(name);
    int inode = FS_NOT_FOUND;
    if (entry != NULL) {
        inode = entry->inode;
        entry->used = false;
    }
    pthread_mutex_unlock(&directory_lock);
    if (inode < 0)
        return inode;
    inode_release(inode);
    return FS_OK;
}

static int fs_write(const char *name, const unsigned char *data, int offset, int length)
{
    int inode = fs_lookup(name);
    return inode < 0 ? inode : inode_write(inode, data, offset, length);
}

static int fs_read(const char *name, unsigned char *data, int offset, int length)
{
    int inode = fs_lookup(name);
    return inode < 0 ? inode : inode_read(inode, data, offset, length);
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

static void fs_format(void)
{
    for (int i = 0; i < INODE_COUNT; i++) {
        pthread_mutex_init(&inode_lock[i], NULL);
        inode_clear(&inodes[i]);
        inodes[i].version = 0;
    }
    for (int b = 0; b < BLOCK_COUNT; b++) {
        pthread_mutex_init(&block_lock[b], NULL);
        clear_block(&disk[b]);
        bitmap[b] = false;
    }
    free_blocks = BLOCK_COUNT;
    for (int i = 0; i < DIRECTORY_SIZE; i++) {
        directory[i].used = false;
        directory[i].inode = NO_INODE;
        copy_name(directory[i].name, "");
    }
    journal_reset();
}

/* For a file system that nobody else uses: every block belongs to one inode, or to none and is free. */
static int fs_check(void)
{
    int owners[BLOCK_COUNT];
    int used = 0;
    for (int b = 0; b < BLOCK_COUNT; b++)
        owners[b] = 0;
    for (int i = 0; i < INODE_COUNT; i++) {
        for (int n = 0; n < DIRECT_BLOCKS; n++) {
            int block = inodes[i].blocks[n];
            if (block == NO_BLOCK)
                continue;
            if (!valid_block(block) || inodes[i].kind == INODE_FREE)
                return FS_CORRUPT;
            owners[block]++;
        }
        if (inodes[i].size > DIRECT_BLOCKS * BLOCK_SIZE)
            return FS_CORRUPT;
    }
    for (int b = 0; b < BLOCK_COUNT; b++) {
        if (owners[b] > 1 || (owners[b] == 1) != bitmap[b])
            return FS_CORRUPT;
        if (disk[b].checksum != checksum_of(&disk[b]))
            return FS_CORRUPT;
        used += owners[b];
    }
    return used + free_blocks == BLOCK_COUNT ? FS_OK : FS_CORRUPT;
}

/* ---- clients ------------------------------------------------------------------------------------------------- */

static void *writer(void *argument)
{
    static const unsigned char text[2] = {'h', 'i'};
    (void)fs_write(argument, text, 0, 2);
    return NULL;
}

static void *reader(void *argument)
{
    unsigned char text[2];
    int got = fs_read(argument, text, 0, 2);
    assert(got == 0 || got == 2);
    return NULL;
}

static void *remover(void *argument)
{
    (void)fs_unlink(argument);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    fs_format();
    int a = fs_create("a");
    int b = fs_create("b");
    assert(a >= 0 && b >= 0 && a != b);
#if OPERATIONS == 1 /* two files are written at once */
    pthread_create(&first, NULL, writer, "a");
    pthread_create(&second, NULL, writer, "b");
#elif OPERATIONS == 2 /* one is written and removed */
    pthread_create(&first, NULL, writer, "a");
    pthread_create(&second, NULL, remover, "a");
#else /* one is written and read */
    pthread_create(&first, NULL, writer, "a");
    pthread_create(&second, NULL, reader, "a");
#endif
    pthread_join(first, NULL);
    pthread_join(second, NULL);
#if OPERATIONS != 2 && OPERATIONS != 3
    (void)reader, (void)remover;
#else
    (void)reader, (void)remover, (void)writer;
#endif
    assert(fs_check() == FS_OK);
    (void)journal_recover();
    assert(fs_check() == FS_OK);
    return 0;
}

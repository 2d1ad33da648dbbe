#include "counted.h"

#include <sqlite3.h>

static sqlite3 *database(void)
{
	static sqlite3 *database;

	if (!database)
		sqlite3_open(":memory:", &database);
	return database;
}

static uint64_t number(int which)
{
	sqlite3_int64 now = 0, most;

	sqlite3_status64(which, &now, &most, 0);
	return (uint64_t)now;
}

struct counted counted(void)
{
	database();
	return (struct counted){ number(SQLITE_STATUS_MALLOC_COUNT),
		number(SQLITE_STATUS_MEMORY_USED) };
}

void *take(size_t size)
{
	return sqlite3_malloc64(size);
}

void give(void *block)
{
	sqlite3_free(block);
}

void work(uint64_t seed)
{
	static const char *const text =
			"create table if not exists t(a integer primary key, b text, c real);"
			"create index if not exists i on t(b);"
			"with recursive n(i) as (select 1 union all select i + 1 from n where i < 500)"
			" insert or replace into t select i * %d %% 1000, hex(randomblob(%d)), i / 3.0 from n;"
			"delete from t where a %% 3 = 0;"
			"create table u%d as select b, sum(c) from t group by substr(b, 1, 1) order by 2;";
	char *command = sqlite3_mprintf(text, (int)seed, (int)(seed * 20), (int)seed);
	char *message = NULL;

	if (sqlite3_exec(database(), command, NULL, NULL, &message) != SQLITE_OK)
		dprintf(2, "%s\n", message);
	sqlite3_free(message);
	sqlite3_free(command);
}

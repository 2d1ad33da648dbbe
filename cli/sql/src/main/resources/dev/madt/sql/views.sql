create view functions as
select trace, process, function, module, count(*) accesses,
    count(*) filter (where kind = 'L') loads, count(*) filter (where kind = 'S') stores,
    sum(size) bytes
from accesses group by all;

create view lines as
select trace, process, file, line, function, count(*) accesses,
    count(*) filter (where kind = 'L') loads, count(*) filter (where kind = 'S') stores,
    sum(size) bytes
from accesses where line is not null group by all;

create view modules as
select trace, process, module, count(*) accesses,
    count(*) filter (where kind = 'L') loads, count(*) filter (where kind = 'S') stores,
    sum(size) bytes
from accesses group by all;

create view sites as
select trace, process, site, allocated_at, type, function, module, count(*) blocks,
    sum(size) allocated, count(*) filter (where ended is null) alive, sum(loads) loads,
    sum(stores) stores, sum(bytes) bytes,
    count(*) filter (where loads + stores + transfers = 0) never_accessed
from blocks group by all;

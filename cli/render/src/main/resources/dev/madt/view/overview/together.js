/*
 * What threads do to each other: a panel with tables of locks, waits, shared data, lines that move
 * and races, as far as the trace tells. Its rows lead to the variables, functions and lines that
 * they name.
 */
const TABLE_OF = {
	lock: 'locks',
	wait: 'waits',
	shared: 'shared',
	moving: 'lines',
	race: 'races'
};
const NAME_OF = {
	lock: 'lock',
	wait: 'lock',
	shared: 'data',
	moving: 'written',
	race: 'data'
};
/* Kinds of these tables that the page has. */
const TOGETHER = new Set(Object.keys(TABLE_OF).filter(kind => data.together
				&& data.together[TABLE_OF[kind]]));

/* Variables and blocks by their names; of blocks the call counts, and not what each is called. */
const callOf = name => name.replace(/^<\w+(:\w+)?@/, '<@');
const symbolAt = new Map();
for (const row of rows.symbol)
	if (!symbolAt.has(callOf(row.name)))
		symbolAt.set(callOf(row.name), row.at);

/* The variable or blocks that a name as checking.lock or <malloc@f+4>[].m? begins with; or -1. */
function symbolOf(member) {
	const name = callOf(member);
	for (let end = name.length; end > 0; end--)
		if ((end === name.length || '.[-+?'.includes(name[end]))
				&& symbolAt.has(name.slice(0, end)))
			return symbolAt.get(name.slice(0, end));
	return -1;
}

/* Where main+14 (a.c:3) is: a function and a line; -1 each if the page has no such row. */
const PLACED = ['waited_at', 'taken_at', 'first_at', 'second_at'];
const functionAt = new Map(rows.function.map(row => [row.name, row.at]).reverse());
function codeOf(text) {
	const parts = /^(.+?)\+\d+~?(?: \(([^)]+)\))?$/.exec(text || '') || [];
	return {
		function: functionAt.has(parts[1]) ? functionAt.get(parts[1]) : -1,
		line: lineAt.has(parts[2]) ? lineAt.get(parts[2]) : -1
	};
}

/* What a row names: places in the lists of symbols, functions and lines. */
function namedBy(kind, row) {
	const names = kind === 'moving' ? row.name.split(/; [A-Z#] \d+: |, |^[A-Z#] \d+: /)
									: [row.name];
	const code = PLACED.filter(key => row[key]).map(key => codeOf(row[key]));
	return {
		symbols: names.map(symbolOf).filter(at => at >= 0),
		functions: code.map(each => each.function),
		lines: code.map(each => each.line)
	};
}

for (const kind of TOGETHER) {
	const table = data.together[TABLE_OF[kind]];
	more[kind] = table.more;
	rows[kind] = objects(table);
	for (const row of rows[kind]) {
		row.name = row[NAME_OF[kind]];
		row.named = namedBy(kind, row);
		row.text = Object.values(row).filter(cell => typeof cell === 'string').join(' ');
	}
}

/* Whether a row names what is chosen, or data that it leads to. */
function isAboutChosen(row) {
	const {kind, at} = chosen, code = {function: 'functions', line: 'lines'}[kind];
	if (code && row.named[code].length)
		return row.named[code].includes(at);
	return row.named.symbols.some(symbol => linked.symbol.has(symbol));
}

const counted = (heading, key, width, means) => [heading, row => row[key] || 0,
		row => number(row[key] || 0), 'faint', width, means, key];
const spent = (heading, key, width, means) => [heading, row => row[key] || 0,
		row => row[key] === null ? '' : duration(row[key]), 'faint', width, means, key];
const told = (heading, key, kind, width, means) => [heading, row => row[key] || '', row => row[key],
		`${kind} text`, width, means, key];
/* A thread with its name, or by its number alone. */
const threadOf = (heading, key, name, means) => {
	const label = row => row[name] ? `${row[name]} (${row[key]})` : row[key];
	return [heading, row => label(row) || '', label, 'where text', '110px', means, key];
};
const ABOUT = {
	lock: {
		tab: 'Locks',
		one: 'lock',
		columns: [
			spent('waited', 'waited_ns', '92px', 'how long threads waited for it, in all'),
			counted('contended', 'contended', '92px', 'times that another thread had it'),
			counted('failed', 'failed', '76px', 'times that a thread did not get it'),
			counted('acquisitions', 'acquisitions', '104px', 'times that a thread got it'),
			spent('held', 'held_ns', '92px', 'how long it was held, in all'),
			spent('mean', 'mean_ns', '92px', 'how long it was held, on average'),
			counted('threads', 'threads', '76px', 'threads that used it'),
			NAME('lock', 'the data that the lock lies in'),
			told('kind', 'kind', 'where', '14%', 'what was done with it: mutex, read, write …')
		]
	},
	wait: {
		tab: 'Waits',
		one: 'wait',
		columns: [
			spent('waited', 'waited_ns', '92px', 'how long, in all'),
			counted('waits', 'waits', '72px', 'how often'),
			counted('timed out', 'timed_out', '86px', 'how often it did not get the lock in time'),
			threadOf('thread', 'thread', 'thread_name', 'the thread that waited'),
			threadOf('for', 'waited_for', 'name_of_waited_for', 'the thread that had the lock'),
			told('meanwhile', 'meanwhile', 'where', '16%', 'what that thread did meanwhile'),
			NAME('lock', 'the data that the lock lies in'),
			told('waited at', 'waited_at', 'place', '18%', 'the call that waited'),
			told('taken at', 'taken_at', 'place', '18%',
					'the call by which the other one had got it')
		]
	},
	shared: {
		tab: 'Shared data',
		one: 'shared data',
		columns: [
			counted('accesses', 'accesses', '92px', 'loads and stores of all threads'),
			counted('stores', 'stores', '84px', 'accesses that write'),
			counted('bytes', 'bytes', '72px', 'bytes that are shared'),
			counted('unguarded', 'unguarded', '92px',
					'bytes of these that threads accessed in no order, without a lock in common'),
			counted('threads', 'threads', '76px', 'threads that accessed it'),
			NAME('data', 'a variable, a block, or a member of it'),
			told('under', 'under', 'where', '28%', 'what kept the threads apart')
		]
	},
	moving: {
		tab: 'Lines that move',
		one: 'line that moves',
		columns: [
			counted('up to', 'up_to', '84px', 'moves at most, if threads take turns'),
			counted('moves', 'moves', '76px',
					'times that a thread took the line from others, as far as the order is known'),
			counted('false', 'false', '76px', 'of these, with nothing of what the others stored'),
			counted('threads', 'threads', '76px', 'threads that accessed it'),
			NAME('written', 'what each thread stored to in the 64 bytes'),
			told('picture', 'picture', 'letters', '206px',
					'each byte: stored by A alone, or also loaded by others (a), by several (*),' +
							' only loaded (:)'),
			told('remedy', 'remedy', 'where', '24%', 'what to keep apart')
		]
	},
	race: {
		tab: 'Races',
		one: 'race',
		columns: [
			counted('times', 'times', '64px', 'how often it was seen'),
			told('certain', 'certain', 'where', '68px',
					'maybe: an atomic variable may have ordered the two, or the data may be one'),
			NAME('data', 'what two threads accessed in no order'),
			told('what', 'what', 'where', '88px', 'what the first one and the second one did'),
			told('first at', 'first_at', 'place', '15%', 'the earlier access'),
			told('under', 'under', 'where spare', '7%', 'locks that its thread held'),
			told('second at', 'second_at', 'place', '15%', 'the later access'),
			told('under too', 'under_too', 'where spare', '7%', 'locks that its thread held'),
			told('first calls', 'first_calls', 'calls', '12%', 'the functions that led to it'),
			told('second calls', 'second_calls', 'calls', '12%', 'the functions that led to it')
		]
	}
};
for (const kind of TOGETHER)
	KINDS[kind] = {panel: 'together', ...ABOUT[kind]};
if (TOGETHER.size)
	panels.together = {kind: [...TOGETHER][0], sort: null, up: false, whole: false};

/* The columns of which some row has something. */
const isTold = cell => cell !== null && cell !== '?';
const toldColumns = kind => KINDS[kind].columns.filter(column => !column[6] || !rows[kind].length
				|| rows[kind].some(row => isTold(row[column[6]])));

/* What stands in a cell: the places and calls that it names lead to their rows. */
const CALLER = ' ← ';
function cellParts(column, text) {
	const parts = column[3].includes('place') ? withLinks(text)
			: column[3].includes('calls')     ? callLinks(text)
			: column[3].includes('letters')   ? drawnBytes(text)
											  : [text];
	parts.filter(part => part.tabIndex === 0).forEach(link => { link.tabIndex = -1; });
	return parts;
}

/* Runs of bytes that are alike, as wide as they are long; a colour for each thread that stores. */
const BYTES = {
	'.': 'none',
	':': 'loads',
	'*': 'many',
	'#': 'many'
};
function drawnBytes(letters) {
	return (letters.match(/(.)\1*/g) || []).map(run => {
		const letter = run[0].toUpperCase();
		const of = BYTES[letter] || `writer${(letter.charCodeAt(0) - 65) % 6}`;
		return element('span', {
			class: `byte ${of}${run[0] === letter ? '' : ' read'}`,
			style: `width:${3 * run.length}px`,
			title: `${plural(run.length, 'byte')}: ${run[0]}`
		});
	});
}

function callLinks(text) {
	return text.split(CALLER).flatMap((name, i) => {
		const at = functionAt.get(name.replace(/~$/, ''));
		const call = at === undefined ? name : linkTo('function', at, name);
		return i ? [CALLER, call] : [call];
	});
}

const COMMANDS = {
	lock: 'madt locks',
	wait: 'madt locks --waits',
	shared: 'madt sharing',
	moving: 'madt sharing --lines',
	race: 'madt races'
};
const NONE = {
	lock: 'No lock was taken, of those that madt run --lock list has.',
	wait: 'No thread waited for another one.',
	shared: 'No two threads touched the same data, one of them storing.',
	moving: 'No line moved from thread to thread.',
	race: 'No race in this run. What was not executed was not looked at.'
};

function drawTogether() {
	const place = byId('together');
	place.hidden = !data.together;
	if (!data.together)
		return;
	place.querySelector('.lacking').textContent = data.together.lacking.join(' ');
	place.querySelector('.scroll').hidden = !TOGETHER.size;
}

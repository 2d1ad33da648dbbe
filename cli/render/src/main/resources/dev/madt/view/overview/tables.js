/* The two panels of tables. A panel shows one kind of rows at a time. */
const SHOWN = 300;
const accesses = row => row.loads + row.stores;
/* Narrow panels leave out what is spare, so that names have room. Columns: heading, value by which rows are sorted, text, class, width, what the heading means. */
const SHARE = [
	'share', accesses, row => percent(accesses(row), all), 'share', '70px',
	'of all accesses of the trace'
];
const LOADS = [
	'loads', row => row.loads, row => number(row.loads), '', '92px', 'accesses that read'
];
const STORES = [
	'stores', row => row.stores, row => number(row.stores), '', '88px', 'accesses that write'
];
const TOUCHED = [
	'touched', row => row.lines, row => size(64 * row.lines), 'faint spare', '76px',
	'cache lines of 64 bytes that were touched, together'
];
const THREADS = [
	'threads', row => row.threads, row => row.threads < 100 ? number(row.threads) : '100 +',
	'faint spare', '64px', 'threads that accessed it'
];
const NAME = (heading, means) => [heading, row => row.name, null, 'name text', '', means];
const text = (heading, value, width, means) => [heading, value, value, 'where text', width, means];
const count = (heading, key, means, form) => [heading, row => row[key] || 0,
		row => (form || number)(row[key] || 0), 'faint', '84px', means];
/* Where a block was allocated and lies. */
const whereOf = row => row.source ? `${row.source} ${row.region}` : row.region;
const KINDS = {
	symbol: {
		panel: 'data',
		tab: 'Variables and blocks',
		one: 'variable or blocks of a call',
		columns: [
			SHARE, LOADS, STORES, TOUCHED, THREADS,
			NAME('name',
					'a variable, or all blocks that one call allocated, or the rest of a region'),
			text('where', whereOf, '21%',
					'source line of the call that allocated, if it is known, and the region')
		]
	},
	site: {
		panel: 'data',
		tab: 'Allocation sites',
		one: 'allocation site',
		columns: [
			SHARE, count('blocks', 'blocks', 'blocks allocated'),
			count('bytes', 'allocated', 'bytes allocated', size),
			count('alive', 'alive', 'blocks that were not freed when the trace ended'),
			count('untouched', 'never_accessed', 'bytes that nobody accessed', size),
			NAME('call', 'the call that allocated'),
			text('line', row => [row.source, row.called_by].filter(Boolean).join(' ← '), '30%',
					'its source line, and the functions that led to the first of its blocks')
		]
	},
	type: {
		panel: 'data',
		tab: 'Types',
		one: 'type',
		columns: [
			SHARE, LOADS, STORES, TOUCHED,
			NAME('type', 'the type of variables, and as a guess (?) of blocks')
		]
	},
	member: {
		panel: 'data',
		tab: 'Members',
		one: 'member of a type',
		columns: [
			SHARE, LOADS, STORES, TOUCHED,
			NAME('member', 'a member of a type, or what of it is no member')
		]
	},
	function: {
		panel: 'code',
		tab: 'Functions',
		one: 'function',
		columns: [
			SHARE, LOADS, STORES, TOUCHED, NAME('function', 'the function that accesses'),
			text('module', row => row.region, '22%', 'the program or library that it is in')
		]
	},
	line: {
		panel: 'code',
		tab: 'Source lines',
		one: 'source line',
		columns: [
			SHARE, LOADS, STORES, TOUCHED, NAME('line', 'source line of the instruction'),
			text('function', row => row.region, '34%', 'the function that the line is in')
		]
	}
};
/* Kinds of which it is not known what accesses them: they cannot be chosen. */
const ALONE = new Set(['type', 'member']);
/* The columns that still say something of rows which count only what leads to the chosen one. */
const LINKED = new Set([
	'share', 'loads', 'stores', 'name', 'where', 'call', 'line', 'function', 'module'
]);

const panels = {
	data: {kind: 'symbol', sort: null, up: false, whole: false},
	code: {kind: 'function', sort: null, up: false, whole: false}
};
let search = '';

/* Whether a table shows only what leads to the chosen row: of its own kind it shows everything. */
const narrowed = kind => chosen !== null && chosen.kind !== kind && !ALONE.has(kind);

/* The rows that a table shows, in no order. */
function shownRows(kind) {
	let shown = rows[kind];
	if (narrowed(kind))
		shown = TOGETHER.has(kind)
				? shown.filter(isAboutChosen)
				: [...linked[kind]].map(([at, sum]) => ({...rows[kind][at], ...sum}));
	const wanted = search.toLowerCase();
	const textOf = row =>
			(row.text || `${row.name} ${row.region || ''} ${row.source || ''}`).toLowerCase();
	return wanted ? shown.filter(row => textOf(row).includes(wanted)) : shown;
}

function sorted(kind, panel, columns) {
	const column = columns.find(each => each[0] === panel.sort), found = shownRows(kind);
	if (!column && TOGETHER.has(kind))
		return found.sort((a, b) => a.at - b.at);
	if (!column)
		return found.sort((a, b) => accesses(b) - accesses(a) || a.at - b.at);
	const value = column[1], turn = panel.up ? 1 : -1;
	const compare = (a, b) => typeof a === 'string' ? a.localeCompare(b) : a - b;
	return found.sort((a, b) => compare(value(a), value(b)) * turn || a.at - b.at);
}

function heading(panelName, column) {
	const panel = panels[panelName];
	const isSorted = panel.sort === column[0] || panel.sort === null && column === SHARE;
	const button = element('button', {type: 'button', title: `${column[5]}; sorts the table`},
			column[0] + (isSorted ? (panel.up ? ' ▴' : ' ▾') : ''));
	button.addEventListener('click', () => {
		const textual = column[3].includes('text');
		panel.up = isSorted ? !panel.up : textual;
		panel.sort = column[0];
		drawPanel(panelName);
		[...byId(panelName).querySelectorAll('th button')]
				.find(each => each.textContent.startsWith(column[0]))
				.focus();
	});
	const attributes = {
		scope: 'col',
		class: ['text', 'spare'].filter(each => column[3].includes(each)).join(' ') || null,
		style: column[4] ? `width:${column[4]}` : null,
		'aria-sort': isSorted ? (panel.up ? 'ascending' : 'descending') : null
	};
	return element('th', attributes, button);
}

/*
 * Where the end of a name begins that stays whole where the name is too long: the number of a source
 * line, the last part of a function's name with its offset, or the offset alone. -1: all may go.
 */
const LONGEST_TAIL = 30;
function tailOf(kind, name) {
	if (kind === 'line')
		return name.lastIndexOf(':');
	const block = /^<\w+@/.exec(name), offset = name.search(/\+\d+~?>?$/);
	let depth = 0, last = -1;
	for (let i = block ? block[0].length : 0; i < name.length - (block ? 1 : 0); i++) {
		if ('<({['.includes(name[i]))
			depth++;
		else if ('>)}]'.includes(name[i]))
			depth = Math.max(0, depth - 1);
		else if (!depth && name.startsWith('::', i))
			last = i + 2;
	}
	return last > 0 && name.length - last <= LONGEST_TAIL ? last : offset;
}

/* A name that leads to its row; its end stays whole. */
function nameLink(kind, row) {
	const at = tailOf(kind, row.name);
	const parts = at < 0 ? [row.name] : [
		element('span', {class: 'head'}, row.name.slice(0, at)),
		element('span', {class: 'tail'}, row.name.slice(at))
	];
	const target = TOGETHER.has(kind) ? `#symbol-${row.named.symbols[0]}` : `#${kind}-${row.at}`;
	return element('a', {href: target, tabindex: '-1', class: at < 0 ? null : 'parted'}, ...parts);
}

/* Whether a row's name leads to a row. */
const leads = (kind, row) => TOGETHER.has(kind) ? row.named.symbols.length : !ALONE.has(kind);

/* What stands beside a name: the source line in it leads to its row. */
const lineAt = new Map(rows.line.map(row => [row.name, row.at]));
function withLine(content, row) {
	if (!row.source || !lineAt.has(row.source) || !content.startsWith(row.source))
		return [content];
	return [
		element('a', {href: `#line-${lineAt.get(row.source)}`, tabindex: '-1'}, row.source),
		content.slice(row.source.length)
	];
}

function line(kind, row, columns, most) {
	const isChosen = chosen && chosen.kind === kind && chosen.at === row.at;
	return element('tr', {'aria-selected': isChosen ? 'true' : null}, ...columns.map(column => {
		if (column[2] === null)
			return element('td', {class: column[3], title: row.name},
					leads(kind, row) ? nameLink(kind, row) : row.name);
		const content = column[2](row) || '';
		const attributes = {class: column[3]};
		if (column[3].includes('text'))
			attributes.title = content;
		if (column === SHARE) {
			attributes.style = `--part:${100 * accesses(row) / most}%`;
			if (row.bulk_events)
				attributes.title = `and ${plural(row.bulk_events, 'bulk transfer')}`;
		}
		const parts = TOGETHER.has(kind) ? cellParts(column, String(content))
										 : withLine(String(content), row);
		return element('td', attributes, ...parts);
	}));
}

function moreOf(kind) {
	if (!more[kind])
		return '';
	if (TOGETHER.has(kind))
		return `; ${number(more[kind])} more are in ${COMMANDS[kind]}`;
	return `; ${number(more[kind])} more with fewer accesses are in madt report`;
}

function chosenFrom(kind) {
	if (KINDS[kind].panel === 'code')
		return 'to';
	return chosen.kind === 'region' ? 'in' : 'by';
}

function noteOf(kind, found) {
	const what = found.length === 1 ? '1 row' : `${number(found.length)} rows`;
	const matching = search ? ` with “${search}” in them` : '';
	if (!narrowed(kind))
		return `${what}${matching}${moreOf(kind)}`;
	if (TOGETHER.has(kind))
		return `${what}${matching} about ${nameOf(chosen.kind, chosen.at)}`;
	const sum = found.reduce((total, row) => total + accesses(row), 0);
	const counted = plural(sum, 'access', 'accesses');
	return `${what}${matching}: ${counted} ${chosenFrom(kind)} ${nameOf(chosen.kind, chosen.at)}`;
}

function emptyText(kind) {
	if (kind === 'member' && !data.members)
		return `The trace is too large for a page with members: madt report --by type --fields ${
				data.trace}`;
	if (kind === 'line' && !rows.line.length)
		return 'The trace has no source lines. Compile the program with -g.';
	if (TOGETHER.has(kind) && !rows[kind].length)
		return NONE[kind];
	if (kind === 'site' && !rows.site.length)
		return 'No call that allocates was recorded.';
	return search ? `None of these ${KINDS[kind].tab.toLowerCase()} has this text in it.`
				  : 'Nothing.';
}

function drawPanel(name) {
	const panel = panels[name], kind = panel.kind, place = byId(name);
	const columns = TOGETHER.has(kind)
			? toldColumns(kind)
			: KINDS[kind].columns.filter(column => (!narrowed(kind) || LINKED.has(column[0]))
							&& (column !== THREADS || data.threads.rows.length > 1));
	const found = sorted(kind, panel, columns), shown = panel.whole ? found : found.slice(0, SHOWN);
	const most = found.reduce((a, row) => Math.max(a, accesses(row)), 1);
	const body = element('tbody', {}, ...shown.map(row => line(kind, row, columns, most)));
	if (found.length > shown.length || !found.length) {
		const cell = element('td', {
			colspan: columns.filter(column => !column[3].includes('spare')).length,
			class: 'text'
		});
		if (found.length) {
			const button = element('button', {type: 'button'},
					`show all ${number(found.length)} rows`);
			button.addEventListener('click', () => {
				panel.whole = true;
				drawPanel(name);
			});
			cell.append(button);
		} else
			cell.append(emptyText(kind));
		body.append(element('tr', {class: 'rest'}, cell));
	}
	const head = element('tr', {}, ...columns.map(column => heading(name, column)));
	place.querySelector('table').replaceChildren(element('thead', {}, head), body);
	place.querySelector('.tabs + .note').textContent = noteOf(kind, found);
	const first = body.querySelector('tr[aria-selected] .name a') || body.querySelector('.name a');
	if (first)
		first.tabIndex = 0;
	drawTabs(name);
}

function drawTabs(name) {
	const tabs = Object.keys(KINDS).filter(kind => KINDS[kind].panel === name);
	byId(name).querySelector('.tabs').replaceChildren(...tabs.map(kind => {
		const isShown = panels[name].kind === kind;
		const isPart = narrowed(kind) || search;
		const hits = isPart ? shownRows(kind).length : rows[kind].length + more[kind];
		const attributes = {
			type: 'button',
			role: 'tab',
			id: `tab-${kind}`,
			'aria-selected': String(isShown),
			tabindex: isShown ? 0 : -1
		};
		const tab = element('button', attributes, `${KINDS[kind].tab} (${number(hits)})`);
		tab.addEventListener('click', () => showKind(kind));
		return tab;
	}));
}

function showKind(kind) {
	const panel = panels[KINDS[kind].panel];
	if (panel.kind !== kind)
		Object.assign(panel, {kind, sort: null, up: false, whole: false});
	drawPanel(KINDS[kind].panel);
	byId(`tab-${kind}`).focus();
}

/* What stands around the tables; the address of what is chosen; keys. */
const KIND_NAMES = {
	L: 'loads',
	S: 'stores',
	Y: 'bulk copies (memcpy, strcpy …)',
	W: 'bulk stores (memset, read …)',
	G: 'bulk loads (write …)',
	M: 'malloc, new',
	C: 'calloc',
	P: 'mmap, growth of the break',
	R: 'realloc',
	E: 'mremap',
	F: 'free, delete',
	U: 'munmap',
	K: 'locks that threads got',
	V: 'locks that threads released'
};
const quoted = name => `'${name.replace(/'/g, `'\\''`)}'`;
const shownTrace = /^[\w./-]+$/.test(data.trace) ? data.trace : quoted(data.trace);
/* Where nobody has looked for them there are none to be shown. */
const defects = data.defects || {keys: [], rows: [], more: 0};
const linkTo = (kind, at, name = rows[kind][at].name) => element('a', {href: `#${kind}-${at}`},
		name);

function fact(value, name, title) {
	return element('div', {title}, element('dt', {}, name), element('dd', {}, value));
}

function drawHeader() {
	const run = Object.fromEntries(data.facts),
		  blocks = rows.site.reduce((sum, site) => sum + site.blocks, 0);
	const bytes = rows.site.reduce((sum, site) => sum + site.allocated, 0),
		  alive = rows.site.reduce((sum, site) => sum + site.alive, 0);
	document.title = `${data.command || data.trace}: MadT`;
	byId('command').textContent = data.command || data.trace;
	byId('command').title = data.command;
	byId('recorded').textContent = [
		(run.began || '').replace('T', ' ').replace(/\.\d+Z$/, ' UTC'), run.ending
	].filter(Boolean).join(', ');
	byId('facts').append(fact(number(all), all === 1 ? 'access' : 'accesses', 'loads and stores'),
			fact(number(data.loads), 'loads'), fact(number(data.stores), 'stores'),
			fact(number(data.transfers), 'bulk transfers',
					'memcpy, memset, read, write … count one each'),
			fact(number(blocks),
					`blocks allocated${more.site ? ' by the calls listed' : ''} (${size(bytes)}), ${
							number(alive)} alive at the end`),
			fact(number(data.threads.rows.length + data.threads.more),
					data.threads.rows.length === 1 ? 'thread' : 'threads'),
			fact(data.losses.length ? 'incomplete' : 'complete', 'trace',
					'below: what a trace does not hold'));
	byId('warning').textContent = data.losses.join(' ');
	const count = defects.rows.filter(cells => cells[0] !== 'never-freed').length;
	if (count) {
		byId('warning').append(data.losses.length ? ' ' : '',
				element('a', {href: '#defects'},
						`${plural(count, 'defect')}${defects.more ? ' or more' : ''}: below`));
	}
	drawAnswer();
}

/* What is hot, in a sentence. */
function drawAnswer() {
	const symbol = rows.symbol[0], code = rows.function [0],
		  hot = rows.line.find(row => row.name !== '?'), answer = byId('answer');
	if (!symbol || !code) {
		answer.textContent = 'The trace has no accesses.';
		return;
	}
	answer.append('Hottest: ', linkTo('symbol', 0),
			` in ${symbol.region}${symbol.source ? `, allocated at ${symbol.source},` : ''} takes ${
					percent(accesses(symbol), all)} of all accesses; `,
			linkTo('function', 0), ` makes ${percent(accesses(code), all)}`);
	if (hot)
		answer.append(', line ', linkTo('line', hot.at), ` ${percent(accesses(hot), all)}`);
	answer.append('.');
}

/*
 * A text with links for the row that it names: main+14 (a.c:3) for the function and the line,
 * <freed:0001@main+7> for the blocks of the call.
 */
function withLinks(text) {
	const code = /^(.+?)(\+\d+~?)(?: \(([^)]+)\))?$/.exec(text), block = /@(.+>)$/.exec(text);
	const parts = [],
		  add = (kind, name,
				  row) => parts.push(row ? element('a', {href: `#${kind}-${row.at}`}, name) : name);
	if (block)
		add('symbol', text, rows.symbol.find(row => row.name.endsWith(`@${block[1]}`)));
	else if (code) {
		add('function', code[1], rows.function.find(row => row.name === code[1]));
		parts.push(code[2]);
		if (code[3]) {
			parts.push(' (');
			add('line', code[3], rows.line.find(row => row.name === code[3]));
			parts.push(')');
		}
	} else
		parts.push(text);
	return parts;
}

function drawDefects() {
	const place = byId('defects'), keys = defects.keys, command = `madt defects ${shownTrace}`;
	place.querySelector('.note').textContent = defects.rows.length
			? `${
					defects.more ? `${number(defects.more)} more and t`
								 : 'T'}he accesses before each are in ${
					command}. Offset and bytes are those of the first case.`
			: data.unlooked
			? `Not looked for: ${data.unlooked}. Nothing else of what ${command} looks for.`
			: data.defects
			? `Nothing of what ${command} looks for.`
			: 'No access to a freed block or to the heap outside of its blocks, no wrong free. In a trace of '
					+
					`this size other kinds are looked for by ${command} alone.`;
	if (!defects.rows.length)
		return;
	place.querySelector('table').replaceChildren(
			element('thead', {},
					element('tr', {},
							...keys.map((key, i) => element('th', {
								class: typeof defects.rows[0][i] === 'number' ? null : 'text',
								scope: 'col'
							},
												key.replace(/_/g, ' '))))),
			element('tbody', {},
					...defects.rows.map(cells => element('tr', {},
												...cells.map(cell => typeof cell === 'number'
																? element('td', {}, number(cell))
																: element('td', {class: 'text'},
																		...withLinks(cell
																				|| '')))))));
}

function drawMore() {
	const table = (id, lines) => byId(id).replaceChildren(element('tbody', {},
			...lines.map(cells => element('tr', {},
								 ...cells.map((cell, i) => element('td', {class: i ? null : 'text'},
													  cell))))));
	table('threads',
			data.threads.rows
					.map(([tid, loads, stores]) => [tid, plural(loads, 'load'),
								 plural(stores, 'store'), percent(loads + stores, all)])
					.concat(data.threads.more ? [[`${number(data.threads.more)} more threads`]]
											  : []));
	table('others',
			data.others.length ? data.others.map(([letter,
				count]) => [KIND_NAMES[letter] || letter, number(Number(count))])
							   : [['none']]);
	byId('run').append(...data.facts.flatMap(([name,
		value]) => [element('dt', {}, name), element('dd', {}, value)]));
	byId('missing').append(...data.missing.map(text => element('li', {}, text)));
	const trace = /^[\w./-]+$/.test(data.trace) ? data.trace : quoted(data.trace);
	byId('commands')
			.append(...[['all rows', `madt report --by symbol ${trace}`],
					['members of structures', `madt report --fields ${trace}`],
					['each access in its order', `madt print --source ${trace}`],
					['all kinds of defects', `madt defects ${trace}`],
					['every page over time', `madt heatmap -o pages.html ${trace}`]]
							.map(([what, command]) => element('li', {}, `${what}: `,
										 element('code', {}, command))));
}

/* The line above the tables that says what is chosen, and the command that prints its accesses. */
function drawChosen() {
	const place = byId('chosen');
	if (!chosen) {
		place.replaceChildren();
		return;
	}
	const {kind, at} = chosen, name = nameOf(kind, at),
				 trace = /^[\w./-]+$/.test(data.trace) ? data.trace : quoted(data.trace);
	const option = {symbol: 'symbol', site: 'symbol', function: 'function', line: 'line'}[kind];
	const back = element('button', {type: 'button'}, 'show everything (Esc)');
	back.addEventListener('click', showEverything);
	place.replaceChildren(element('span', {}, kind === 'region' ? 'region' : KINDS[kind].one),
			element('b', {title: name}, name), back);
	if (option && name !== '?' && !name.endsWith('…'))
		place.append(element('span', {class: 'note'}, 'its accesses:'),
				element('code', {}, `madt print --${option} ${quoted(name)} ${trace}`));
}

function refresh() {
	drawChosen();
	Object.keys(panels).forEach(drawPanel);
	drawSource();
	layPicture();
	drawPicture();
}

/* Takes what is chosen from the address: #symbol-3, #region-0. */
function follow() {
	const parts = /^#(symbol|site|function|line|region)-(\d+)$/.exec(location.hash),
		  focused = document.activeElement && document.activeElement.getAttribute('href');
	if (parts && exists(parts[1], Number(parts[2]))) {
		choose(parts[1], Number(parts[2]));
		if (parts[1] !== 'region')
			Object.assign(panels[KINDS[parts[1]].panel],
					panels[KINDS[parts[1]].panel].kind === parts[1]
							? {}
							: {kind: parts[1], sort: null, up: false});
	} else
		choose(null);
	refresh();
	const again = focused && focused.startsWith('#') &&
			[...document.querySelectorAll('a')].find(link => link.getAttribute('href') === focused);
	if (again)
		again.focus({preventScroll: true});
}

/* Says in which tables the searched text is. A panel without it shows the tab that has it. */
function showHits() {
	const kinds = Object.keys(KINDS), hits = kind => shownRows(kind).length;
	for (const panel of Object.values(panels)) {
		const other = kinds.find(kind => panels[KINDS[kind].panel] === panel && hits(kind));
		if (search && !hits(panel.kind) && other)
			Object.assign(panel, {kind: other, sort: null, up: false, whole: false});
	}
	const found = search ? kinds.filter(hits) : [];
	byId('found').replaceChildren(...found.map(kind => {
		const button = element('button', {type: 'button'},
				`${number(hits(kind))} in ${KINDS[kind].tab.toLowerCase()}`);
		button.addEventListener('click', () => showKind(kind));
		return button;
	}),
			search && !found.length ? 'in no table' : '');
	Object.keys(panels).forEach(drawPanel);
}

function showEverything() {
	if (location.hash)
		history.pushState(null, '', location.pathname + location.search);
	byId('search').value = search = '';
	byId('found').replaceChildren();
	follow();
}

/* From row to row in a table, from tab to tab. */
function step(event) {
	const row = event.target.closest('tbody tr'), tab = event.target.closest('[role=tab]');
	if (tab && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
		const other = tab.nextElementSibling || tab.previousElementSibling;
		showKind(other.id.slice('tab-'.length));
		return true;
	}
	const into = tab && event.key === 'ArrowDown'
			&& tab.closest('.panel').querySelector('tbody a[tabindex="0"]');
	if (into) {
		into.focus();
		return true;
	}
	if (!row || !event.target.closest('.panel'))
		return false;
	const links = [...row.parentElement.querySelectorAll('.name a')],
		  at = links.indexOf(event.target);
	if (at >= 0 && event.key === 'Enter') {
		location.hash = event.target.getAttribute('href');
		return true;
	}
	const to = {
		ArrowDown: at + 1,
		ArrowUp: at - 1,
		Home: 0,
		End: links.length - 1,
		PageDown: at + 12,
		PageUp: at - 12
	}[event.key];
	if (at < 0 || to === undefined)
		return false;
	const next = links[Math.min(links.length - 1, Math.max(0, to))];
	links[at].tabIndex = -1;
	next.tabIndex = 0;
	next.focus();
	return true;
}

const JUMPS = {
	1: () => showKind('symbol'),
	2: () => showKind('site'),
	3: () => showKind('function'),
	4: () => showKind('line'),
	5: () => jump('time'),
	6: () => jump('defects'),
	7: () => showKind('type'),
	8: () => showKind('member'),
	9: () => {
		if (TOGETHER.size)
			showKind(panels.together.kind);
	},
	...ALL_KEYS
};

function jump(id) {
	byId(id).scrollIntoView();
	const link = byId(id).querySelector('a');
	if (link)
		link.focus({preventScroll: true});
}

document.addEventListener('keydown', event => {
	if (event.ctrlKey || event.altKey || event.metaKey || byId('help').open)
		return;
	const typing = event.target === byId('search');
	if (event.key === 'Escape') {
		showEverything();
		if (typing)
			byId('search').blur();
	} else if (typing && (event.key === 'Enter' || event.key === 'ArrowDown')) {
		const first = document.querySelector('.panel tbody a');
		if (first)
			first.focus();
	} else if (!typing && JUMPS[event.key])
		JUMPS[event.key]();
	else if (typing || !step(event))
		return;
	event.preventDefault();
});
byId('search').addEventListener('input', event => {
	search = event.target.value.trim();
	showHits();
});
listKeys(
		[
			['Tab', 'from one panel to the next'],
			['↑ ↓ Home End', 'from row to row in a table, from a tab into it'],
			['← →', 'from tab to tab; on a region: through time'],
			[
				'Enter',
				'choose a row: the other tables show only what it touches, or what touches it'
			],
			['1 2 3 4', 'variables and blocks, allocation sites, functions, source lines'],
			['5 6', 'when and where, defects'], ['7 8', 'types, members of types'],
			['9', 'between threads: locks, waits, shared data, races'], ['/', 'search names'],
			['Esc', 'back to everything'],
			['heading', 'sorts a table by its column; again: the other way round']
		],
		SHARED_KEYS.filter(([key]) => ['l', '?'].includes(key)));
window.addEventListener('hashchange', follow);
window.addEventListener('popstate', follow);
window.addEventListener('resize', drawPicture);
themed = drawPicture;

drawHeader();
drawTogether();
drawDefects();
drawMore();
follow();

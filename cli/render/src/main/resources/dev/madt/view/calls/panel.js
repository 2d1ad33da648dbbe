/* Beside and below the boxes: all functions, and what is chosen. */
const MOST_ROWS = 200, MOST_CALLS = 100, LIST_LETTERS = 48, LETTER = 7.3;
let sortBy = 'self', sortUp = false;

/* What a box counts, in lines. */
function described(pane, box) {
	if (box.rest !== undefined)
		return `${plural(box.count, 'narrower box', 'narrower boxes')}: ${amount(box.rest)} (${
				share(box.rest, tree.all[measure][0])})\nclick: closer`;
	return [title(pane.tree, box.node), ...numbers(pane, box.node)].join('\n');
}

function title(of, node) {
	const fn = functions[of.fn[node]];
	return fn.module ? `${fn.name}  ${fn.module}` : fn.name;
}

function numbers(pane, node) {
	const of = pane.tree, all = of.all[measure][node], self = of.self[measure][node];
	const whole = tree.all[measure][0], fn = functions[of.fn[node]];
	if (data.compared) {
		const before = of.before[measure][node], change = all - before;
		return [
			`${amount(all)}, itself ${amount(self)}`,
			`before ${amount(before)}, itself ${amount(of.selfBefore[measure][node])}`,
			`${change < 0 ? '−' : '+'}${amount(Math.abs(change))} (${
					before ? `${(100 * change / before).toFixed(1)} %` : 'new'})`
		];
	}
	const lines = [`total ${amount(all)} (${share(all, whole)})`];
	if (pane.upward && node > 0)
		return [`${lines[0]} in ${nameOf(of, 0)} on this way`];
	if (!fn.kind)
		lines.push(`self ${amount(self)} (${share(self, whole)})`);
	const calls = of.self[MEASURES.indexOf(COUNTED)][node];
	if (calls && MEASURES[measure] !== COUNTED)
		lines.push(plural(calls, COUNTED.slice(0, -1))
				+ (isTime(MEASURES[measure]) ? `, ${duration(all / calls)} each` : ''));
	return lines;
}

/* The functions that lead to the chosen box, as text. */
const pathText = pane => pane.tree.path(pane.chosen)
								 .map(node => nameOf(pane.tree, node))
								 .filter((name, at) => pane !== panes.flame || at > 0
												 || pane.chosen === 0)
								 .join(';');
let copied = '';

function copyPath() {
	copied = pathText(active);
	if (active.upward)
		copied = copied.split(';').reverse().join(';');
	copyText(copied);
	byId('copied').textContent = 'copied';
}

/* What is chosen: its numbers here, on all paths, and the path with the part of each caller. */
function showDetail() {
	const pane = active, of = pane.tree, node = pane.chosen, fn = functions[of.fn[node]];
	const swatch = element('span', {className: `swatch${fn.kind === OFF_CPU ? ' stripes' : ''}`});
	if (fn.kind !== OFF_CPU && !data.compared)
		swatch.style.background = colourOf(fn, false);
	const copy = element('button', {type: 'button', title: 'c', id: 'copy'}, 'copy path');
	const turn = element('button', {type: 'button', title: 'f'}, 'callers and callees');
	copy.addEventListener('click', copyPath);
	turn.addEventListener('click', () => sandwich(of.fn[node]));
	const all = fn.paths > 1 && !data.compared
			? `on all ${number(fn.paths)} paths: total ${amount(fn.total[measure])} (${
					share(fn.total[measure], tree.all[measure][0])}), self ${
					amount(fn.self[measure])} (${share(fn.self[measure], tree.all[measure][0])})`
			: '';
	byId('chosen').replaceChildren(element('h2', {}, swatch, fn.name,
										   element('span', {className: 'note'},
												   fn.module ? ` ${fn.module}` : '')),
			element('p', {}, numbers(pane, node).join(' · ')), element('p', {}, all),
			element('p', {}, copy, ' ', turn, ' ',
					element('span', {id: 'copied', className: 'note', role: 'status'})));
	const whole = of.all[measure][0];
	const shown = of.callees(node).filter(one => of.width[measure][one] > 0);
	fillList(pane, 'path', of.path(node), whole);
	fillList(pane, 'calls',
			[...shown]
					.sort((a, b) => of.width[measure][b] - of.width[measure][a])
					.slice(0, MOST_CALLS),
			whole);
	byId('pathOf').textContent = pane.upward ? 'leads to it, from the function on' : 'its path';
	byId('callsOf').textContent = pane.upward ? 'called by'
			: shown.length > MOST_CALLS       ? `calls ${number(shown.length)}, the largest:`
											  : 'calls';
}

/* Boxes as lines that lead to them, with their shares. */
function fillList(pane, id, nodes, whole) {
	const of = pane.tree;
	byId(id).replaceChildren(...nodes.map(one => {
		const button = element('button', {type: 'button', title: nameOf(of, one)},
				shorten(nameOf(of, one), LIST_LETTERS));
		button.addEventListener('click', () => pane.goTo(one));
		return element('li', {className: one === pane.chosen ? 'this' : ''}, button,
				element('span', {className: 'note'}, share(of.all[measure][one], whole)));
	}));
	const last = byId(id).querySelector('.this');
	if (last)
		last.scrollIntoView({block: 'nearest'});
}

function functionRows() {
	const text = byId('search').value.trim().toLowerCase();
	const value = sortBy === 'name' ? null : fn => fn[sortBy][measure];
	const rows = functions.filter((fn, at) => at !== tree.fn[0] && fn.kind !== SMALLER
					&& fn.kind !== THREAD && (fn.self[measure] || fn.total[measure])
					&& (!text || fn.name.toLowerCase().includes(text)));
	rows.sort((a, b) => (value ? value(b) - value(a) : 0) || a.name.localeCompare(b.name));
	return sortUp ? rows.reverse() : rows;
}

function bar(value, whole) {
	const cell = element('td', {title: amount(value)}, share(value, whole));
	const part = Math.min(100, 100 * value / (whole || 1));
	cell.style.background = `linear-gradient(to left, var(--chosen) ${part}%, transparent ${
			part}%)`;
	return cell;
}

/* All functions, with what they count themselves and with all that they call. */
function showFunctions() {
	const rows = functionRows(), whole = tree.all[measure][0];
	const letters = Math.floor((byId('panel').clientWidth - 188) / LETTER);
	const head = (key, text) => {
		const button = element('button', {type: 'button'},
				text + (sortBy === key ? (sortUp ? ' ▴' : ' ▾') : ''));
		button.addEventListener('click', () => {
			sortUp = sortBy === key && !sortUp;
			sortBy = key;
			showFunctions();
		});
		return element('th', {scope: 'col'}, button);
	};
	byId('functions')
			.replaceChildren(element('thead', {},
									 element('tr', {}, head('name', 'function'),
											 head('self', 'self'), head('total', 'total'))),
					element('tbody', {}, ...rows.slice(0, MOST_ROWS).map(fn => {
						const at = functions.indexOf(fn);
						const swatch = element('span',
								{className: `swatch${fn.kind === OFF_CPU ? ' stripes' : ''}`});
						if (fn.kind !== OFF_CPU && !data.compared)
							swatch.style.background = colourOf(fn, false);
						const row = element('tr',
								{tabIndex: -1, className: isShown(at) ? 'this' : ''},
								element('td', {title: `${fn.name}\n${fn.module}`}, swatch,
										shorten(fn.name, letters)),
								bar(fn.self[measure], whole), bar(fn.total[measure], whole));
						row.dataset.fn = at;
						return row;
					})));
	byId('others').textContent = rows.length > MOST_ROWS
			? `and ${number(rows.length - MOST_ROWS)} more: search for them`
			: '';
	const first = byId('functions').querySelector('tbody .this, tbody tr');
	if (first)
		first.tabIndex = 0;
}

/* A row does what its function is for: its boxes are marked, or it stands in the middle. */
function useRow(row) {
	const at = Number(row.dataset.fn);
	if (mode === 'sandwich')
		sandwich(at);
	else
		markFunction(at);
	const again = byId('functions').querySelector(`[data-fn="${at}"]`);
	if (again)
		again.focus({preventScroll: true});
}

byId('functions').addEventListener('click', event => {
	const row = event.target.closest('tbody tr');
	if (row)
		useRow(row);
});
byId('functions').addEventListener('dblclick', event => {
	const row = event.target.closest('tbody tr');
	if (row)
		sandwich(Number(row.dataset.fn));
});
byId('functions').addEventListener('keydown', event => {
	const row = event.target.closest('tbody tr');
	const next = row
			&& {ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling}[event.key];
	if (next) {
		row.tabIndex = -1;
		next.tabIndex = 0;
		next.focus();
	} else if (row && event.key === 'Enter')
		useRow(row);
	else if (!row || !event.key.startsWith('Arrow'))
		return;
	event.preventDefault();
	event.stopPropagation();
});

/* Pointer, keys and filters. */
/* The item and column at a point of the map, or null; of a gap between squares its pages. */
function at(x, y) {
	const item = items.findIndex(each => y >= each.y && y < each.y + each.tall);
	if (item < 0 || items[item].kind === 'head')
		return null;
	if (items[item].kind === 'row') {
		const column = items[item].cells.findIndex(cell => x >= cell.x && x < cell.x + size() + 1);
		const gap = items[item].gaps.find(each => x >= each.x && x < each.x + FOLD);
		return column >= 0 ? {item, column} : gap ? {item, column: -1, gap: gap.pages} : null;
	}
	const column = state.from + Math.max(0, Math.floor((x - leftEdge()) / sliceWidth()));
	return column < state.to ? {item, column} : null;
}

const unitAt = cursor => items[cursor.item].kind === 'slices'
		? items[cursor.item].unit
		: items[cursor.item].cells[cursor.column].unit;

function describe(cursor) {
	if (cursor.gap)
		return `${plural(cursor.gap, 'page')} not accessed`;
	const slicesShown = items[cursor.item].kind === 'slices', unit = unitAt(cursor);
	const from = slicesShown ? cursor.column : state.from,
		  to = slicesShown ? cursor.column + 1 : state.to;
	const place = unit.span === 1
			? address(unit.first)
			: `${address(unit.first)} to ${address(unit.first + BigInt(unit.span))}`;
	const lines = [`${place}  ${unit.band.label}`];
	if (unit.span > 1)
		lines.push(`${number(unit.pages.length)} of ${
				number(unit.span)} pages accessed, the hottest ${number(heatOf(unit))} times`);
	if (slicesShown)
		lines.push(`accesses ${number(from * data.slice)} to ${number(to * data.slice)}`);
	const found = namesOn(unit.pages, false, from, to);
	if (!found.length)
		lines.push('not accessed');
	for (const [name, loads, stores, blocks] of found.slice(0, TOP_NAMES))
		lines.push(`${number(loads).padStart(10)} loads ${number(stores).padStart(10)} stores ${
				blocks ? number(blocks).padStart(8) + ' bulk transfers '
					   : ''} ${data.names[name]}`);
	if (found.length > TOP_NAMES)
		lines.push(`… ${found.length - TOP_NAMES} more`);
	lines.push('click: all names, and the functions that touch them');
	return lines.join('\n');
}

function show(cursor, x, y) {
	state.cursor = cursor;
	draw();
	showTip(cursor && describe(cursor), x, y);
}

function zoom(change) {
	state.zoom = Math.max(-3, Math.min(9, state.zoom + change));
	state.cursor = null;
	refresh(true);
}

/* Scrolls to a page and sets the cursor on it. */
function reveal(page) {
	const item = items.findIndex(each => each.kind === 'slices' && each.unit.pages.includes(page)
					|| each.kind === 'row'
							&& each.cells.some(cell => cell.unit.pages.includes(page)));
	if (item < 0)
		return;
	const it = items[item];
	if (it.y < scroller.scrollTop || it.y + it.tall > scroller.scrollTop + scroller.clientHeight)
		scroller.scrollTop = it.y - scroller.clientHeight / 2;
	draw();
}

function selectTime(from, to) {
	state.from = Math.max(0, Math.min(slices - 1, from));
	state.to = Math.max(state.from + 1, Math.min(slices, to));
	show(null);
	refresh(false);
}

/* The next cell in a direction: along a row, or the nearest row above or below. */
function step(dx, dy) {
	const first = items.findIndex(item => item.kind !== 'head');
	if (!state.cursor)
		return first < 0 ? null
						 : {item: first, column: items[first].kind === 'row' ? 0 : state.from};
	const {item, column} = state.cursor;
	if (dy)
		for (let i = item + dy; i >= 0 && i < items.length; i += dy)
			if (items[i].kind !== 'head')
				return {item: i, column: inside(i, column)};
	return {item, column: inside(item, column + dx)};
}

/* The column nearest to the wanted one that the item has. */
function inside(item, column) {
	const slicesShown = items[item].kind === 'slices';
	return Math.max(slicesShown ? state.from : 0,
			Math.min(slicesShown ? state.to - 1 : items[item].cells.length - 1, column));
}

function moveBy(dx, dy) {
	const cursor = step(dx, dy);
	if (!cursor)
		return;
	const item = items[cursor.item];
	if (item.y < scroller.scrollTop
			|| item.y + item.tall > scroller.scrollTop + scroller.clientHeight)
		scroller.scrollTop = item.y - scroller.clientHeight / 2;
	const box = boxOf(cursor), frame = scroller.getBoundingClientRect();
	show(cursor, frame.left + box.x, frame.top + box.y - scroller.scrollTop);
	byId('spoken').textContent = describe(cursor);
}

function pointAt(event) {
	const frame = map.getBoundingClientRect();
	return at(event.clientX - frame.left, event.clientY - frame.top + scroller.scrollTop);
}

map.addEventListener('pointermove', event => show(pointAt(event), event.clientX, event.clientY));
map.addEventListener('pointerleave', () => show(null));
map.addEventListener('click', event => {
	const cursor = pointAt(event);
	if (cursor && !cursor.gap)
		choose(unitAt(cursor).pages);
});
map.addEventListener('keydown', event => {
	const moves = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
	if (moves[event.key])
		moveBy(...moves[event.key]);
	else if (event.key === 'Enter' && state.cursor)
		choose(unitAt(state.cursor).pages);
	else
		return;
	event.preventDefault();
});
scroller.addEventListener('scroll', () => draw());
scroller.addEventListener('wheel', event => {
	if (event.ctrlKey) {
		event.preventDefault();
		zoom(event.deltaY < 0 ? 1 : -1);
	}
}, {passive: false});

let dragged = null;
const sliceAt = event => Math.max(0,
		Math.min(slices,
				(event.clientX - timeline.getBoundingClientRect().left) / timeline.clientWidth
						* slices));
timeline.addEventListener('pointerdown', event => {
	dragged = sliceAt(event);
	timeline.setPointerCapture(event.pointerId);
});
timeline.addEventListener('pointermove', event => {
	if (dragged !== null)
		selectTime(Math.floor(Math.min(dragged, sliceAt(event))),
				Math.ceil(Math.max(dragged, sliceAt(event))));
});
timeline.addEventListener('pointerup', () => { dragged = null; });
timeline.addEventListener('keydown', event => {
	const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
	if (by && event.shiftKey)
		selectTime(state.from, state.to + by);
	else if (by && state.from + by >= 0 && state.to + by <= slices)
		selectTime(state.from + by, state.to + by);
	else if (by && state.from === 0 && state.to === slices)
		selectTime(0, Math.ceil(slices / 4));
	else
		return;
	event.preventDefault();
});

for (const id of ['view', 'order', 'kind', 'thread'])
	byId(id).addEventListener('change', event => {
		state[id] = id === 'thread' ? Number(event.target.value) : event.target.value;
		state.cursor = null;
		refresh(true);
		reveal(counts.hottest);
	});
byId('hottest').addEventListener('click', () => counts.hottest >= 0 && choose([counts.hottest]));
byId('symbol').addEventListener('input', event => {
	state.symbol = event.target.value;
	state.cursor = null;
	refresh(true);
});
byId('smaller').addEventListener('click', () => zoom(-1));
byId('larger').addEventListener('click', () => zoom(1));
byId('whole').addEventListener('click', () => selectTime(0, slices));
window.addEventListener('resize', () => refresh(true));

themed = () => refresh(false);
const wholeTime = () => selectTime(0, slices);
listenToKeys({
	'+': () => zoom(1),
	'=': () => zoom(1),
	'-': () => zoom(-1),
	a: () => moveBy(-1, 0),
	d: () => moveBy(1, 0),
	w: () => moveBy(0, -1),
	s: () => moveBy(0, 1),
	0: wholeTime,
	Home: wholeTime,
	Escape: wholeTime
},
		{
			Escape: () => {
				byId('symbol').value = '';
				byId('symbol').dispatchEvent(new Event('input'));
				map.focus();
			}
		});
listKeys([
	[
		'← → ↑ ↓',
		'on the map: from cell to cell; on the time line: move the selected time, with Shift its end'
	],
	['a d w s', 'from cell to cell, wherever the focus is'],
	['Enter or click', 'all names of a cell, and the functions that touch them'],
	['/', 'only one name: * stands for any text'], ['+ −', 'more detail, less detail'],
	['Esc', 'the whole time, any name'], ['0 or Home', 'the whole time']
]);

function option(parent, value, text) {
	const element = document.createElement('option');
	element.value = value;
	element.textContent = text;
	byId(parent).append(element);
}

byId('caption').textContent = data.caption;
byId('view').value = state.view;
byId('order').value = state.order;
data.threads.forEach((thread, index) => option('thread', index, thread));
data.names.slice(0, 2000).forEach(name => option('symbols', name, ''));
assignPages();
count();
lay();
refresh(false);
reveal(counts.hottest);

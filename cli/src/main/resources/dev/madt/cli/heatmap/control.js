/* Pointer, keys and filters. */
/* The item and column at a point of the map, or null. */
function at(x, y) {
	const item = items.findIndex(each => y >= each.y && y < each.y + each.tall);
	if (item < 0 || x < LEFT)
		return null;
	if (items[item].kind === 'row') {
		const column = Math.floor((x - LEFT) / (state.size + 1)), page = items[item].first + BigInt(column);
		return column < COLUMNS && page >= items[item].band.first && page <= items[item].band.last ? {item, column} : null;
	}
	const column = state.from + Math.floor((x - LEFT) / sliceWidth());
	return items[item].kind === 'slices' && column < state.to ? {item, column} : null;
}

function describe(cursor) {
	const item = items[cursor.item], inTime = item.kind === 'slices';
	const index = inTime ? item.page : item.known.get(cursor.column);
	const page = inTime ? pages[item.page] : item.first + BigInt(cursor.column);
	const band = inTime ? bands.find(each => each.pages.includes(index)) : item.band;
	const from = inTime ? cursor.column : state.from, to = inTime ? cursor.column + 1 : state.to;
	const lines = [`${address(page)}  ${band.label}`];
	if (inTime)
		lines.push(`accesses ${number(from * data.slice)} to ${number(to * data.slice)}`);
	const found = index === undefined ? [] : namesOn(index, from, to);
	if (!found.length)
		lines.push('not accessed');
	for (const [name, loads, stores] of found.slice(0, TOP_NAMES))
		lines.push(`${number(loads).padStart(10)} loads ${number(stores).padStart(10)} stores  ${name}`);
	if (found.length > TOP_NAMES)
		lines.push(`… ${found.length - TOP_NAMES} more`);
	return lines.join('\n');
}

function namesOn(page, from, to) {
	const wanted = nameFilter(), byName = new Map();
	for (let i = 0; i < cells.length; i += CELL)
		if (cells[i] === page && wanted[cells[i + 1]] && cells[i + 3] >= from && cells[i + 3] < to
				&& (state.thread < 0 || cells[i + 2] === state.thread)) {
			const known = byName.get(cells[i + 1]) || [data.names[cells[i + 1]], 0, 0];
			known[1] += state.kind === 'store' ? 0 : cells[i + 4];
			known[2] += state.kind === 'load' ? 0 : cells[i + 5];
			byName.set(cells[i + 1], known);
		}
	return [...byName.values()].filter(each => each[1] + each[2] > 0).sort((a, b) => b[1] + b[2] - a[1] - a[2]);
}

function show(cursor, x, y) {
	const tip = byId('tip');
	state.cursor = cursor;
	draw();
	tip.style.display = cursor ? 'block' : 'none';
	if (cursor) {
		tip.textContent = describe(cursor);
		tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - tip.offsetWidth - 8)) + 'px';
		tip.style.top = (y + 18 + tip.offsetHeight > innerHeight ? Math.max(4, y - tip.offsetHeight - 10) : y + 18) + 'px';
	}
}

function zoom(change) {
	state.size = Math.max(3, Math.min(40, state.size + change));
	state.cursor = null;
	refresh(true);
}

function selectTime(from, to) {
	state.from = Math.max(0, Math.min(slices - 1, from));
	state.to = Math.max(state.from + 1, Math.min(slices, to));
	show(null);
	refresh(false);
}

/* The next cell in a direction: along a row, or the nearest row above or below. */
function step(dx, dy) {
	const first = items.findIndex(item => item.kind === 'row' && item.known.size || item.kind === 'slices');
	if (!state.cursor) {
		const column = first < 0 ? 0 : items[first].kind === 'row' ? Math.min(...items[first].known.keys()) : state.from;
		return first < 0 ? null : {item: first, column};
	}
	let {item, column} = state.cursor;
	if (dy)
		for (let i = item + dy; i >= 0 && i < items.length; i += dy)
			if (inside(i, column) !== null)
				return {item: i, column: inside(i, column)};
	const moved = inside(item, column + dx);
	return moved === column + dx ? {item, column: moved} : state.cursor;
}

/* The column nearest to the wanted one that the item has, or null. */
function inside(item, column) {
	const it = items[item];
	if (it.kind === 'slices')
		return Math.max(state.from, Math.min(state.to - 1, column));
	if (it.kind !== 'row')
		return null;
	const low = it.band.first > it.first ? Number(it.band.first - it.first) : 0;
	const high = it.band.last < it.first + BigInt(COLUMNS - 1) ? Number(it.band.last - it.first) : COLUMNS - 1;
	return Math.max(low, Math.min(high, column));
}

function moveBy(dx, dy) {
	const cursor = step(dx, dy);
	if (!cursor)
		return;
	const item = items[cursor.item];
	if (item.y < scroller.scrollTop || item.y + item.tall > scroller.scrollTop + scroller.clientHeight)
		scroller.scrollTop = item.y - scroller.clientHeight / 2;
	state.cursor = cursor;
	const box = boxOf(cursor), frame = scroller.getBoundingClientRect();
	show(cursor, frame.left + box.x - scroller.scrollLeft, frame.top + box.y - scroller.scrollTop);
	byId('spoken').textContent = describe(cursor);
}

function pointAt(event) {
	const frame = map.getBoundingClientRect();
	return at(event.clientX - frame.left, event.clientY - frame.top + scroller.scrollTop);
}

map.addEventListener('pointermove', event => show(pointAt(event), event.clientX, event.clientY));
map.addEventListener('pointerleave', () => show(null));
map.addEventListener('keydown', event => {
	const moves = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
	if (moves[event.key])
		moveBy(...moves[event.key]);
	else if (event.key === '+' || event.key === '=')
		zoom(2);
	else if (event.key === '-')
		zoom(-2);
	else if (event.key === 'Escape')
		selectTime(0, slices);
	else
		return;
	event.preventDefault();
});
scroller.addEventListener('scroll', () => draw());
scroller.addEventListener('wheel', event => {
	if (event.ctrlKey) {
		event.preventDefault();
		zoom(event.deltaY < 0 ? 2 : -2);
	}
}, {passive: false});

let dragged = null;
const sliceAt = event => Math.max(0, Math.min(slices, (event.clientX - timeline.getBoundingClientRect().left) / timeline.clientWidth * slices));
timeline.addEventListener('pointerdown', event => {
	dragged = sliceAt(event);
	timeline.setPointerCapture(event.pointerId);
});
timeline.addEventListener('pointermove', event => {
	if (dragged !== null)
		selectTime(Math.floor(Math.min(dragged, sliceAt(event))), Math.ceil(Math.max(dragged, sliceAt(event))));
});
timeline.addEventListener('pointerup', () => { dragged = null; });
timeline.addEventListener('keydown', event => {
	const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
	if (event.key === 'Escape')
		selectTime(0, slices);
	else if (by && event.shiftKey)
		selectTime(state.from, state.to + by);
	else if (by && state.from + by >= 0 && state.to + by <= slices)
		selectTime(state.from + by, state.to + by);
	else if (by && state.from === 0 && state.to === slices)
		selectTime(0, Math.ceil(slices / 4));
	else
		return;
	event.preventDefault();
});

for (const id of ['view', 'kind', 'thread'])
	byId(id).addEventListener('change', event => {
		state[id] = id === 'thread' ? Number(event.target.value) : event.target.value;
		state.cursor = null;
		refresh(true);
	});
byId('symbol').addEventListener('input', event => {
	state.symbol = event.target.value;
	refresh(false);
});
byId('smaller').addEventListener('click', () => zoom(-2));
byId('larger').addEventListener('click', () => zoom(2));
byId('whole').addEventListener('click', () => selectTime(0, slices));
byId('theme').addEventListener('click', () => setTheme(!isDark()));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', event => setTheme(event.matches));
window.addEventListener('resize', () => refresh(true));

function setTheme(dark) {
	document.documentElement.dataset.theme = dark ? 'dark' : 'light';
	refresh(false);
}

function option(parent, value, text) {
	const element = document.createElement('option');
	element.value = value;
	element.textContent = text;
	byId(parent).append(element);
}

byId('caption').textContent = data.caption;
byId('view').value = state.view;
data.threads.forEach((thread, index) => option('thread', index, thread));
data.names.slice(0, 2000).forEach(name => option('symbols', name, ''));
assignPages();
count();
lay();
setTheme(matchMedia('(prefers-color-scheme: dark)').matches);

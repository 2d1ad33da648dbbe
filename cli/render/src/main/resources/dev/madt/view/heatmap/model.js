/* What is shown: data, filters, counts and the lines of the map. */
const data = /*DATA*/;
const HEAD = 24, FOLD = 5, TOP_NAMES = 12, CELL = 6, USE = 5;
const map = byId('map'), scroller = byId('scroll'), timeline = byId('timeline');
const pages = data.pages.map(page => BigInt('0x' + page));
const bands = data.bands.map(band => ({
	label: band.label,
	first: BigInt('0x' + band.first),
	last: BigInt('0x' + band.last),
	pages: []
}));
const slices = Math.max(1, Math.ceil(data.end / data.slice));
/*
 * zoom: steps of detail; chosen: pages whose names the panel shows; name: whose functions it shows.
 */
const state = {
	view: data.view,
	order: data.order,
	kind: 'all',
	thread: -1,
	symbol: '',
	from: 0,
	to: slices,
	zoom: 0,
	cursor: null,
	chosen: null,
	name: -1
};
let items = [], height = 0, counts = null;

const percent = (part, whole) => part && part < whole / 1000
		? 'less than 0.1 %'
		: `${(whole ? 100 * part / whole : 0).toFixed(1)} %`;
const address = page => '0x' + (page << BigInt(data.pageBits)).toString(16);
const colourOf = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const inTime = () => state.view === 'time';
/* Where the cells begin: names stand in front of slices of time. */
const leftEdge = () => inTime()
		? Math.round(Math.min(Math.max(250, scroller.clientWidth / 3), scroller.clientWidth / 2))
		: 118;

/* Pages to bands: both are sorted by address. */
function assignPages() {
	const order = pages.map((page, index) => index).sort((a, b) => Number(pages[a] - pages[b]));
	let band = 0;
	for (const index of order) {
		while (band < bands.length - 1 && bands[band].last < pages[index])
			band++;
		bands[band].pages.push(index);
	}
	for (const each of bands) {
		each.all = 0;
		for (const page of each.pages)
			bandOfPage[page] = each;
	}
	for (const table of [data.cells, data.blocks])
		for (let i = 0; i + CELL <= table.length; i += CELL) {
			bandOfPage[table[i]].all += table[i + 4] + table[i + 5];
			heatOfAll += table[i + 4] + table[i + 5];
		}
}
const bandOfPage = new Array(pages.length);
let heatOfAll = 0;

/*
 * The rows of cells that the filters leave: page, name, slice, then loads and stores; of bulk
 * transfers what they read and wrote.
 */
function eachCell(table, wanted, visit) {
	for (let i = 0; i + CELL <= table.length; i += CELL)
		if (wanted[table[i + 1]] && (state.thread < 0 || table[i + 2] === state.thread))
			visit(table[i], table[i + 1], table[i + 3], state.kind === 'store' ? 0 : table[i + 4],
					state.kind === 'load' ? 0 : table[i + 5]);
}

/*
 * What the filters leave: loads, stores and touching bulk transfers by page, what is hot by page
 * and slice, names by page.
 */
function count() {
	const total = {
		loads: new Float64Array(pages.length),
		stores: new Float64Array(pages.length),
		blocks: new Float64Array(pages.length),
		heat: new Float64Array(pages.length),
		slices: new Float64Array(slices),
		grid: new Map(),
		names: pages.map(() => new Map()),
		wanted: nameFilter()
	};
	const add = (page, name, slice, loads, stores, single) => {
		total.slices[slice] += loads + stores;
		if (slice < state.from || slice >= state.to || !(loads + stores))
			return;
		(single ? total.loads : total.blocks)[page] += loads;
		(single ? total.stores : total.blocks)[page] += stores;
		total.heat[page] += loads + stores;
		const key = page * slices + slice;
		total.grid.set(key, (total.grid.get(key) || 0) + loads + stores);
		total.names[page].set(name, (total.names[page].get(name) || 0) + loads + stores);
	};
	eachCell(data.cells, total.wanted,
			(page, name, slice, loads, stores) => add(page, name, slice, loads, stores, true));
	eachCell(data.blocks, total.wanted,
			(page, name, slice, loads, stores) => add(page, name, slice, loads, stores, false));
	total.most = Math.max(1,
			inTime() ? [...total.grid.values()].reduce((a, b) => Math.max(a, b), 1)
					 : total.heat.reduce((a, b) => Math.max(a, b), 1));
	total.hottest = total.heat.reduce((found, value, page) => value
							> (found < 0 ? 0 : total.heat[found])
					? page
					: found,
			-1);
	total.all = total.heat.reduce((a, b) => a + b, 0);
	total.transfers = transfers(total.wanted);
	counts = total;
}

/* Bulk transfers that the filters leave, each once. */
function transfers(wanted) {
	let sum = 0;
	for (let i = 0; i + 4 <= data.transfers.length; i += 4) {
		const read = data.sides[2 * data.transfers[i]],
			  written = data.sides[2 * data.transfers[i] + 1];
		const shown = state.kind !== 'store' && read >= 0 && wanted[read]
				|| state.kind !== 'load' && written >= 0 && wanted[written];
		if (shown && (state.thread < 0 || data.transfers[i + 1] === state.thread)
				&& data.transfers[i + 2] >= state.from && data.transfers[i + 2] < state.to)
			sum += data.transfers[i + 3];
	}
	return sum;
}

function nameFilter() {
	const text = state.symbol.trim();
	const exact = data.names.includes(text);
	const literal = text.replace(/[.+^${}()|[\]\\]/g, '\\$&');
	const regular = `^${literal.replace(/\*/g, '.*').replace(/\?/g, '.')}$`;
	const pattern = /[*?]/.test(text) ? new RegExp(regular) : null;
	const matches = name => pattern ? pattern.test(name) : name.includes(text);
	return data.names.map(name => !text || (exact ? name === text : matches(name)));
}

/* One hue; in the dark the most accessed pages are the brightest. */
function colour(value) {
	if (value <= 0)
		return colourOf('--empty');
	const part = counts.most <= 1 ? 1 : Math.log(value) / Math.log(counts.most);
	return isDark() ? `hsl(208 ${50 + 35 * part}% ${24 + 58 * part}%)`
					: `hsl(208 ${58 + 20 * part}% ${88 - 68 * part}%)`;
}

const size = () => Math.max(5, Math.min(44, (inTime() ? 9 : 18) + (inTime() ? 2 : 3) * state.zoom));
const columns = () => Math.max(8,
		Math.floor((scroller.clientWidth - leftEdge() - 24) / (size() + 1)));

/* How many lines of units a band has that has this part of all heat. */
function linesOf(part) {
	if (!inTime())
		return part > 0.02 ? 3 : 1;
	if (part > 0.15)
		return 34;
	return part > 0.02 ? 16 : 6;
}

/*
 * The pages of a band in units of one size: a unit is a power of two of pages, and begins at a
 * multiple of that. Its heat is that of its hottest page. A band in which much happens has more
 * units.
 */
function unitsOf(band) {
	const part = heatOfAll && band.all / heatOfAll;
	const lines = linesOf(part);
	const most = Math.max(4, Math.floor(lines * (inTime() ? 1 : columns()) * 2 ** state.zoom));
	const origin = band.first >> 20n << 20n,
		  offsets = band.pages.map(page => Number(pages[page] - origin));
	let span = 1;
	while (new Set(offsets.map(offset => Math.floor(offset / span))).size > most)
		span *= 2;
	const units = [];
	for (let i = 0; i < offsets.length; i++) {
		const id = Math.floor(offsets[i] / span);
		if (!units.length || units[units.length - 1].id !== id)
			units.push({id, span, band, first: origin + BigInt(id * span), pages: []});
		units[units.length - 1].pages.push(band.pages[i]);
	}
	return units;
}

const heatOf = unit => unit.pages.reduce((most, page) => Math.max(most, counts.heat[page]), 0);

/* The lines of the map: headings, rows of squares or of slices, each with its place. */
function lay() {
	items = [];
	height = 4;
	const order = bands.slice();
	if (state.order === 'heat') {
		const heat = new Map(bands.map(band => [band, heatOf(band)]));
		order.sort((a, b) => heat.get(b) - heat.get(a));
	}
	order.forEach(layBand);
	byId('space').style.height = Math.max(height + 10, scroller.clientHeight) + 'px';
}

function put(item, tall) {
	items.push(Object.assign(item, {y: height, tall}));
	height += tall;
}

function layBand(band) {
	const units = unitsOf(band);
	put({kind: 'head', band, span: units[0].span}, HEAD);
	if (inTime())
		units.forEach(unit => put({kind: 'slices', band, unit}, size()));
	else
		layRows(band, units);
	height += 4;
}

/* Squares from left to right; where pages between two of them were not accessed, a thin line. */
function layRows(band, units) {
	const step = size() + 1, right = leftEdge() + columns() * step;
	let row = null, x = 0;
	for (let i = 0; i < units.length; i++) {
		const gap = i > 0 && units[i].id > units[i - 1].id + 1;
		if (row && x + (gap ? FOLD : 0) + step <= right) {
			if (gap)
				row.gaps.push({x, pages: (units[i].id - units[i - 1].id - 1) * units[i].span});
			x += gap ? FOLD : 0;
		} else {
			row = {kind: 'row', band, cells: [], gaps: []};
			x = leftEdge();
			put(row, step);
		}
		row.cells.push({x, unit: units[i]});
		x += step;
	}
}

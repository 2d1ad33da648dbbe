/* What is shown: data, filters, counts and the lines of the map. */
'use strict';
const data = /*DATA*/;
const COLUMNS = 64, LEFT = 118, HEAD = 22, FOLD = 18, TOP_NAMES = 10;
const byId = id => document.getElementById(id);
const map = byId('map'), scroller = byId('scroll'), timeline = byId('timeline');
const pages = data.pages.map(page => BigInt('0x' + page));
const bands = data.bands.map(band => ({label: band.label, traced: band.traced, first: BigInt('0x' + band.first),
	last: BigInt('0x' + band.last), pages: []}));
const cells = data.cells, CELL = 6;
const slices = Math.max(1, Math.ceil(data.end / data.slice));
const state = {view: data.view, kind: 'all', thread: -1, symbol: '', from: 0, to: slices, size: 11, cursor: null};
let items = [], height = 0, counts = null;

const number = value => Math.round(value).toLocaleString('en-US');
const address = page => '0x' + (page << BigInt(data.pageBits)).toString(16);
const colourOf = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const isDark = () => document.documentElement.dataset.theme === 'dark';

/* Pages to bands: both are sorted by address. */
function assignPages() {
	const order = pages.map((page, index) => index).sort((a, b) => pages[a] < pages[b] ? -1 : pages[a] > pages[b] ? 1 : 0);
	let band = 0;
	for (const index of order) {
		while (band < bands.length - 1 && bands[band].last < pages[index])
			band++;
		bands[band].pages.push(index);
	}
}

/* What the filters leave, by page, and by page and slice in the view of time. */
function count() {
	const total = {loads: new Float64Array(pages.length), stores: new Float64Array(pages.length),
		slices: new Float64Array(slices), grid: state.view === 'time' ? new Map() : null, most: 1};
	const wanted = nameFilter();
	for (let i = 0; i < cells.length; i += CELL) {
		if (!wanted[cells[i + 1]] || state.thread >= 0 && cells[i + 2] !== state.thread)
			continue;
		const loads = state.kind === 'store' ? 0 : cells[i + 4], stores = state.kind === 'load' ? 0 : cells[i + 5];
		total.slices[cells[i + 3]] += loads + stores;
		if (cells[i + 3] < state.from || cells[i + 3] >= state.to)
			continue;
		total.loads[cells[i]] += loads;
		total.stores[cells[i]] += stores;
		if (total.grid) {
			const key = cells[i] * slices + cells[i + 3];
			total.grid.set(key, (total.grid.get(key) || 0) + loads + stores);
		}
	}
	total.most = most(total);
	total.hottest = hottest(total);
	counts = total;
}

function most(total) {
	let result = 1;
	if (total.grid)
		for (const value of total.grid.values())
			result = Math.max(result, value);
	else
		for (let i = 0; i < pages.length; i++)
			result = Math.max(result, total.loads[i] + total.stores[i]);
	return result;
}

/* The most accessed page, the first of several; -1 if none is accessed. */
function hottest(total) {
	let found = -1, value = 0;
	for (let i = 0; i < pages.length; i++)
		if (total.loads[i] + total.stores[i] > value) {
			found = i;
			value = total.loads[i] + total.stores[i];
		}
	return found;
}

function nameFilter() {
	const text = state.symbol.trim();
	const pattern = text.includes('*') || text.includes('?')
		? new RegExp('^' + text.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.') + '$') : null;
	return data.names.map(name => !text || (pattern ? pattern.test(name) : name.includes(text)));
}

/* One hue; in the dark the most accessed pages are the brightest. */
function colour(value) {
	if (value <= 0)
		return colourOf('--empty');
	const part = counts.most <= 1 ? 1 : Math.log(value) / Math.log(counts.most);
	return isDark() ? `hsl(208 ${50 + 35 * part}% ${24 + 58 * part}%)` : `hsl(208 ${58 + 20 * part}% ${88 - 68 * part}%)`;
}

/* The lines of the map: headings, rows and what is folded, each with its place. */
function lay() {
	items = [];
	height = 6;
	for (let i = 0; i < bands.length;)
		if (bands[i].pages.length)
			layBand(bands[i++]);
		else
			i = layFold(i);
	byId('space').style.height = Math.max(height + 10, scroller.clientHeight) + 'px';
}

function put(item, tall) {
	items.push(Object.assign(item, {y: height, tall}));
	height += tall;
}

function layFold(from) {
	let end = from, sum = 0n;
	while (end < bands.length && !bands[end].pages.length && bands[end].traced === bands[from].traced)
		sum += bands[end].last - bands[end++].first + 1n;
	const names = bands[from].label + (end - from > 1 ? ` and ${end - from - 1} more` : '');
	if (state.view === 'space')
		put({kind: 'fold', untraced: !bands[from].traced,
			text: `${names}: ${sum.toLocaleString('en-US')} page${sum > 1n ? 's' : ''} not ${bands[from].traced ? 'accessed' : 'traced'}`}, FOLD);
	return end;
}

function layBand(band) {
	put({kind: 'head', band}, HEAD);
	if (state.view === 'time') {
		for (const page of band.pages)
			put({kind: 'slices', page}, Math.max(3, state.size - 1));
		return;
	}
	const wide = BigInt(COLUMNS), rows = new Map();
	for (const page of band.pages) {
		const row = pages[page] / wide;
		if (!rows.has(row))
			rows.set(row, new Map());
		rows.get(row).set(Number(pages[page] % wide), page);
	}
	let next = band.first / wide;
	for (const [row, known] of rows) {
		layGap(band, next, row);
		put({kind: 'row', band, first: row * wide, known}, state.size + 1);
		next = row + 1n;
	}
	layGap(band, next, band.last / wide + 1n);
}

function layGap(band, from, to) {
	const wide = BigInt(COLUMNS);
	if (to - from === 1n)
		put({kind: 'row', band, first: from * wide, known: new Map()}, state.size + 1);
	else if (from < to) {
		const first = from * wide > band.first ? from * wide : band.first, last = to * wide - 1n < band.last ? to * wide - 1n : band.last;
		put({kind: 'fold', text: `… ${(last - first + 1n).toLocaleString('en-US')} pages not accessed`}, FOLD);
	}
}

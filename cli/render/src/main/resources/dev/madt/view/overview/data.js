/* The trace: rows, what leads from one to another, what is chosen. */
const data = /*DATA*/;
function percent(part, whole) {
	if (!whole || !part)
		return '0 %';
	if (part === whole)
		return '100 %';
	return part < whole / 1000 ? '< 0.1 %' : `${Math.min(99.9, 100 * part / whole).toFixed(1)} %`;
}
function size(bytes) {
	if (bytes < 1024)
		return `${number(bytes)} B`;
	return bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KiB`
						   : `${(bytes / 1048576).toFixed(1)} MiB`;
}
const all = data.loads + data.stores;

/* Rows as objects; `at` is the place in its list. */
const LINK = 6, SYMBOL = 0, FUNCTION = 1, LINE = 2;
function objects(list) {
	return list.rows.map((cells, at) => {
		const row = {at};
		list.keys.forEach((key, i) => { row[key] = cells[i]; });
		return row;
	});
}
const rows = {
	symbol: objects(data.symbols),
	site: objects(data.sites),
	function: objects(data.functions),
	line: objects(data.lines),
	type: objects(data.types || {keys: [], rows: []}),
	member: objects(data.members || {keys: [], rows: []})
};
const more = {
	symbol: data.symbols.more,
	site: data.sites.more,
	function: data.functions.more,
	line: data.lines.more,
	type: data.types ? data.types.more : 0,
	member: data.members ? data.members.more : 0
};
for (const row of [...rows.type, ...rows.member])
	row.name = row.type;
for (const site of rows.site)
	Object.assign(site, {name: site.allocation_site, source: site.allocated_at || ''});

/*
 * A site is the rows of one name in all regions: realloc moves blocks from the heap to mappings of
 * their own.
 */
const siteOfName = new Map(rows.site.map(site => [site.name, site.at]));
for (const symbol of rows.symbol)
	symbol.site = siteOfName.has(symbol.name) ? siteOfName.get(symbol.name) : -1;

/*
 * What the links at which `wanted` is true add up to: for each kind a map from places to loads,
 * stores and bulk transfers.
 */
function sums(wanted) {
	const found = {symbol: new Map(), site: new Map(), function: new Map(), line: new Map()};
	const add = (kind, at, i) => {
		if (at < 0)
			return;
		const sum = found[kind].get(at) || {loads: 0, stores: 0, bulk_events: 0};
		sum.loads += data.links[i + 3];
		sum.stores += data.links[i + 4];
		sum.bulk_events += data.links[i + 5];
		found[kind].set(at, sum);
	};
	for (let i = 0; i < data.links.length; i += LINK)
		if (wanted(data.links[i + SYMBOL], data.links[i + FUNCTION], data.links[i + LINE])) {
			add('symbol', data.links[i + SYMBOL], i);
			add('site', data.links[i + SYMBOL] < 0 ? -1 : rows.symbol[data.links[i + SYMBOL]].site,
					i);
			add('function', data.links[i + FUNCTION], i);
			add('line', data.links[i + LINE], i);
		}
	return found;
}

/*
 * What of the picture is of the links at which `wanted` is true: a map from cells to counts. A cell
 * is its row, counted through all bands, times the slices of `data.cells`, plus its slice.
 */
function cellsOf(wanted) {
	const found = new Map();
	data.cells.links.forEach((pairs, link) => {
		const i = link * LINK;
		if (!wanted(data.links[i + SYMBOL], data.links[i + FUNCTION], data.links[i + LINE]))
			return;
		for (let at = 0, cell = 0; at < pairs.length; at += 2) {
			cell += pairs[at];
			found.set(cell, (found.get(cell) || 0) + pairs[at + 1]);
		}
	});
	return found;
}

/* What is chosen: null, or a kind (of rows, or 'region') and a place. */
let chosen = null, linked = null, pictured = null;
const inBand = (at, band) => at >= 0 && data.bands[band].regions.includes(rows.symbol[at].region);
const WANTED = {
	symbol: at => s => s === at,
	site: at => s => s >= 0 && rows.symbol[s].site === at,
	function: at => (s, f) => f === at,
	line: at => (s, f, l) => l === at,
	region: at => s => inBand(s, at)
};

function choose(kind, at) {
	chosen = kind === null ? null : {kind, at};
	linked = chosen && sums(WANTED[kind](at));
	pictured = chosen && kind !== 'region' ? cellsOf(WANTED[kind](at)) : null;
}

const nameOf = (kind, at) => kind === 'region' ? data.bands[at].label : rows[kind][at].name;
const exists = (kind, at) => kind === 'region' ? at < data.bands.length
											   : rows[kind] !== undefined && at < rows[kind].length;

/* Regions over time: a canvas for each. */
const ROW = 5, LEAST_TALL = 16, FEW_BANDS = 7;
/* A row of a band: first and last address, then pairs of slice and count. */
const counts = row => {
	const found = [];
	for (let i = 2; i < row.length; i += 2)
		found.push([row[i], row[i + 1]]);
	return found;
};
const mostInCell = data.bands.reduce(
		(most, band) => band.rows.reduce((a, row) => counts(row).reduce((b, cell) => Math.max(b,
																				cell[1]),
												 a),
				most),
		1);
/* The first row of each band, counted through all bands. */
const firstRows = [];
data.bands.reduce((first, band) => {
	firstRows.push(first);
	return first + band.rows.length;
}, 0);
let cursor = null, bandsShown = FEW_BANDS;

/* One hue; in the dark the most accessed cells are the brightest. */
function colour(value, most) {
	const part = most <= 1 ? 1 : Math.log(value) / Math.log(most);
	return isDark() ? `hsl(208 ${50 + 35 * part}% ${26 + 58 * part}%)`
					: `hsl(208 ${58 + 20 * part}% ${86 - 66 * part}%)`;
}

function sharp(canvas, wide, tall) {
	const ratio = devicePixelRatio || 1;
	canvas.width = wide * ratio;
	canvas.height = tall * ratio;
	canvas.style.height = `${tall}px`;
	const pen = canvas.getContext('2d');
	pen.scale(ratio, ratio);
	return pen;
}

const rowTall = band => Math.max(ROW, Math.floor(LEAST_TALL / band.rows.length));

/* What is not chosen is there, but pale. */
const paleColour = () => isDark() ? '#30363d' : '#d5dae0';
const mostPictured = () => Math.max(1, ...pictured.values());

/* Chosen cells of a row: slice and count, in the slices that they are kept in. */
function picturedCounts(row) {
	const found = [], slices = data.cells.slices;
	for (let slice = 0; slice < slices; slice++) {
		const count = pictured.get(row * slices + slice);
		if (count)
			found.push([slice, count]);
	}
	return found;
}

function drawBand(at, canvas) {
	const band = data.bands[at];
	const wide = canvas.clientWidth, tall = rowTall(band),
		  pen = sharp(canvas, wide, Math.max(LEAST_TALL, tall * band.rows.length));
	const draw = (i, from, to, ink) => {
		const left = Math.round(from / data.slice / data.slices * wide),
			  right = Math.round(Math.min(data.slices, to / data.slice) / data.slices * wide);
		pen.fillStyle = ink;
		pen.fillRect(left, i * tall, Math.max(1, right - left), tall - (tall > 3 ? 1 : 0));
	};
	const most = pictured ? mostPictured() : mostInCell;
	band.rows.forEach((row, i) => {
		for (const [slice, count] of counts(row))
			draw(i, slice * data.slice, (slice + 1) * data.slice,
					pictured ? paleColour() : colour(count, most));
		for (const [slice, count] of pictured ? picturedCounts(firstRows[at] + i) : [])
			draw(i, slice * data.cells.slice, (slice + 1) * data.cells.slice, colour(count, most));
	});
}

/* What is chosen of a band in a slice of time; in one row of it unless `row` is negative. */
function describeChosen(at, slice, row) {
	const part = Math.floor(slice * data.slice / data.cells.slice), slices = data.cells.slices;
	let count = 0;
	data.bands[at].rows.forEach((each, i) => {
		if (row < 0 || row === i)
			count += pictured.get((firstRows[at] + i) * slices + part) || 0;
	});
	return `; of what is chosen, in events ${number(part * data.cells.slice)} to ${
			number(Math.min((part + 1) * data.cells.slice, all + data.transfers)
					- 1)}: ${number(count)}`;
}

/* What happened in a band in a slice of time; in one row of it unless `row` is negative. */
function describe(at, slice, row) {
	const band = data.bands[at];
	const some = row < 0 ? band.rows : [band.rows[row]];
	const count = some.reduce((sum, each) => sum
					+ counts(each)
							  .filter(cell => cell[0] === slice)
							  .reduce((a, cell) => a + cell[1], 0),
			0);
	const from = slice * data.slice,
		  to = Math.min((slice + 1) * data.slice, all + data.transfers) - 1;
	const place = row < 0 ? '' : ` 0x${some[0][0]} to 0x${some[0][1]}`;
	return `${band.label}${place}, events ${number(from)} to ${number(to)}: ${
			plural(count, 'access', 'accesses')}${pictured ? describeChosen(at, slice, row) : ''}`;
}

function bandLine(band, at) {
	const link = element('a', {
		href: `#region-${at}`,
		title: `${band.regions.join(' ')}: ${plural(band.events, 'access', 'accesses')} on ${
				plural(band.pages, 'page')}`
	},
			element('span', {}, band.label),
			element('span', {},
					percent(band.events, data.bands.reduce((sum, each) => sum + each.events, 0))));
	const canvas = element('canvas', {'aria-hidden': 'true'});
	canvas.addEventListener('pointermove', event => {
		const box = canvas.getBoundingClientRect();
		const slice = Math.min(data.slices - 1,
				Math.max(0, Math.floor((event.clientX - box.left) / box.width * data.slices)));
		say(describe(at, slice,
				Math.min(band.rows.length - 1,
						Math.max(0, Math.floor((event.clientY - box.top) / rowTall(band))))));
	});
	canvas.addEventListener('click', () => { location.hash = `region-${at}`; });
	link.addEventListener('keydown', event => {
		const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
		if (by) {
			cursor = cursor === null ? 0 : Math.min(data.slices - 1, Math.max(0, cursor + by));
			say(describe(at, cursor, -1));
			event.preventDefault();
		}
	});
	return element('div', {class: 'band'}, link, canvas);
}

function say(text) {
	byId('said').textContent = text;
}

/* The places of the bands that are drawn: the first ones, and those in which something is chosen. */
function drawnBands() {
	const isPictured = at => pictured
			&& data.bands[at].rows.some((row, i) => picturedCounts(firstRows[at] + i).length);
	return [...data.bands.keys()].filter(at => at < bandsShown || isPictured(at));
}

function layPicture() {
	const drawn = drawnBands(), hidden = data.bands.filter((band, at) => !drawn.includes(at)),
		  left = hidden.length;
	byId('bands').replaceChildren(...drawn.map(at => bandLine(data.bands[at], at)));
	if (left > 0) {
		const events = hidden.reduce((sum, band) => sum + band.events, 0);
		const button = element('button', {type: 'button'},
				`show ${number(left)} more ${left === 1 ? 'region' : 'regions'} (${
						plural(events, 'access', 'accesses')})`);
		button.addEventListener('click', () => {
			bandsShown = data.bands.length;
			layPicture();
			drawPicture();
			byId('bands').querySelectorAll('a')[FEW_BANDS].focus();
		});
		byId('bands').append(button);
	}
	byId('axis').replaceChildren(element('span', {}, 'first access'),
			element('span', {},
					`time, in accesses${
							data.moreBands ? `; ${
									plural(data.moreBands, 'more region')} with fewer accesses`
										   : ''}`),
			element('span', {}, `access ${number(Math.max(0, all + data.transfers - 1))}`));
}

const PICTURE_NOTE = byId('pictured').textContent;
/* Which part of the picture is chosen. */
function picturedText() {
	const {kind, at} = chosen, untold = data.cells.links.length * LINK < data.links.length;
	return `Coloured: ${nameOf(kind, at)}; pale: everything else${
			data.cells.slice > data.slice
					? '; in larger parts of time'
					: ''}${untold ? '; what is accessed least is not told apart' : ''}.`;
}

function drawPicture() {
	const drawn = drawnBands();
	[...byId('bands').querySelectorAll('canvas')].forEach((canvas, i) => drawBand(drawn[i],
																  canvas));
	const most = pictured ? mostPictured() : mostInCell;
	byId('most').textContent = `${plural(most, 'access', 'accesses')} (logarithmic)`;
	byId('pictured').textContent = pictured ? picturedText() : PICTURE_NOTE;
	[...byId('bands').querySelectorAll('a')].forEach((link, i) => {
		const at = drawn[i];
		const isLit = chosen
				&& (chosen.kind === 'region' ? chosen.at === at
											 : chosen.kind === 'symbol' && inBand(chosen.at, at));
		link.setAttribute('aria-current', String(Boolean(isLit)));
	});
	const canvas = byId('legend').querySelector('canvas'), pen = sharp(canvas, 120, 10);
	for (let x = 0; x < 120; x++) {
		pen.fillStyle = colour(most ** (x / 119), most);
		pen.fillRect(x, 0, 1, 10);
	}
}

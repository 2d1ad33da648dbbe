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
let cursor = null, bandsShown = FEW_BANDS;

/* One hue; in the dark the most accessed cells are the brightest. */
function colour(value) {
	const part = mostInCell <= 1 ? 1 : Math.log(value) / Math.log(mostInCell);
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

function drawBand(band, canvas) {
	const wide = canvas.clientWidth, tall = rowTall(band),
		  pen = sharp(canvas, wide, Math.max(LEAST_TALL, tall * band.rows.length));
	const edge = slice => Math.round(slice * wide / data.slices);
	band.rows.forEach((row, i) => {
		for (const [slice, count] of counts(row)) {
			pen.fillStyle = colour(count);
			pen.fillRect(edge(slice), i * tall, Math.max(1, edge(slice + 1) - edge(slice)),
					tall - (tall > 3 ? 1 : 0));
		}
	});
}

/* What happened in a band in a slice of time; in one row of it unless `row` is negative. */
function describe(band, slice, row) {
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
			plural(count, 'access', 'accesses')}`;
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
		say(describe(band, slice,
				Math.min(band.rows.length - 1,
						Math.max(0, Math.floor((event.clientY - box.top) / rowTall(band))))));
	});
	canvas.addEventListener('click', () => { location.hash = `region-${at}`; });
	link.addEventListener('keydown', event => {
		const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
		if (by) {
			cursor = cursor === null ? 0 : Math.min(data.slices - 1, Math.max(0, cursor + by));
			say(describe(band, cursor, -1));
			event.preventDefault();
		}
	});
	return element('div', {class: 'band'}, link, canvas);
}

function say(text) {
	byId('said').textContent = text;
}

function layPicture() {
	const left = data.bands.length - bandsShown;
	byId('bands').replaceChildren(...data.bands.slice(0, bandsShown).map(bandLine));
	if (left > 0) {
		const events = data.bands.slice(bandsShown).reduce((sum, band) => sum + band.events, 0);
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
	byId('most').textContent = `${plural(mostInCell, 'access', 'accesses')} (logarithmic)`;
}

function drawPicture() {
	[...byId('bands').querySelectorAll('canvas')].forEach((canvas, at) => drawBand(data.bands[at],
																  canvas));
	[...byId('bands').querySelectorAll('a')].forEach((link, at) => {
		const isLit = chosen
				&& (chosen.kind === 'region' ? chosen.at === at
											 : chosen.kind === 'symbol' && inBand(chosen.at, at));
		link.setAttribute('aria-current', String(Boolean(isLit)));
	});
	const canvas = byId('legend').querySelector('canvas'), pen = sharp(canvas, 120, 10);
	for (let x = 0; x < 120; x++) {
		pen.fillStyle = colour(mostInCell ** (x / 119));
		pen.fillRect(x, 0, 1, 10);
	}
}

/* Colours: a hue for each module, stripes where nothing ran; or what has grown. */
const HUES = [27, 210, 140, 285, 340, 180, 95, 245], MOST_CHIPS = 8;

/* The modules that have most of it to themselves get a hue of their own. */
function modulesByCost() {
	const first = MEASURES[0], costs = new Map();
	for (const fn of functions)
		if (!fn.kind && fn.module)
			costs.set(fn.module, (costs.get(fn.module) || 0) + fn.self[MEASURES.indexOf(first)]);
	return [...costs].sort((a, b) => b[1] - a[1]).map(([module]) => module);
}
const modules = modulesByCost();
const one = modules.length < 2;

function hash(text) {
	let value = 7;
	for (let i = 0; i < text.length; i++)
		value = value * 31 + text.charCodeAt(i) | 0;
	return Math.abs(value);
}

/* Where all is of one module, hues tell functions apart. */
const hueOf = fn => {
	const at = modules.indexOf(fn.module);
	return one ? 15 + hash(fn.name) * 7 % 45 : at < 0 || at >= HUES.length ? null : HUES[at];
};

const colourCache = new Map();
themed = () => {
	colourCache.clear();
	drawLegend();
	draw();
};

function colourOf(fn, dim) {
	const key = fn.name + '\n' + fn.module + dim + isDark();
	let colour = colourCache.get(key);
	if (!colour) {
		const hue = hueOf(fn), shade = hash(fn.name) % 5,
			  grey = hue === null || fn.kind === SMALLER;
		const [strength, light] = isDark() ? [dim ? 12 : 42, (dim ? 22 : 30) + 2 * shade]
										   : [dim ? 25 : 72, (dim ? 93 : 84) - 2 * shade];
		colour = `hsl(${hue || 0} ${grey ? 4 : strength}% ${light}%)`;
		colourCache.set(key, colour);
	}
	return colour;
}

/* Stripes: nothing ran. */
function stripes(pen, dim) {
	const tile = element('canvas', {width: 8, height: 8}), brush = tile.getContext('2d');
	brush.fillStyle = isDark() ? (dim ? '#20252b' : '#2c343d') : dim ? '#f1f3f5' : '#e4e9ee';
	brush.fillRect(0, 0, 8, 8);
	brush.strokeStyle = isDark() ? (dim ? '#2a3037' : '#49545f') : dim ? '#e3e7eb' : '#bcc6d0';
	brush.lineWidth = 1.6;
	for (const from of [-8, 0, 8]) {
		brush.beginPath();
		brush.moveTo(from, 8);
		brush.lineTo(from + 8, 0);
		brush.stroke();
	}
	return pen.createPattern(tile, 'repeat');
}

const growth = (of, node) => (of.all[measure][node] - of.before[measure][node])
		/ Math.max(1, of.all[measure][node], of.before[measure][node]);

/* Red: more than before, blue: less, grey: within 2 % of it. */
function grown(change) {
	const size = Math.abs(change), strength = 0.25 + 0.75 * size;
	if (size < 0.02)
		return isDark() ? '#3a4149' : '#e3e6ea';
	return `hsl(${change > 0 ? 6 : 213} ${isDark() ? 20 + 40 * strength : 40 + 45 * strength}% ${
			isDark() ? 26 + 14 * strength : 90 - 24 * strength}%)`;
}

function chip(text, sum, colour, wanted, label) {
	const swatch = element('span', {className: `swatch${colour ? '' : ' stripes'}`});
	if (colour)
		swatch.style.background = colour;
	const made = element('button', {type: 'button', title: `mark ${label}`}, swatch, text,
			element('span', {className: 'note'}, ` ${share(sum, tree.all[measure][0])}`));
	made.addEventListener('click', () => mark(wanted, label));
	return made;
}

/* The modules with their colours and what they themselves have. */
function drawLegend() {
	const sum = wanted => functions.reduce((all, fn) => all + (wanted(fn) ? fn.self[measure] : 0),
			0);
	if (data.compared) {
		byId('legend').textContent =
				'Red: more than before; blue: less; grey: the same within 2 %. ' +
				'A box has room for the larger of both.';
		return;
	}
	const sample = module => functions.find(fn => fn.module === module && !fn.kind);
	const chips = modules.slice(0, MOST_CHIPS).map(module => {
		const wanted = fn => fn.module === module && !fn.kind;
		return chip(module, sum(wanted), colourOf(sample(module), false), wanted, module);
	});
	const others = fn => !fn.kind && fn.module && modules.indexOf(fn.module) >= MOST_CHIPS;
	if (modules.length > MOST_CHIPS)
		chips.push(chip(`${modules.length - MOST_CHIPS} other modules`, sum(others),
				isDark() ? '#3a4149' : '#dcdfe3', others, 'other modules'));
	const off = fn => fn.kind === OFF_CPU, times = functions.some(off);
	if (times)
		chips.push(chip(data.offCpu ? 'off CPU' : 'in system calls', sum(off), null, off,
				data.offCpu ? 'off CPU' : 'system calls'));
	byId('legend').replaceChildren(...chips);
}

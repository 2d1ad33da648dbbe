/* Colours: a hue for each module, stripes where nothing ran; or what has grown. */
const MOST_CHIPS = 8;
const palette = new Palette(functions.filter(fn => !fn.kind), fn => fn.self[0]);
const {modules} = palette;
const colourOf = (fn, dim) => palette.colour(fn, dim);
themed = () => {
	drawLegend();
	draw();
};

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

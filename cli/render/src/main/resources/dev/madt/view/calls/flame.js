/* The flame graph: boxes of a tree, drawn on a canvas from the box in focus downwards. */
const ROW = 18, FIXED = 3, byId = id => document.getElementById(id);
const perMeasure = data.compared ? 5 : 2, columns = FIXED + perMeasure * data.measures.length;
const canvas = byId('graph');
const nodes = [];
let measure = data.measure, focus, chosen, boxes = [], pattern = null;

for (let i = 0; i < data.paths.length; i += columns) {
	const [name, module] = data.functions[data.paths[i]];
	const node = {
		name,
		module,
		caller: nodes[data.paths[i + 1]] || null,
		calls: data.paths[i + 2],
		all: [],
		self: [],
		before: [],
		selfBefore: [],
		width: [],
		callees: []
	};
	for (let k = 0; k < data.measures.length; k++) {
		const [all, self, before, selfBefore, width] = data.paths.slice(i + FIXED + perMeasure * k,
				i + FIXED + perMeasure * (k + 1));
		node.all.push(all);
		node.self.push(self);
		node.before.push(before);
		node.selfBefore.push(selfBefore);
		node.width.push(data.compared ? width : all);
	}
	if (node.caller)
		node.caller.callees.push(node);
	nodes.push(node);
}
const start = nodes[0];
focus = chosen = start;

const number = value => value.toLocaleString('en-US');

function amount(value) {
	if (data.measures[measure] !== 'time')
		return `${number(value)} ${data.measures[measure]}`;
	const unit = value < 1e3 ? 0 : value < 1e6 ? 1 : value < 1e9 ? 2 : 3;
	return `${(value / 1000 ** unit).toPrecision(unit ? 3 : 6).replace(/\.?0+$/, '')} ${
					['ns', 'µs', 'ms', 's'][unit]}`;
}

const part = node => {
	const share = 100 * node.all[measure] / (start.all[measure] || 1);
	return `${share.toFixed(share < 1 ? 2 : 1)} %`;
};
const title = node => node === start ? 'all' : node.name;

const growth = node => (node.all[measure] - node.before[measure])
		/ Math.max(1, node.all[measure], node.before[measure]);

/* What a box counts now and before. */
function compared(node) {
	const now = node.all[measure], before = node.before[measure], change = now - before;
	return `${title(node)} ${node.module}\n${amount(now)}, itself ${
			amount(node.self[measure])}\n${''}before ${amount(before)}, itself ${
			amount(node.selfBefore[measure])}\n${change < 0 ? '−' : '+'}${
			amount(Math.abs(change))} (${
			before ? `${(100 * change / before).toFixed(1)} %` : 'new'})`;
}

function described(node) {
	if (data.compared)
		return compared(node);
	if (node === start)
		return `all: ${amount(node.all[measure])}`;
	return `${title(node)} ${node.module}\n${amount(node.all[measure])} (${part(node)}), itself ${
			amount(node.self[measure])}\n${number(node.calls)} call${node.calls === 1 ? '' : 's'}`;
}

function hash(text) {
	let value = 0;
	for (let i = 0; i < text.length; i++)
		value = value * 31 + text.charCodeAt(i) | 0;
	return Math.abs(value);
}

/* The boxes that have room: those above the focus over the whole width, then what it calls. */
function layOut(width) {
	boxes = [];
	const above = [];
	for (let node = focus.caller; node; node = node.caller)
		above.unshift(node);
	above.forEach((node, depth) => boxes.push({node, x: 0, width, depth, above: true}));
	const left = [{node: focus, x: 0, width, depth: above.length}];
	while (left.length) {
		const box = left.pop();
		boxes.push(box);
		let x = box.x;
		const scale = box.width / (box.node.width[measure] || 1);
		const callees = [...box.node.callees].sort((a, b) => b.width[measure] - a.width[measure]);
		for (const node of callees) {
			const its = node.width[measure] * scale;
			if (its < 0.5)
				break;
			left.push({node, x, width: its, depth: box.depth + 1});
			x += its;
		}
	}
}

/* Red: more than before, blue: less, grey: within 2 % of it. */
function grown(node, dark) {
	const change = growth(node), size = Math.abs(change);
	if (size < 0.02)
		return dark ? '#3a4149' : '#e3e6ea';
	const strength = 0.25 + 0.75 * size;
	return `hsl(${change > 0 ? 6 : 213} ${dark ? 20 + 40 * strength : 40 + 45 * strength}% ${
			dark ? 26 + 14 * strength : 90 - 24 * strength}%)`;
}

function draw() {
	const width = canvas.clientWidth, ratio = window.devicePixelRatio || 1;
	const dark = matchMedia('(prefers-color-scheme: dark)').matches;
	layOut(width);
	const depth = boxes.reduce((most, box) => Math.max(most, box.depth), 0) + 1;
	canvas.style.height = `${depth * ROW}px`;
	canvas.width = width * ratio;
	canvas.height = Math.min(depth * ROW * ratio, 32000);
	const pen = canvas.getContext('2d');
	pen.scale(ratio, ratio);
	pen.font = '11px ui-monospace, monospace';
	pen.textBaseline = 'middle';
	const letter = pen.measureText('m').width;
	for (const box of boxes) {
		const found = pattern && pattern.test(box.node.name);
		const shade = hash(box.node.name) % 6;
		const light = dark ? 26 + 2 * shade : 82 - 3 * shade;
		pen.fillStyle = found   ? (data.compared ? '#d9a520'
										  : dark ? '#2f6fab'
												 : '#8cc0f0')
				: data.compared ? grown(box.node, dark)
								: `hsl(27 ${box.above ? 20 : 75}% ${light}%)`;
		pen.fillRect(box.x, box.depth * ROW, Math.max(0.5, box.width - 0.5), ROW - 1);
		if (box.node === chosen) {
			pen.strokeStyle = dark ? '#fff' : '#000';
			pen.strokeRect(box.x + 0.5, box.depth * ROW + 0.5, Math.max(1, box.width - 1.5),
					ROW - 2);
		}
		const letters = Math.floor((box.width - 6) / letter);
		if (letters < 3)
			continue;
		const text = title(box.node);
		pen.fillStyle = dark ? '#f1f3f5' : '#1f2328';
		pen.fillText(text.length <= letters ? text : `${text.slice(0, letters - 1)}…`, box.x + 3,
				box.depth * ROW + ROW / 2);
	}
	byId('chosen').textContent = described(chosen).replace(/\n/g, ' · ');
	byId('out').disabled = focus === start;
}

function boxAt(event) {
	const place = canvas.getBoundingClientRect();
	const x = event.clientX - place.left, depth = Math.floor((event.clientY - place.top) / ROW);
	return boxes.find(box => box.depth === depth && x >= box.x && x < box.x + box.width);
}

function focusOn(node) {
	focus = chosen = node;
	draw();
}

function search() {
	const text = byId('search').value.trim().toLowerCase();
	pattern = text ? {test: name => name.toLowerCase().includes(text)} : null;
	let sum = 0;
	const left = [start];
	while (left.length) {
		const node = left.pop();
		if (pattern && node !== start && pattern.test(node.name))
			sum += node.all[measure];
		else
			left.push(...node.callees);
	}
	byId('found').textContent = pattern
			? `${(100 * sum / (start.all[measure] || 1)).toFixed(1)} % in such functions`
			: '';
	draw();
}

function step(key) {
	const callees = [...chosen.callees].sort((a, b) => b.width[measure] - a.width[measure]);
	if (key === 'ArrowDown' && callees.length)
		chosen = callees[0];
	else if (key === 'ArrowUp' && chosen.caller)
		chosen = chosen.caller;
	else if (chosen.caller) {
		const row = [...chosen.caller.callees].sort((a, b) => b.width[measure] - a.width[measure]);
		chosen = row[row.indexOf(chosen) + (key === 'ArrowRight' ? 1 : -1)] || chosen;
	}
	draw();
}

canvas.addEventListener('click', event => {
	const box = boxAt(event);
	if (box)
		focusOn(box.node);
});
canvas.addEventListener('mousemove', event => {
	const box = boxAt(event), tip = byId('tip');
	tip.hidden = !box;
	if (box) {
		tip.textContent = described(box.node);
		tip.style.left = `${Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8)}px`;
		tip.style.top = `${Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)}px`;
	}
});
canvas.addEventListener('mouseleave', () => byId('tip').hidden = true);
byId('search').addEventListener('input', search);
byId('out').addEventListener('click', () => focusOn(start));
addEventListener('resize', draw);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
addEventListener('keydown', event => {
	const typing = event.target === byId('search');
	if (event.key === 'Escape') {
		if (typing) {
			byId('search').value = '';
			search();
			canvas.focus();
		} else
			focusOn(focus.caller || start);
	} else if (typing)
		return;
	else if (event.key === '/') {
		event.preventDefault();
		byId('search').focus();
	} else if (event.key === 'Enter' && event.target === canvas)
		focusOn(chosen);
	else if (event.key.startsWith('Arrow')) {
		event.preventDefault();
		step(event.key);
	}
});
data.measures.forEach((word, at) => {
	const label = document.createElement('label'), input = document.createElement('input');
	input.type = 'radio';
	input.name = 'measure';
	input.checked = at === measure;
	input.addEventListener('change', () => {
		measure = at;
		search();
	});
	label.append(input, ` ${word} `);
	byId('measures').append(label);
});
document.title = `${data.title}: MadT`;
byId('title').textContent = data.title;
if (data.compared)
	byId('note')
			.prepend('Red: more than before; blue: less; grey: the same within 2 %. A box has room'
					+
					' for the larger of both. ');
draw();

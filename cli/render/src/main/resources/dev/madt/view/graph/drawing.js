/* The picture: boxes and lines where the layout has put them, and the part of it that is shown. */
const SPACE = 'http://www.w3.org/2000/svg', FAR = 0.42;
const graph = byId('graph'), blocks = data.blocks;
const view = {
	x: 0,
	y: 0,
	scale: 1
};
let groups = [], ways = [], chosen = 0, found = [], world;

function svg(tag, attributes, ...children) {
	const made = document.createElementNS(SPACE, tag);
	for (const [key, value] of Object.entries(attributes))
		made.setAttribute(key, value);
	made.append(...children);
	return made;
}

/* A block's colour: the more often it ran, the stronger. */
function fill(block) {
	if (!(block.count > 0))
		return 'var(--box)';
	const light = isDark() ? 14 + 26 * block.part : 97 - 32 * block.part;
	return `hsl(24 ${isDark() ? 60 : 95}% ${light}%)`;
}

function marker(id, colour) {
	return svg('marker', {
		id,
		viewBox: '0 0 8 8',
		refX: 8,
		refY: 4,
		markerWidth: 9,
		markerHeight: 9,
		markerUnits: 'userSpaceOnUse',
		orient: 'auto'
	},
			svg('polygon', {points: '0,0 8,4 0,8', style: `fill:var(${colour})`}));
}

const ENDS = {
	jump: 'taken',
	table: 'case',
	exception: 'pad'
};

function drawWay(line) {
	const end = line.back ? 'back-way' : ENDS[line.kind] || 'fall';
	const path = svg('path',
			{d: line.path, class: line.back ? 'back' : line.kind, 'marker-end': `url(#to-${end})`});
	path.append(svg('title', {}, `${line.from} → ${line.to}: ${line.kind}`));
	return path;
}

function drawBlock(block) {
	const group = svg('g', {
		transform: `translate(${block.x} ${block.y})`,
		class: block.head ? 'block head' : 'block',
		'data-n': block.n
	});
	group.append(svg('rect', {width: block.w, height: block.h, rx: 3}));
	[block.title, ...block.shown]
			.forEach((text, row) => group.append(svg('text',
							 {x: 6, y: 6 + 14 * (row + 1) - 3, class: row ? 'row' : 'row title'},
							 text)));
	const size = Math.max(14, Math.min(48, block.h * .6));
	group.append(svg('text',
			{x: block.w / 2, y: block.h / 2, class: 'number', style: `font-size:${size}px`},
			String(block.n)));
	return group;
}

function paint() {
	blocks.forEach((block, n) => groups[n].firstChild.setAttribute('style', `fill:${fill(block)}`));
}

function draw() {
	world = svg('g', {});
	const ends = ['fall', 'taken', 'case', 'pad', 'back-way'];
	ways = data.lines.map(drawWay);
	groups = blocks.map(drawBlock);
	world.append(...ways, ...groups);
	graph.append(svg('defs', {}, ...ends.map(end => marker(`to-${end}`, `--${end}`))), world);
	paint();
}

function move() {
	world.setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.scale})`);
	graph.classList.toggle('far', view.scale < FAR);
}

function showAll() {
	const room = graph.getBoundingClientRect();
	view.scale = Math.min(1.2, room.width / data.width, room.height / data.height);
	view.x = (room.width - data.width * view.scale) / 2;
	view.y = Math.max(0, (room.height - data.height * view.scale) / 2);
	move();
}

/* The first screen: everything if it can be read so, else the entry. */
function showFirst() {
	showAll();
	if (view.scale < FAR) {
		view.scale = .9;
		centre(0);
		view.y = 12 - blocks[0].y * view.scale;
		move();
	}
}

function zoom(by, x, y) {
	const room = graph.getBoundingClientRect();
	const atX = x === undefined ? room.width / 2 : x, atY = y === undefined ? room.height / 2 : y;
	const scale = Math.max(.02, Math.min(4, view.scale * by));
	view.x = atX - (atX - view.x) * scale / view.scale;
	view.y = atY - (atY - view.y) * scale / view.scale;
	view.scale = scale;
	move();
}

/* Puts a block to the middle. */
function centre(n) {
	const room = graph.getBoundingClientRect(), block = blocks[n];
	view.x = room.width / 2 - (block.x + block.w / 2) * view.scale;
	view.y = room.height / 2 - (block.y + Math.min(block.h, 200) / 2) * view.scale;
	move();
}

function isShown(n) {
	const room = graph.getBoundingClientRect(), block = blocks[n];
	const x = view.x + (block.x + block.w / 2) * view.scale;
	const y = view.y + (block.y + block.h / 2) * view.scale;
	return x > 0 && y > 0 && x < room.width && y < room.height;
}

/* Marks the block that is chosen, with its lines, and those that were found. */
function mark() {
	groups.forEach((group, n) => {
		group.classList.toggle('chosen', n === chosen);
		group.classList.toggle('found', found.includes(n));
	});
	data.lines.forEach((line, i) => ways[i].classList.toggle('near',
							   line.from === chosen || line.to === chosen));
}

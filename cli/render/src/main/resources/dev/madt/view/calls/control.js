/* What is shown, and how: pointer, keys, search. */
const STEP = 1.5;
const panes = {
	flame: new Pane('graph', false),
	above: new Pane('callers', true),
	below: new Pane('callees', false)
};
let mode = 'flame', centre = -1, active = panes.flame, marked = null, markedAs = '', hits = null;
panes.flame.show(tree);

const shownPanes = () => mode === 'flame' ? [panes.flame] : [panes.above, panes.below];
const isShown = at => mode === 'sandwich' ? at === centre : Boolean(markedAs && marked[at]);

/* Rows are as high as there is room; what is chosen has the rest. */
function draw() {
	const room = byId('left').clientHeight;
	for (const pane of shownPanes()) {
		if (mode === 'flame')
			pane.fit(room - Math.min(190, room / 3));
		else
			pane.fit(room / 2 - 110);
	}
	const lefts = shownPanes().map(pane => pane.rows * pane.row + 2);
	const most = room - Math.min(190, room / 3);
	if (mode === 'flame')
		panes.flame.scroll.style.height = `${Math.min(most, lefts[0])}px`;
	else {
		const both = most - 40, half = both / 2;
		const upper = Math.min(lefts[0], Math.max(half, both - lefts[1]));
		panes.above.scroll.style.height = `${upper}px`;
		panes.below.scroll.style.height = `${Math.min(lefts[1], both - upper)}px`;
	}
	for (const pane of shownPanes())
		pane.draw();
	const {from, to} = (shownPanes().includes(active) ? active : shownPanes()[0]).view;
	byId('part').style.left = `${100 * from}%`;
	byId('part').style.width = `${100 * (to - from)}%`;
	byId('out').disabled = shownPanes().every(pane => pane.view.to - pane.view.from >= 1);
}

/* Marks all boxes of some functions; null: none. */
function mark(wanted, label) {
	marked = wanted && Uint8Array.from(functions, (fn, at) => wanted(fn, at) ? 1 : 0);
	markedAs = label || '';
	hits = null;
	byId('next').disabled = byId('previous').disabled = !marked;
	showMarked();
	draw();
}

function markFunction(at) {
	byId('search').value = '';
	if (marked && markedAs === functions[at].name)
		mark(null);
	else
		mark((fn, other) => other === at, functions[at].name);
	showFunctions();
}

/* How much is in marked boxes: those within another one are not counted twice. */
function showMarked() {
	if (!marked) {
		byId('found').textContent = '';
		return;
	}
	let sum = 0, boxes = 0;
	tree.outermost(node => marked[tree.fn[node]], node => sum += tree.all[measure][node]);
	for (let node = 0; node < tree.size; node++)
		boxes += marked[tree.fn[node]] && tree.width[measure][node] > 0 ? 1 : 0;
	const at = hits && hits.at >= 0 ? `, ${number(hits.at + 1)}` : '';
	byId('found').textContent = `${markedAs ? `${markedAs}: ` : ''}${
			share(sum, tree.all[measure][0])} in ${plural(boxes, 'box', 'boxes')}${at}`;
}

function search() {
	const text = byId('search').value.trim().toLowerCase();
	mark(text ? fn => fn.name.toLowerCase().includes(text) : null);
	showFunctions();
}

/* To the next marked box, the largest first. */
function nextHit(by) {
	if (!marked)
		return;
	const pane = active, of = pane.tree, counts = of.width[measure];
	if (!hits || hits.pane !== pane || hits.measure !== measure) {
		const list = [];
		for (let node = 0; node < of.size; node++)
			if (marked[of.fn[node]] && counts[node] > 0)
				list.push(node);
		hits = {pane, measure, at: -1, list: list.sort((a, b) => counts[b] - counts[a] || a - b)};
	}
	if (!hits.list.length)
		return;
	hits.at = hits.at < 0 && by < 0 ? hits.list.length - 1
									: (hits.at + by + hits.list.length) % hits.list.length;
	pane.goTo(hits.list[hits.at]);
	showMarked();
}

function setMode(to) {
	mode = to;
	document.body.dataset.mode = to;
	for (const id of ['callers', 'callees', 'callersOf', 'calleesOf'])
		byId(id).hidden = to === 'flame';
	byId('graph').hidden = to !== 'flame';
	byId(`mode-${to}`).checked = true;
	active = to === 'flame' ? panes.flame : panes.below;
	showDetail();
	showFunctions();
	draw();
}

/* A function between all that calls it and all that it calls. */
function sandwich(at) {
	centre = at;
	panes.above.show(callersOf(at));
	panes.below.show(calleesOf(at));
	const name = functions[at].name;
	byId('callersOf').textContent = `callers of ${name}`;
	byId('calleesOf').textContent = `callees of ${name}`;
	setMode('sandwich');
}

/* The function of the chosen box, or the one that has most to itself. */
function openSandwich() {
	const of = active.tree, at = of.fn[active.chosen];
	if (mode === 'sandwich' || active.chosen > 0)
		sandwich(at);
	else
		sandwich(functions.indexOf(functions.reduce((most, fn) => !fn.kind
								&& fn.self[measure] > most.self[measure]
						? fn
						: most)));
}

function setMeasure(at) {
	measure = at;
	byId(`measure-${at}`).checked = true;
	refresh();
}

function setOrder(to) {
	order = to;
	byId(`order-${to}`).checked = true;
	refresh();
}

/* The paths of all threads together, or those of each on its own. */
function setThreads(to) {
	split = to === 'apart';
	byId(`threads-${to}`).checked = true;
	shape();
}

/* All calls of a function by itself in one box, or each in its own. */
function foldRecursion() {
	folded = !folded;
	byId('fold').setAttribute('aria-pressed', folded);
	shape();
}

function shape() {
	tree = shaped();
	countFunctions();
	panes.flame.show(tree);
	if (mode === 'sandwich')
		sandwich(centre);
	refresh();
}

/* Draws everything anew, in the measure and the order that hold now; all can be seen again. */
function refresh() {
	for (const pane of Object.values(panes))
		if (pane.tree) {
			pane.view = {from: 0, to: 1};
			pane.past = [];
		}
	hits = null;
	drawLegend();
	showMarked();
	showDetail();
	showFunctions();
	draw();
}

function everything() {
	for (const pane of shownPanes()) {
		pane.past.push({...pane.view});
		pane.look(0, 1);
	}
}

/* One step back: of zooming, of what is marked, of what stands in the middle. */
function back() {
	if (active.back())
		return;
	if (active.view.to - active.view.from < 1)
		active.look(0, 1);
	else if (marked) {
		byId('search').value = '';
		mark(null);
		showFunctions();
	} else if (mode === 'sandwich')
		setMode('flame');
	else
		active.choose(0);
}

function segments(id, label, choices, chosen, action) {
	byId(id).setAttribute('aria-label', label);
	byId(id).append(...choices.map(([value, text, title]) => {
		const input = element('input',
				{type: 'radio', name: id, id: `${id}-${value}`, checked: value === chosen});
		input.addEventListener('change', () => action(value));
		return element('label', {title}, input, text);
	}));
}

const scrollBy = by => { active.scroll.scrollTop += by; };
const ACTIONS = {
	'+': () => active.zoom(1 / STEP),
	'=': () => active.zoom(1 / STEP),
	'-': () => active.zoom(STEP),
	0: everything,
	Home: everything,
	a: () => active.move(-0.2),
	d: () => active.move(0.2),
	w: () => scrollBy(-3 * active.row),
	s: () => scrollBy(3 * active.row),
	c: copyPath,
	n: () => nextHit(1),
	p: () => nextHit(-1),
	o: () => setOrder(order === 'heavy' ? 'first' : 'heavy'),
	f: openSandwich,
	g: () => setMode('flame'),
	b: () => threads > 1 && setThreads(split ? 'together' : 'apart'),
	r: foldRecursion,
	m: () => setMeasure((measure + 1) % MEASURES.length),
	t: () => {
		const row = byId('functions').querySelector('tbody [tabindex="0"]');
		if (row)
			row.focus();
	},
	Enter: () => active.zoomTo(active.chosen),
	Escape: back
};
for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])
	ACTIONS[key] = () => active.step(key);

byId('search').addEventListener('input', search);
byId('next').addEventListener('click', () => nextHit(1));
byId('previous').addEventListener('click', () => nextHit(-1));
byId('out').addEventListener('click', everything);
byId('fold').addEventListener('click', foldRecursion);
for (const type of ['pointerdown', 'pointermove'])
	byId('strip').addEventListener(type, event => {
		if (!event.buttons)
			return;
		const strip = byId('strip').getBoundingClientRect(), half = active.span() / 2;
		const at = (event.clientX - strip.left) / strip.width;
		byId('strip').setPointerCapture(event.pointerId);
		active.look(at - half, at + half);
	});
addEventListener('resize', draw);
listenToKeys(ACTIONS, {
	Enter: event => nextHit(event.shiftKey ? -1 : 1),
	Escape: () => {
		byId('search').value = '';
		search();
		active.canvas.focus();
	}
});
listKeys([
	['← → ↑ ↓', 'from box to box'], ['Enter or click', 'only this box'],
	['f', 'callers and callees of the chosen box (sandwich)'], ['g', 'flame graph'],
	['m', 'next measure: what the width is'], ['o', 'left-heavy, or in the order of first calls'],
	['b', 'threads together, or each on its own'],
	['r', 'recursion: all calls of a function by itself in one box'],
	['t', 'the table of functions: ↑ ↓ Enter'], ['c', 'copy the path of the chosen box'],
	['/', 'search; Enter and Shift Enter: next, previous hit'], ['n p', 'next, previous marked box']
]);
segments('measure', 'What the width of a box is',
		MEASURES.map((word, at) => [at, LABELS[word] || word, 'm']), measure, setMeasure);
segments('order', 'Order of boxes',
		[
			['heavy', 'left-heavy', 'the largest is at the left (o)'],
			['first', 'first call', 'in the order of their first calls (o)']
		],
		order, setOrder);
segments('mode', 'Picture',
		[
			['flame', 'flame graph', 'all paths, from the top (g)'],
			['sandwich', 'sandwich', 'a function, its callers above it, its callees below (f)']
		],
		mode, to => to === 'flame' ? setMode(to) : openSandwich());
if (threads > 1)
	segments('threads', 'Threads',
			[
				['together', 'all threads', 'paths of all threads together (b)'],
				['apart', `${number(threads)} threads`, 'each thread on its own (b)']
			],
			'together', setThreads);
else
	byId('threads').hidden = true;

document.title = `${data.title}: MadT`;
byId('title').textContent = data.title;
const counted = plural(tree.self[MEASURES.indexOf(COUNTED)].reduce((sum, calls) => sum + calls, 0),
		COUNTED.slice(0, -1));
byId('facts').textContent = (MEASURES[measure] === COUNTED ? ''
														   : `${amount(tree.all[measure][0])}, `)
		+ `${counted}, ${plural(tree.size, 'path')}`
		+ (data.cut ? `; ${plural(data.cut, 'smaller path')}, each with less than ${
				   (100 * data.least).toPrecision(2)} % of everything, ${
				   data.cut === 1 ? 'is' : 'are'} drawn together`
					: '');
setMode('flame');
drawLegend();

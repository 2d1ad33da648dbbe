/* Pointer, keys and search. */
let at = -1, drag = null;

function search() {
	const text = byId('search').value.trim().toLowerCase();
	found = text ? blocks.filter(block => matches(block, text)).map(block => block.n) : [];
	at = -1;
	byId('found').textContent = text ? plural(found.length, 'block') : '';
	byId('previous').disabled = byId('next').disabled = !found.length;
	mark();
}

/* A number is that of a block, or a part of an address. */
function matches(block, text) {
	return String(block.n) === text || `block ${block.n}` === text || block.code.some(([
		address, code, note, source
	]) => `${hex(address)} ${code} ${note} ${source}`.toLowerCase().includes(text));
}

function step(by) {
	if (!found.length)
		return;
	at = (at + by + found.length) % found.length;
	byId('found').textContent = `${at + 1} of ${plural(found.length, 'block')}`;
	choose(found[at]);
}

function pan(x, y) {
	view.x += x;
	view.y += y;
	move();
}

function follow(by) {
	choose((chosen + by + blocks.length) % blocks.length);
}

/* The next block on the way that ran most, or the first one. */
function along() {
	const next = blocks[chosen].ways.filter(([to]) => to >= 0).map(([to]) => to);
	if (next.length)
		choose(next.reduce((best, to) => blocks[to].count > blocks[best].count ? to : best));
}

graph.addEventListener('wheel', event => {
	event.preventDefault();
	const room = graph.getBoundingClientRect();
	if (event.ctrlKey || !event.shiftKey)
		zoom(Math.exp(-event.deltaY / 500), event.clientX - room.left, event.clientY - room.top);
	else
		pan(-event.deltaY, 0);
}, {passive: false});
graph.addEventListener('pointerdown',
		event => { drag = {x: event.clientX, y: event.clientY, moved: false}; });
graph.addEventListener('pointermove', event => {
	if (!drag)
		return;
	const x = event.clientX - drag.x, y = event.clientY - drag.y;
	if (!drag.moved && Math.abs(x) + Math.abs(y) < 4)
		return;
	if (!drag.moved)
		graph.setPointerCapture(event.pointerId);
	drag = {x: event.clientX, y: event.clientY, moved: true};
	graph.classList.add('moving');
	pan(x, y);
});
graph.addEventListener('pointerup', event => {
	const group = event.target.closest('.block');
	if (drag && !drag.moved && group)
		choose(Number(group.dataset.n), true);
	drag = null;
	graph.classList.remove('moving');
});
byId('in').addEventListener('click', () => zoom(1.3));
byId('out').addEventListener('click', () => zoom(1 / 1.3));
byId('whole').addEventListener('click', showAll);
byId('search').addEventListener('input', search);
byId('next').addEventListener('click', () => step(1));
byId('previous').addEventListener('click', () => step(-1));
listKeys([
	['n p', 'next and previous block that was found'], ['j k', 'next and previous block'],
	['Enter', 'along the way that ran most'], ['c', 'the chosen block in the middle']
]);
listenToKeys({
	'+': () => zoom(1.3),
	'=': () => zoom(1.3),
	'-': () => zoom(1 / 1.3),
	'0': showAll,
	Home: showAll,
	a: () => pan(80, 0),
	d: () => pan(-80, 0),
	w: () => pan(0, 80),
	s: () => pan(0, -80),
	ArrowLeft: () => pan(80, 0),
	ArrowRight: () => pan(-80, 0),
	ArrowUp: () => pan(0, 80),
	ArrowDown: () => pan(0, -80),
	n: () => step(1),
	p: () => step(-1),
	j: () => follow(1),
	k: () => follow(-1),
	c: () => centre(chosen),
	Enter: along,
	Escape: () => {
		byId('search').value = '';
		search();
	}
},
		{
			Enter: () => step(1),
			Escape: () => {
				byId('search').value = '';
				search();
				graph.focus();
			}
		});
themed = paint;
document.title = `${data.title} – MadT`;
byId('title').textContent = data.title;
byId('facts').textContent = `${data.module}, ${data.facts}`;
draw();
showLegend();
showFirst();
choose(0, true);

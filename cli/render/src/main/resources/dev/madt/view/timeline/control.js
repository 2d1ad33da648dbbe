/* Pointer and keys. */
const STEP = 1.3;
let drag = null, windowAt = -1;

function show(from, to) {
	const least = data.timed ? 20 : 4,
		  range = Math.max(least, Math.min(to - from, whole.to - whole.from));
	const middle = (from + to) / 2;
	const start = Math.max(whole.from, Math.min(whole.to - range, middle - range / 2));
	view = {from: start, to: start + range};
	draw();
}

function zoom(factor, around) {
	const left = around - (around - view.from) * factor;
	show(left, left + (view.to - view.from) * factor);
}

const middle = () => {
	const row = chosen && rowOf(chosen),
		  at = row && (row.start[chosen.at] + row.end[chosen.at]) / 2;
	return row && at > view.from && at < view.to ? at : (view.from + view.to) / 2;
};

function move(part) {
	const by = part * (view.to - view.from);
	show(view.from + by, view.to + by);
}

/* Scrolls to a row of a lane if it is out of sight. */
function reveal({lane, depth}) {
	const its = lanes[lane];
	layRows();
	if (depth < its.from || depth >= its.to)
		setOpen([its], true);
	const top = tops[lane] + HEADING + (depth - its.from) * ROW, room = canvas.clientHeight - AXIS;
	if (top < scroll.scrollTop || top + ROW > scroll.scrollTop + room)
		scroll.scrollTop = Math.max(0, top - room / 2);
}

function choose(span) {
	chosen = span && {lane: span.lane, depth: span.depth, at: span.at};
	showPanel();
	draw();
}

/* Selects a call, and shows it at a width that can be seen. */
function goTo(span) {
	const row = rowOf(span), start = row.start[span.at], end = row.end[span.at];
	const range = view.to - view.from, its = end - start;
	chosen = {lane: span.lane, depth: span.depth, at: span.at};
	if (its * canvas.clientWidth < 30 * range || its > range)
		show(start - 3 * its, end + 3 * its);
	else if (start < view.from || end > view.to)
		show((start + end - range) / 2, (start + end + range) / 2);
	reveal(span);
	choose(span);
}

function fillRange({start, end}) {
	const its = end - start;
	show(start - its / 20, end + its / 20);
}

function fill(span) {
	const row = rowOf(span);
	fillRange({start: row.start[span.at], end: row.end[span.at]});
}

/* The next window of the recording; behind the last one, the first. */
function nextWindow() {
	if (windows.length)
		fillRange(windows[++windowAt % windows.length]);
}

function search() {
	const text = byId('search').value.trim().toLowerCase();
	pattern = text || null;
	matches = pattern && functions.map(fn => fn.name.toLowerCase().includes(text));
	const found = pattern ? functions.filter(fn => matches[fn.number] && fn.calls) : [];
	byId('found').textContent = pattern
			? `${plural(found.length, 'function', 'functions')}, ${
					plural(found.reduce((sum, fn) => sum + fn.calls, 0), 'call', 'calls')}`
			: '';
	if (pattern)
		chosen = null;
	showPanel();
	draw();
}

/* The modules with their colours, if there are several. */
function drawLegend() {
	const {modules} = palette;
	byId('legend').replaceChildren(...modules.length < 2
					? []
					: modules.slice(0, HUES.length).map(module => {
						  const swatch = element('span', {className: 'swatch'});
						  swatch.style.background = palette.colour({name: '', module}, false);
						  return element('span', {}, swatch, module);
					  }),
			modules.length > HUES.length ? plural(modules.length - HUES.length, 'other module')
										 : '');
}

/* The next call of the selected one's function, or the one before. */
function nextOf(by) {
	if (!chosen)
		return;
	const calls = callsOf(rowOf(chosen).fn[chosen.at]);
	const at = calls.findIndex(call => same(call, chosen));
	if (at >= 0 && calls[at + by])
		goTo(calls[at + by]);
}

function beside(by) {
	const row = rowOf(chosen), at = chosen.at + by;
	if (at >= 0 && at < row.start.length)
		goTo({...chosen, at});
}

/* The position under the pointer. */
function under(event) {
	const x = event.clientX - canvas.getBoundingClientRect().left;
	return view.from + x / canvas.clientWidth * (view.to - view.from);
}

canvas.addEventListener('wheel', event => {
	event.preventDefault();
	if (event.shiftKey) {
		scroll.scrollTop += event.deltaY || event.deltaX;
		return;
	}
	if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
		move(event.deltaX / 1000);
		return;
	}
	zoom(event.deltaY > 0 ? STEP : 1 / STEP, under(event));
}, {passive: false});
canvas.addEventListener('pointerdown', event => {
	drag = {x: event.clientX, y: event.clientY, view: {...view}, top: scroll.scrollTop, far: false};
	canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener('pointermove', event => {
	const tip = byId('tip');
	if (drag) {
		const x = event.clientX - drag.x, y = event.clientY - drag.y;
		drag.far ||= Math.abs(x) + Math.abs(y) > 4;
		if (drag.far) {
			const by = -x / canvas.clientWidth * (drag.view.to - drag.view.from);
			scroll.scrollTop = drag.top - y;
			show(drag.view.from + by, drag.view.to + by);
		}
		tip.hidden = true;
		return;
	}
	const box = boxAt(event);
	const at = under(event), column = (view.to - view.from) / canvas.clientWidth;
	showTip(box && described(box, at, at + column), event.clientX, event.clientY);
});
canvas.addEventListener('pointerup', event => {
	const found = drag && !drag.far ? boxAt(event) : undefined;
	const box = found && found.stripe ? null : found;
	drag = null;
	if (box && box.window)
		fillRange(box.window);
	else if (box && box.heading) {
		setOpen([lanes[box.lane]], !lanes[box.lane].open);
		draw();
	} else if (box && box.spans > 1)
		zoom(1 / 8, under(event));
	else if (box !== undefined)
		choose(box);
});
canvas.addEventListener('pointercancel', () => drag = null);
canvas.addEventListener('pointerleave', () => byId('tip').hidden = true);
scroll.addEventListener('scroll', draw);
byId('search').addEventListener('input', search);
byId('in').addEventListener('click', () => zoom(1 / STEP ** 2, middle()));
byId('out').addEventListener('click', () => zoom(STEP ** 2, middle()));
byId('whole').addEventListener('click', () => show(whole.from, whole.to));
addEventListener('resize', draw);
themed = () => {
	drawLegend();
	draw();
};

const everything = () => show(whole.from, whole.to);
const ACTIONS = {
	'+': () => zoom(1 / STEP, middle()),
	'=': () => zoom(1 / STEP, middle()),
	'-': () => zoom(STEP, middle()),
	0: everything,
	Home: everything,
	PageDown: () => scroll.scrollTop += scroll.clientHeight * 0.8,
	PageUp: () => scroll.scrollTop -= scroll.clientHeight * 0.8,
	a: () => move(-0.2),
	d: () => move(0.2),
	w: () => scroll.scrollTop -= 3 * ROW,
	s: () => scroll.scrollTop += 3 * ROW,
	n: () => nextOf(1),
	p: () => nextOf(-1),
	r: nextWindow,
	o: () => {
		setOpen(lanes, lanes.some(lane => !lane.open));
		draw();
	},
	Enter: () => chosen && fill(chosen),
	ArrowLeft: ({shiftKey}) => chosen && !shiftKey ? beside(-1) : move(-0.2),
	ArrowRight: ({shiftKey}) => chosen && !shiftKey ? beside(1) : move(0.2),
	ArrowUp: () => chosen ? callerOf(chosen) && goTo(callerOf(chosen))
						  : scroll.scrollTop -= 3 * ROW,
	ArrowDown: () => {
		const next = chosen ? calleeOf(chosen) : lanes.length ? {lane: 0, depth: 0, at: 0} : null;
		if (next)
			goTo(next);
	},
	Escape: back
};

/* One step back: from what is selected or found, then to everything. */
function back() {
	if (!chosen && !pattern)
		everything();
	byId('search').value = '';
	chosen = null;
	search();
	canvas.focus();
}

listenToKeys(ACTIONS, {Escape: back});
listKeys([
	['← →', 'the call before, behind; with Shift, or where none is selected: move'],
	['↑ ↓', 'its caller, what it calls'], ['Enter', 'fill the window with the selected call'],
	['n p', 'next, previous call of its function'],
	['o', 'all rows of the threads, or few; also by a click on a thread'],
	['r', 'next window of the recording'], ['+ − or wheel', 'zoom in, zoom out'],
	['a d w s', 'move left, right, up, down; also by dragging'],
	['Esc', 'one step back: nothing selected, then everything']
]);

document.title = `${data.title}: MadT`;
byId('title').textContent = data.title;
byId('facts').textContent = `${
				[data.calls || !data.locks ? plural(data.calls, 'call') : '',
						data.locks ? `locks got ${plural(data.locks, 'time')}` : '']
						.filter(Boolean)
						.join(', ')} in ${length(data.last - data.first)}, ${
		plural(lanes.length, data.locks ? 'row' : 'stack')}`;
byId('said').textContent =
		[
			data.timed ? `Time since ${data.originOf} began`
					   : 'No times were recorded: the axis is event numbers',
			data.offCpu.length
					&& `pale: the thread ${
							data.offCpu.some(([, , , why]) => why.startsWith('in system call '))
									? 'is in a system call'
									: 'has no processor (red line: another thread has it)'}, or waits for MadT, which is in no time of a call`,
			data.handovers.length && 'arrows: a lock goes to a thread that waited for it',
			windows.length
					&& `bars at the top: ${plural(windows.length, 'window')} of the recording`,
			data.killed && `${data.killed}: what was open then has a dark end`,
			data.least
					&& `${number(data.calls - data.single - data.deep)} calls that took less than ${
							length(data.least)} are merged with those beside them, but never the ${
							data.kept === 1 ? 'longest call'
											: `${data.kept} longest calls`} of a function`,
			data.unsaid
					&& `arguments and results of ${
							plural(data.unsaid, 'shorter call')} are left out`,
			data.deep && `${plural(data.deep, 'call')} too deep to be drawn`
		].filter(Boolean)
				.join('; ')
		+ '.';
drawLegend();
showPanel();
draw();

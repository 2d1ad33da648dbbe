/* The lanes, on a canvas as large as the window: the part of them that is scrolled to. */
const LOW = 17, HIGH = 26, HEADING = 19, GAP = 2, AXIS = 22, LEAST = 1, SEEN = 3;
let ROW = LOW;
const FEW = 3, FEW_LETTERS = 12;
const canvas = byId('lanes'), scroll = byId('scroll');
const whole = {
	from: data.first,
	to: data.last
};
let view = {...whole}, chosen = null, pattern = null, boxes = [], matches = null;

/* Of a closed lane only the outermost calls are shown. */
/* An open lane has all rows in which something can be seen, a closed one the first of them. */
const rowsOf = lane => lane.rows.slice(lane.from, lane.to);
const canClose = lane => lane.rows.length > FEW;

/* Where each lane begins, and where the last one ends. */
const tops = [0];

/* A call that makes all others of its stack is left out of a closed lane: it tells nothing. */
function alone(lane) {
	const whole = lane.rows.length
			? lane.rows[0].end[lane.rows[0].end.length - 1] - lane.rows[0].start[0]
			: 0;
	const fills = row => row.length.some((its, at) => row.end[at] - row.start[at] > 0.9 * whole);
	let at = 0;
	while (at + 1 < lane.rows.length && fills(lane.rows[at]) && fills(lane.rows[at + 1]))
		at++;
	return at;
}

/* Whether boxes in the part that is shown take some room, together. */
function isSeen(row, scale) {
	let width = 0;
	for (let at = firstBehind(row, view.from);
			at < row.start.length && row.start[at] <= view.to && width < SEEN; at++)
		width += (Math.min(row.end[at], view.to) - Math.max(row.start[at], view.from)) * scale;
	return width >= SEEN;
}

/* Says which rows there are: none is empty. */
function layRows() {
	const scale = canvas.clientWidth / (view.to - view.from);
	let rows = 0;
	lanes.forEach((lane, at) => {
		const own = chosen && chosen.lane === at ? chosen.depth : -1;
		const first = lane.first ??= alone(lane);
		lane.from = lane.open || own >= 0 && own < first ? 0 : first;
		lane.to = lane.rows.length;
		while (lane.to > lane.from + 1 && lane.to - 1 > own
				&& !isSeen(lane.rows[lane.to - 1], scale))
			lane.to--;
		lane.seen = lane.to;
		if (!lane.open)
			lane.to = Math.min(lane.to, lane.from + FEW);
		rows += Math.max(1, lane.to - lane.from);
	});
	const room = scroll.clientHeight - AXIS - lanes.length * (HEADING + GAP) - 12;
	ROW = Math.max(LOW, Math.min(HIGH, Math.floor(room / Math.max(1, rows))));
	lanes.forEach((lane, at) => tops[at + 1] = tops[at] + HEADING
					+ Math.max(1, lane.to - lane.from) * ROW + GAP);
}

function setOpen(some, are) {
	some.forEach(lane => lane.open = are);
	layRows();
}

const palette = new Palette(functions, fn => data.timed ? fn.self : fn.calls);
setOpen(lanes, true);
if (lanes.length > 1 && tops[lanes.length] > scroll.clientHeight - AXIS)
	setOpen(lanes, false);

const colours = () => isDark() ? {
	back: '#14171b',
	text: '#e9edf1',
	faint: '#99a1ab',
	line: '#2a3037',
	several: '160,172,186',
	call: (fn, dim) => palette.colour(functions[fn], dim),
	found: '#c08a1e',
	offCpu: 'rgba(20,23,27,.55)',
	mark: '#fff',
	open: '#cdd3da',
	preempted: '#ff7b72'
}
							   : {
									 back: '#fff',
									 text: '#1f2328',
									 faint: '#636b74',
									 line: '#e6e9ed',
									 several: '82,94,110',
									 call: (fn, dim) => palette.colour(functions[fn], dim),
									 found: '#f5b942',
									 offCpu: 'rgba(255,255,255,.6)',
									 mark: '#000',
									 open: '#57606a',
									 preempted: '#c0392b'
								 };

function draw() {
	layRows();
	byId('room').style.height = `${tops[lanes.length] + AXIS + 8}px`;
	const width = scroll.clientWidth, height = scroll.clientHeight;
	canvas.style.height = `${height}px`;
	const ratio = window.devicePixelRatio || 1, colour = colours(), pen = canvas.getContext('2d');
	canvas.width = width * ratio;
	canvas.height = height * ratio;
	pen.scale(ratio, ratio);
	pen.fillStyle = colour.back;
	pen.fillRect(0, 0, width, height);
	pen.textBaseline = 'middle';
	pen.font = '11px ui-monospace, monospace';
	const frame = {
		pen,
		colour,
		width,
		height,
		scale: width / (view.to - view.from),
		letter: pen.measureText('m').width,
		texts: []
	};
	boxes = [];
	const step = axis(frame);
	lanes.forEach((lane, at) => {
		const y = AXIS + tops[at] - scroll.scrollTop;
		if (y < height && y + tops[at + 1] - tops[at] > AXIS)
			drawLane(frame, lane, at, y);
	});
	drawHandovers(frame);
	axisText(frame, step);
}

/* From the lane of the thread that had a lock to that of the one that waited for it. */
function drawHandovers({pen, colour, height, scale}) {
	const middle = lane => AXIS + tops[lane] - scroll.scrollTop + HEADING + ROW / 2;
	pen.strokeStyle = pen.fillStyle = colour.mark;
	for (const [from, to, at, waited] of data.handovers) {
		if (at < view.from || at > view.to || waited * scale < FEW_LETTERS)
			continue;
		const x = Math.round((at - view.from) * scale) + 0.5, top = middle(from), end = middle(to);
		const way = Math.sign(end - top);
		if (Math.max(top, end) < AXIS || Math.min(top, end) > height || !way)
			continue;
		pen.beginPath();
		pen.moveTo(x, top);
		pen.lineTo(x, end - way * ROW / 2);
		pen.stroke();
		pen.beginPath();
		pen.moveTo(x, end - way * (ROW / 2 - 5));
		pen.lineTo(x - 3.5, end - way * (ROW / 2 + 2));
		pen.lineTo(x + 3.5, end - way * (ROW / 2 + 2));
		pen.fill();
	}
}

/* Lines at round positions; returns their distance. */
function axis({pen, colour, width, height, scale}) {
	const least = 130 / scale, power = 10 ** Math.floor(Math.log10(least));
	const step = Math.max(1, [1, 2, 5, 10].find(one => one * power >= least) * power);
	pen.fillStyle = colour.line;
	for (let at = firstTick(step); at < view.to; at += step)
		pen.fillRect(Math.round((at - view.from) * scale), 0, 1, height);
	return step;
}

/* The first position in sight that is a whole number of steps from the origin. */
const firstTick = step => data.origin + Math.ceil((view.from - data.origin) / step) * step;

function axisText({pen, colour, width, scale}, step) {
	pen.fillStyle = colour.back;
	pen.fillRect(0, 0, width, AXIS - 2);
	pen.fillStyle = colour.faint;
	for (let at = firstTick(step); at < view.to; at += step) {
		const x = Math.round((at - view.from) * scale);
		pen.fillRect(x, 0, 1, AXIS - 2);
		pen.fillText(position(at, step), x + 4, AXIS / 2);
	}
	pen.fillRect(0, AXIS - 2, width, 1);
	drawWindows(pen, colour, width, scale);
}

/* A bar along the axis for each window of the recording. */
function drawWindows(pen, colour, width, scale) {
	pen.fillStyle = colour.open;
	for (const window of windows) {
		const from = Math.max(0, (window.start - view.from) * scale);
		const to = Math.min(width, (window.end - view.from) * scale);
		if (to >= 0 && from < width) {
			pen.fillRect(from, AXIS - 5, Math.max(2, to - from), 4);
			boxes.push({window, x: from, y: 0, width: Math.max(2, to - from), height: AXIS});
		}
	}
}

function drawLane(frame, lane, laneAt, y) {
	rowsOf(lane).forEach((row, at) => {
		const top = y + HEADING + at * ROW;
		if (top < frame.height && top + ROW > AXIS)
			drawRow(frame, row, {lane: laneAt, depth: lane.from + at}, top);
	});
	drawOffCpu(frame, lane, laneAt, y);
	for (const {text, x, at, faint} of frame.texts.splice(0)) {
		frame.pen.fillStyle = faint ? frame.colour.faint : frame.colour.text;
		frame.pen.fillText(text, x, at);
	}
	frame.pen.fillStyle = frame.colour.text;
	frame.pen.font = '600 12px system-ui, sans-serif';
	const mark = !canClose(lane) ? '' : lane.open ? '▾ ' : '▸ ';
	const more = lane.open ? 0 : lane.seen - rowsOf(lane).length;
	frame.pen.fillText(mark + lane.title
					+ (more ? ` · ${plural(more, 'more row', 'more rows')}` : ''),
			6, y + HEADING / 2 - 1);
	if (canClose(lane))
		boxes.push({lane: laneAt, x: 0, width: frame.width, y, height: HEADING - 6, heading: true});
	frame.pen.font = '11px ui-monospace, monospace';
}

/* Pale over all rows of a lane, by the part of each column in which its thread did not run. */
function drawOffCpu({pen, colour, width, scale}, lane, laneAt, y) {
	if (!lane.offCpu.length)
		return;
	const columns = Math.ceil(width), covered = new Float64Array(columns);
	const preempted = new Float64Array(columns), height = Math.max(1, rowsOf(lane).length) * ROW;
	for (const {start, end, why} of lane.offCpu) {
		const from = Math.max(0, (start - view.from) * scale);
		const to = Math.min(columns, (end - view.from) * scale);
		for (let x = Math.floor(from); x < to; x++) {
			const part = Math.min(to, x + 1) - Math.max(from, x);
			covered[x] += part;
			preempted[x] += why.startsWith('preempted') ? part : 0;
		}
	}
	for (let x = 0; x < columns; x++) {
		if (!covered[x])
			continue;
		pen.globalAlpha = Math.min(1, covered[x]);
		pen.fillStyle = colour.offCpu;
		pen.fillRect(x, y + HEADING, 1, height);
		pen.fillStyle = 2 * preempted[x] > covered[x] ? colour.preempted : colour.faint;
		pen.fillRect(x, y + HEADING - 4, 1, 3);
	}
	pen.globalAlpha = 1;
	boxes.push({lane: laneAt, x: 0, width, y: y + HEADING - 6, height: 6, stripe: true});
}

/* Calls that are wide enough have a box; what lies between them is drawn together. */
function drawRow(frame, row, place, y) {
	let several = null;
	const flush = () => {
		if (several)
			drawSeveral(frame, several, y);
		several = null;
	};
	for (let at = firstBehind(row, view.from); at < row.start.length && row.start[at] <= view.to;
			at++) {
		const x = (row.start[at] - view.from) * frame.scale;
		const end = (row.end[at] - view.from) * frame.scale, found = matches && matches[row.fn[at]];
		if (row.count[at] === 1
				&& (end - x >= LEAST || row.ending[at] === OPEN || same(chosen, {...place, at}))) {
			flush();
			drawCall(frame, row, {...place, at}, x, end, y);
			continue;
		}
		if (several && (x - several.end >= LEAST || row.count[at] > 1 && end - x > 4))
			flush();
		several ||= {...place, x, end: x, calls: 0, time: 0, at, spans: 0, found: false};
		several.end = Math.max(several.end, end);
		several.calls += row.count[at];
		several.time += row.length[at];
		several.spans++;
		several.found ||= found;
		if (row.count[at] > 1 && end - x > 4)
			flush();
	}
	flush();
}

function drawSeveral({pen, colour, width, scale, letter, texts}, box, y) {
	const x = Math.max(0, box.x), its = Math.max(LEAST, Math.min(width, box.end) - x);
	const part = Math.min(1, box.time * scale / Math.max(LEAST, box.end - box.x));
	pen.fillStyle = box.found ? colour.found
							  : `rgba(${colour.several},${(matches ? 0.1 : 0.2) + 0.5 * part})`;
	pen.fillRect(x, y, its, ROW - 1);
	if (box.spans === 1 && its > 60) {
		const text = `${plural(box.calls, 'call', 'calls')}, merged`;
		texts.push({
			text: text.slice(0, Math.floor((its - 6) / letter)),
			x: x + 3,
			at: y + ROW / 2
		});
	}
	if (chosen && same(chosen, box)) {
		pen.strokeStyle = colour.mark;
		pen.strokeRect(x + 0.5, y + 0.5, Math.max(1, its - 1), ROW - 2);
	}
	boxes.push({...box, x, width: its, y});
}

function drawCall({pen, colour, width, letter, texts}, row, span, from, to, y) {
	const x = Math.max(0, from), its = Math.max(LEAST, Math.min(width, to) - x);
	const fn = row.fn[span.at], found = matches && matches[fn], open = row.ending[span.at] === OPEN;
	pen.fillStyle = found ? colour.found : colour.call(fn, Boolean(matches));
	pen.fillRect(x, y, Math.max(LEAST, its - (its > 3 ? 1 : 0)), ROW - 1);
	if (open && to <= width) {
		pen.fillStyle = colour.open;
		pen.fillRect(Math.max(0, to - 3), y, 3, ROW - 1);
	}
	const letters = Math.floor((its - 6) / letter);
	const name = functions[fn].name + saidOf(row, span.at);
	if (letters >= 3)
		texts.push({
			text: name.length <= letters ? name : `${name.slice(0, letters - 1)}…`,
			x: x + 3,
			at: y + ROW / 2,
			faint: matches && !found
		});
	if (same(chosen, span)) {
		pen.lineWidth = 2;
		pen.strokeStyle = colour.mark;
		pen.strokeRect(x + 1, y + 1, Math.max(1, its - 2), ROW - 3);
		pen.lineWidth = 1;
	}
	boxes.push({...span, x, width: its, y, calls: 1, spans: 1});
}

function boxAt(event) {
	const place = canvas.getBoundingClientRect(), y = event.clientY - place.top;
	const x = event.clientX - place.left;
	return boxes.find(box => y >= box.y && y < box.y + (box.height || ROW)
						   && Boolean(box.window) === y < AXIS && x >= box.x - 1
						   && x <= box.x + Math.max(2, box.width))
			|| null;
}

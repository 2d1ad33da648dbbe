/* What the page shows: functions, and lanes with rows of spans. A span is one call or several. */
const SEVERAL = 3, OPEN = 2, UNSEEN = 1, FINE_BITS = 5, FINE = 1 << FINE_BITS;
const functions = data.functions.map((
											 [
												 name, module, calls, total, self, min, mean, p99,
												 max, accesses, bytes, classes, touched, others
											 ],
											 number) => ({
	number,
	name,
	module,
	calls,
	total,
	self,
	min,
	mean,
	p99,
	max,
	accesses,
	bytes,
	classes,
	touched,
	others
}));

/* TimelinePage says what the numbers are. */
function decoded(text) {
	const number = packed(text), row = {
		start: [],
		end: [],
		length: [],
		detail: [],
		fn: [],
		count: [],
		ending: [],
		accesses: [],
		bytes: [],
		first: [],
		last: []
	};
	let last = 0, event = 0;
	for (let ahead = number(); ahead >= 0; ahead = number()) {
		last += ahead;
		const length = number(), head = number(), ending = head % 4;
		row.start.push(last);
		row.end.push(last + length + number());
		const count = ending === SEVERAL ? number() : 1;
		row.length.push(length);
		row.fn.push((head - ending) / 4);
		row.count.push(count);
		row.ending.push(ending);
		row.detail.push(number());
		row.accesses.push(data.accesses ? number() : 0);
		row.bytes.push(data.accesses ? number() : 0);
		event += data.accesses ? number() : 0;
		row.first.push(event);
		row.last.push(data.accesses ? event + number() : 0);
	}
	for (const key of ['start', 'end', 'length', 'detail', 'accesses', 'bytes', 'first', 'last'])
		row[key] = Float64Array.from(row[key]);
	row.fn = Int32Array.from(row.fn);
	return row;
}

const lanes = data.lanes.map(([process, title, thread, rows]) => ({
	title: `${data.several ? `${data.processes[process]}, ` : ''}${title}`,
	process,
	thread,
	rows: rows.map(decoded),
	offCpu: []
}));
for (const [lane, row, at, text] of data.said)
	(lanes[lane].rows[row].said ||= new Map()).set(at, text);
for (const [lane, start, end, why] of data.offCpu)
	lanes[lane].offCpu.push({start, end, why});

/* Windows of the recording, if it was asked for any. */
const windows = data.windows.map(([process, at, start, end, causes]) => ({
	title: `window ${at}${data.several ? ` of ${data.processes[process]}` : ''}`,
	start,
	end,
	causes
}));

/* How long the thread of a lane did not run between two positions, by reason. */
function offCpuBetween(laneAt, from, to) {
	const {thread, process} = lanes[laneAt], sums = new Map();
	const first = lanes.find(lane => lane.thread === thread && lane.process === process);
	for (const {start, end, why} of first.offCpu) {
		const both = Math.min(end, to) - Math.max(start, from);
		if (both > 0)
			sums.set(why, (sums.get(why) || 0) + both);
	}
	return [...sums].map(([why, time]) => [why, length(Math.round(time))]);
}

/* The first span of a row that ends at a position or behind it. */
function firstBehind(row, position) {
	let low = 0, high = row.end.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (row.end[middle] < position)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const UNITS = ['ns', 'µs', 'ms', 's'];
const unitOf = value => value < 1e3 ? 0 : value < 1e6 ? 1 : value < 1e9 ? 2 : 3;

function length(value) {
	if (!data.timed)
		return plural(value, 'event', 'events');
	return duration(value);
}

/* A position, from the origin on and exact to a step of the axis. */
function position(at, step) {
	if (!data.timed)
		return `$${number(at)}`;
	const value = Math.abs(at - data.origin), unit = unitOf(value);
	const digits = Math.max(0, Math.ceil(3 * unit - Math.log10(step) - 1e-9));
	return `${at < data.origin ? '−' : ''}${
			(value / 1000 ** unit).toFixed(Math.min(digits, 3 * unit))} ${UNITS[unit]}`;
}

const classStart = at => at < 2 * FINE ? at : (at % FINE + FINE) * 2 ** (Math.floor(at / FINE) - 1);

/* The call of a span that holds a position in the row above, as a span; or null. */
function callerOf(span) {
	if (!span.depth)
		return null;
	const lane = lanes[span.lane], row = lane.rows[span.depth];
	const above = lane.rows[span.depth - 1], at = firstBehind(above, row.end[span.at]);
	return at < above.end.length && above.start[at] <= row.start[span.at]
			? {lane: span.lane, depth: span.depth - 1, at}
			: null;
}

/* What a call calls first; or null. */
function calleeOf(span) {
	const lane = lanes[span.lane], row = lane.rows[span.depth], below = lane.rows[span.depth + 1];
	if (!below)
		return null;
	const at = firstBehind(below, row.start[span.at]);
	return at < below.end.length && below.start[at] < row.end[span.at]
			? {lane: span.lane, depth: span.depth + 1, at}
			: null;
}

/* All spans of one call of a function that are there, in the order of time. */
function callsOf(fn) {
	const calls = [];
	lanes.forEach((lane, laneAt) => lane.rows.forEach((row, depth) => {
		for (let at = 0; at < row.fn.length; at++)
			if (row.fn[at] === fn && row.count[at] === 1)
				calls.push({lane: laneAt, depth, at, start: row.start[at], length: row.length[at]});
	}));
	return calls.sort((a, b) => a.start - b.start);
}

/* Arguments and result of a call, as lines have them; or nothing. */
const saidOf = (row, at) => row.said && row.said.get(at) || '';

const rowOf = span => lanes[span.lane].rows[span.depth];
const same = (a, b) => a && b && a.lane === b.lane && a.depth === b.depth && a.at === b.at;

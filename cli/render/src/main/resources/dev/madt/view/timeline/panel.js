/* Beside the lanes: the selected call and its function, or all functions. */
const MOST_FUNCTIONS = 60, MOST_CALLS = 10, MOST_WINDOWS = 20, BARS_PER_POWER = 2;
const panel = byId('panel');

function rows(...pairs) {
	return element('table', {}, ...pairs.filter(pair => pair[1] !== null).map(([
		key, value
	]) => element('tr', {}, element('th', {scope: 'row'}, key), element('td', {}, value))));
}

const ENDINGS = ['', 'left by a jump (tail call), longjmp or an exception', 'never left'];

function callSection(span) {
	const row = rowOf(span), at = span.at, fn = functions[row.fn[at]], caller = callerOf(span);
	const several = row.count[at] > 1;
	const memory = data.accesses
			? [['accesses', number(row.accesses[at])], ['bytes', number(row.bytes[at])]]
			: [];
	if (several)
		return element('section', {}, element('h2', {}, plural(row.count[at], 'call', 'calls')),
				rows(['time in them', length(row.length[at])], ['from', position(row.start[at], 1)],
						['to', position(row.end[at], 1)], ['the longest', fn.name],
						['it took', length(row.detail[at])], ...memory),
				element('p', {className: 'note'},
						`Calls shorter than ${length(data.least)} are merged` +
								' here. All of them, in a page of their own:'),
				element('code', {},
						`madt timeline --from ${exact(row.start[at])} --until ${
								exact(row.end[at])} -o part.html ${data.title}`));
	return element('section', {}, element('h2', {}, fn.name),
			rows(['call', saidOf(row, at) ? fn.name + saidOf(row, at) : null],
					['module', fn.module], ['thread', lanes[span.lane].title],
					['called by', caller ? callerName(caller) : null],
					['begins at', position(row.start[at], 1)],
					['in lines', data.timed ? `t=${row.start[at]}` : null],
					['took', length(row.length[at])],
					['itself', data.timed ? length(row.detail[at]) : null],
					...offCpuBetween(span.lane, row.start[at], row.end[at]),
					['end', ENDINGS[row.ending[at]] || null], ...memory),
			...data.accesses ? dataOf(span) : []);
}

/* How to see what a call and all that it called read and wrote. */
function dataOf(span) {
	const row = rowOf(span), {thread} = lanes[span.lane];
	const note = 'Accesses and bytes with those of all that it called.';
	if (data.several || !row.bytes[span.at])
		return [element('p', {className: 'note'}, note)];
	return [
		element('p', {className: 'note'}, `${note} What they read and wrote, by name:`),
		element('code', {},
				`madt report --thread ${thread} --from ${row.first[span.at]} --until ${
						row.last[span.at]} ${data.title}`)
	];
}

/* What a function itself read and wrote most, by name. */
function dataTable(fn) {
	if (!fn.touched.length)
		return [];
	const lines = [];
	for (let i = 0; i < fn.touched.length; i += 3)
		lines.push(element('tr', {}, element('td', {}, fn.touched[i]),
				element('td', {}, number(fn.touched[i + 1])),
				element('td', {}, number(fn.touched[i + 2]))));
	return [
		element('table', {className: 'data'},
				element('tr', {}, element('th', {}, 'data, by itself'),
						element('th', {}, 'bytes read'), element('th', {}, 'written')),
				...lines),
		fn.others ? element('p', {className: 'note'}, `and ${number(fn.others)} bytes of others`)
				  : ''
	];
}

const exact = value => data.timed ? `${value}ns` : value;

function callerName(span) {
	const row = rowOf(span);
	return row.count[span.at] > 1 ? `(one of ${number(row.count[span.at])} merged calls)`
								  : functions[row.fn[span.at]].name;
}

function goButton(text, action) {
	const button = element('button', {type: 'button'}, text);
	button.addEventListener('click', action);
	return button;
}

/* How long calls took: bars of equal width on a logarithmic axis, as high as their calls. */
function histogram(fn) {
	if (!data.timed || fn.calls < 2)
		return '';
	const bar = value => Math.floor(Math.log2(Math.max(1, value)) * BARS_PER_POWER);
	const counts = [], first = bar(fn.min);
	for (let i = 0; i < fn.classes.length; i += 2) {
		const at = Math.max(first, bar(classStart(fn.classes[i]))) - first;
		counts[at] = (counts[at] || 0) + fn.classes[i + 1];
	}
	const most = Math.max(...counts.filter(count => count));
	const bars = Array.from(counts, (count, at) => {
		const low = 2 ** ((first + at) / BARS_PER_POWER), made = element('span', {
			title: `${plural(count || 0, 'call', 'calls')} from ${length(Math.round(low))} to ${
					length(Math.round(low * 2 ** (1 / BARS_PER_POWER)))}`
		});
		made.style.height = count ? `max(2px, ${100 * count / most}%)` : '0';
		return made;
	});
	return element('div', {},
			element('div', {
				className: 'histogram',
				role: 'img',
				ariaLabel: 'Histogram of how long its calls took'
			},
					...bars),
			element('div', {className: 'ends'}, element('span', {}, length(fn.min)),
					element('span', {}, 'took (log scale)'), element('span', {}, length(fn.max))));
}

function functionSection(fn) {
	const calls = callsOf(fn.number), longest = [...calls].sort((a, b) => b.length - a.length);
	const shown = longest.slice(0, MOST_CALLS);
	return element('section', {}, element('h2', {}, `all calls of ${fn.name}`),
			rows(['calls', number(fn.calls)], ['total', data.timed ? length(fn.total) : null],
					['self', data.timed ? length(fn.self) : null],
					['min', data.timed ? length(fn.min) : null],
					['mean', data.timed ? length(fn.mean) : null],
					['p99', data.timed ? length(fn.p99) : null],
					['max', data.timed ? length(fn.max) : null],
					['own accesses', data.accesses ? number(fn.accesses) : null],
					['own bytes', data.accesses ? number(fn.bytes) : null]),
			histogram(fn), ...dataTable(fn),
			element('p', {className: 'note'},
					calls.length < fn.calls
							? `The longest of ${number(calls.length)} that are told apart:`
							: 'The longest:'),
			element('table', {},
					...shown.map(call => element('tr', {},
										 element('td', {},
												 goButton(`at ${position(call.start, 1000)}`,
														 () => goTo(call))),
										 element('td', {}, length(call.length))))));
}

function allFunctions() {
	const key = data.timed ? 'self' : 'calls';
	const sorted = functions.filter(fn => fn.calls && (!pattern || matches[fn.number]))
						   .sort((a, b) => b[key] - a[key]);
	return element('section', {}, element('h2', {}, pattern ? 'found' : 'functions'),
			element('table', {className: 'functions'},
					element('tr', {}, element('th', {}, 'function'), element('th', {}, 'calls'),
							element('th', {}, data.timed ? 'self' : '')),
					...sorted.slice(0, MOST_FUNCTIONS)
							.map(fn => element('tr', {},
										 element('td', {},
												 goButton(shorten(fn.name, 29),
														 () => {
															 const longest =
																	 callsOf(fn.number).sort(
																			 (a, b) => b.length
																					 - a.length)[0];
															 if (longest)
																 goTo(longest);
														 })),
										 element('td', {}, number(fn.calls)),
										 element('td', {}, data.timed ? length(fn.self) : '')))),
			sorted.length > MOST_FUNCTIONS ? element('p', {className: 'note'},
					`and ${number(sorted.length - MOST_FUNCTIONS)} more: search for them`)
										   : '');
}

/* The windows of the recording, to go to. */
function allWindows() {
	if (!windows.length || pattern)
		return [];
	return [element('section', {}, element('h2', {}, 'windows of the recording'),
			element('table', {},
					...windows.slice(0, MOST_WINDOWS)
							.map(window => element('tr', {},
										 element('td', {},
												 goButton(window.title, () => fillRange(window))),
										 element('td', {}, window.causes)))),
			windows.length > MOST_WINDOWS ? element('p', {className: 'note'},
					`and ${number(windows.length - MOST_WINDOWS)} more: w goes to the next`)
										  : '')];
}

function showPanel() {
	if (!chosen)
		panel.replaceChildren(...allWindows(), allFunctions());
	else
		panel.replaceChildren(callSection(chosen),
				functionSection(functions[rowOf(chosen).fn[chosen.at]]));
}

/* What a box says of the column that the pointer is in. */
function described(box, from, to) {
	if (box.window)
		return [
			box.window.title, box.window.causes, `at ${position(box.window.start, 1000)}`,
			length(box.window.end - box.window.start)
		].join('\n');
	if (box.heading)
		return lanes[box.lane].open ? 'click: only the outermost calls' : 'click: all rows';
	const offCpu = offCpuBetween(box.lane, from, to).map(([why, time]) => `here: ${why}, ${time}`);
	return (box.stripe ? offCpu : [describedCalls(box), ...offCpu]).join('\n');
}

function describedCalls(box) {
	const row = lanes[box.lane].rows[box.depth], fn = functions[row.fn[box.at]];
	if (box.spans > 1)
		return `${plural(box.calls, 'call', 'calls')}, ${
				length(box.time)} in them\nzoom in to see them`;
	if (box.calls > 1)
		return `${plural(box.calls, 'call', 'calls')}, ${
				length(row.length[box.at])} in them, merged\n${''}the longest: ${fn.name}, ${
				length(row.detail[box.at])}`;
	const lines = [
		`${fn.name}${saidOf(row, box.at)} ${fn.module}`,
		length(row.length[box.at]) + (data.timed ? `, itself ${length(row.detail[box.at])}` : '')
	];
	if (data.accesses)
		lines.push(`${plural(row.accesses[box.at], 'access', 'accesses')}, ${
				plural(row.bytes[box.at], 'byte', 'bytes')}`);
	if (row.ending[box.at])
		lines.push(ENDINGS[row.ending[box.at]]);
	return lines.join('\n');
}

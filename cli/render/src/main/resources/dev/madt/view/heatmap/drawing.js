/* Draws the map, its legend and the time line. */
function fit(canvas, width, tall) {
	const ratio = window.devicePixelRatio || 1;
	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(tall * ratio);
	canvas.style.width = width + 'px';
	canvas.style.height = tall + 'px';
	const pen = canvas.getContext('2d');
	pen.setTransform(ratio, 0, 0, ratio, 0, 0);
	pen.font = '11px ui-monospace, monospace';
	return pen;
}

function draw() {
	const tall = scroller.clientHeight, top = scroller.scrollTop;
	const pen = fit(map, scroller.clientWidth, tall);
	pen.fillStyle = colourOf('--back');
	pen.fillRect(0, 0, scroller.clientWidth, tall);
	const hot = items.find(item => item.unit && item.unit.pages.includes(counts.hottest));
	labelled = {y: -100, name: -1, hot: hot ? hot.y - top : -100};
	for (const item of items)
		if (item.y + item.tall >= top && item.y <= top + tall)
			drawItem(pen, item, item.y - top);
	drawCursor(pen, top);
}
let labelled = null;

function drawItem(pen, item, y) {
	if (item.kind === 'head')
		drawHead(pen, item, y);
	else if (item.kind === 'row')
		drawRow(pen, item, y);
	else
		drawSlices(pen, item, y);
}

function drawHead(pen, item, y) {
	const heat = item.band.pages.reduce((sum, page) => sum + counts.heat[page], 0);
	const unit = item.span === 1
			? ''
			: `, ${inTime() ? 'a row' : 'a square'} is ${number(item.span)} pages`;
	const label = item.band.label.length > 60 ? item.band.label.slice(0, 59) + '…'
											  : item.band.label;
	pen.font = '600 12px ui-monospace, monospace';
	pen.fillStyle = colourOf('--text');
	pen.fillText(label, 8, y + HEAD - 8);
	const after = 8 + pen.measureText(label).width + 14;
	pen.font = '11px ui-monospace, monospace';
	pen.fillStyle = colourOf('--faint');
	pen.fillText(`${percent(heat, counts.all)} of what is shown; ${
						 plural(item.band.pages.length, 'page')} accessed`
					+
					` of ${number(Number(item.band.last - item.band.first) + 1)}${unit}`,
			after, y + HEAD - 8);
}

function drawRow(pen, item, y) {
	pen.fillStyle = colourOf('--faint');
	pen.fillText(address(item.cells[0].unit.first), 8, y + size() / 2 + 4);
	const line = colourOf('--line');
	for (const {x, unit} of item.cells) {
		pen.fillStyle = line;
		pen.fillRect(x - 1, y - 1, size() + 2, size() + 2);
		pen.fillStyle = colour(heatOf(unit));
		pen.fillRect(x, y, size(), size());
	}
	pen.fillStyle = colourOf('--faint');
	for (const gap of item.gaps)
		pen.fillRect(gap.x + 1, y, 1, size());
	for (const {x, unit} of item.cells)
		if (unit.pages.includes(counts.hottest))
			outline(pen, x, y, size(), size());
}

function outline(pen, x, y, wide, tall) {
	pen.strokeStyle = colourOf('--mark');
	pen.lineWidth = 2;
	pen.strokeRect(x, y, wide, tall);
}

function sliceWidth() {
	return (scroller.clientWidth - leftEdge() - 16) / (state.to - state.from);
}

function drawSlices(pen, item, y) {
	const wide = sliceWidth(), left = leftEdge();
	pen.fillStyle = colourOf('--line');
	pen.fillRect(left, y + item.tall - 1, wide * (state.to - state.from), 1);
	labelSlices(pen, item, y);
	for (let slice = state.from; slice < state.to; slice++) {
		const value = item.unit.pages.reduce((most, page) => Math.max(most,
													 counts.grid.get(page * slices + slice) || 0),
				0);
		if (value > 0) {
			pen.fillStyle = colour(value);
			pen.fillRect(left + (slice - state.from) * wide, y, Math.max(1, wide + 0.3),
					item.tall - 1);
		}
	}
	if (item.unit.pages.includes(counts.hottest))
		outline(pen, left, y, wide * (state.to - state.from), item.tall - 1);
}

/* The most accessed name of a row, where there is room and another one stands above. */
function labelSlices(pen, item, y) {
	const names = namesOn(item.unit.pages, true), hot = item.unit.pages.includes(counts.hottest);
	if (!names.length
			|| !hot
					&& (y - labelled.y < 11 || Math.abs(y - labelled.hot) < 11
							|| names[0][0] === labelled.name))
		return;
	const text = data.names[names[0][0]],
		  most = Math.floor((leftEdge() - 14) / pen.measureText('m').width);
	pen.fillStyle = colourOf(hot ? '--mark' : '--faint');
	pen.fillText(text.length > most ? text.slice(0, most - 1) + '…' : text, 8,
			y + Math.min(9, item.tall));
	labelled = {y, name: names[0][0], hot: labelled.hot};
}

function drawCursor(pen, top) {
	const box = state.cursor && boxOf(state.cursor);
	if (box)
		outline(pen, box.x, box.y - top, box.wide, box.tall);
}

function boxOf(cursor) {
	const item = items[cursor.item];
	if (!item || item.kind === 'row' && !item.cells[cursor.column])
		return null;
	const wide = item.kind === 'slices' ? sliceWidth() : size();
	const x = item.kind === 'slices' ? leftEdge() + (cursor.column - state.from) * wide
									 : item.cells[cursor.column].x;
	return {
		x,
		y: item.y,
		wide: Math.max(3, wide),
		tall: item.kind === 'row' ? size() : item.tall - 1
	};
}

function drawLegend() {
	const room = Math.min(560, byId('key').clientWidth), wide = Math.min(300, room - 260),
		  pen = fit(byId('legend'), room, 34);
	for (let x = 0; x < wide; x++) {
		pen.fillStyle = colour(Math.pow(counts.most, x / (wide - 1)));
		pen.fillRect(x, 0, 1, 12);
	}
	pen.fillStyle = colourOf('--text');
	let free = -1;
	for (let mark = 1; mark < counts.most; mark *= 10) {
		const x = Math.log(mark) / Math.log(counts.most) * (wide - 1), text = number(mark);
		if (x > free && x + 7 * text.length < wide - 7 * number(counts.most).length) {
			pen.fillText(text, x, 24);
			free = x + 7 * text.length;
		}
	}
	pen.fillText(number(counts.most), wide - pen.measureText(number(counts.most)).width, 24);
	pen.fillText(`accesses per ${inTime() ? 'page and slice of time' : data.unit},`, wide + 14, 10);
	pen.fillText('logarithmic scale', wide + 14, 24);
}

function drawTimeline() {
	const wide = timeline.parentElement.clientWidth, tall = 56, pen = fit(timeline, wide, tall);
	const high = Math.max(1, ...counts.slices), step = wide / slices;
	for (let i = 0; i < slices; i++) {
		const inside = i >= state.from && i < state.to;
		pen.fillStyle = inside ? (isDark() ? 'hsl(208 60% 60%)' : 'hsl(208 60% 45%)')
							   : colourOf('--line');
		const bar = (tall - 18) * counts.slices[i] / high;
		pen.fillRect(i * step, tall - 14 - bar, Math.max(1, step - 0.5), bar);
	}
	pen.fillStyle = colourOf('--faint');
	const text = `accesses ${number(state.from * data.slice)} to ${
			number(Math.min(data.end, state.to * data.slice))} of ${number(data.end)}`;
	pen.fillText(text, 8, tall - 3);
	timeline.setAttribute('aria-valuemax', data.end);
	timeline.setAttribute('aria-valuenow', state.from * data.slice);
	timeline.setAttribute('aria-valuetext', text);
}

function hottestText() {
	const page = counts.hottest;
	if (page < 0)
		return 'nothing accessed that is selected';
	return `hottest page: ${address(pages[page])} in ${bandOfPage[page].label}, ${
				   number(counts.heat[page])} accesses,`
			+
			` most of them to ${data.names[namesOn([page], true)[0][0]]} (outlined)`;
}

const HOW = {
	time: 'A row is a page that was accessed, or several neighbours; time goes from left to right.'
			+
			' Point at a row for its names. Click it for all of them, then a name for the functions'
			+
			' that touch it.',
	space: 'A square is a page that was accessed, or several neighbours; a thin line stands for' +
			' pages that were not. Point at a square for its names. Click it for all of them, then a'
			+
			' name for the functions that touch it.'
};

function refresh(relay) {
	count();
	if (relay)
		lay();
	draw();
	drawLegend();
	drawTimeline();
	byId('hottest').textContent = hottestText();
	byId('how').textContent = HOW[state.view];
	byId('rest').textContent = data.rest && `${data.rest[0].toUpperCase()}${data.rest.slice(1)}.`;
	const sum = table => number(table.reduce((a, b) => a + b, 0));
	byId('status').textContent = `${sum(counts.loads)} loads, ${sum(counts.stores)} stores, ${
			number(counts.transfers)} block events shown.`;
	showPanel();
}

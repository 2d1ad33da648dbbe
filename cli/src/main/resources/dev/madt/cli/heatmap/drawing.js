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

function mapWidth() {
	return state.view === 'time' ? scroller.clientWidth : Math.max(scroller.clientWidth, LEFT + COLUMNS * (state.size + 1) + 10);
}

function draw() {
	const tall = scroller.clientHeight, top = scroller.scrollTop;
	byId('space').style.width = mapWidth() + 'px';
	const pen = fit(map, mapWidth(), tall);
	pen.fillStyle = colourOf('--back');
	pen.fillRect(0, 0, mapWidth(), tall);
	for (const item of items)
		if (item.y + item.tall >= top && item.y <= top + tall)
			drawItem(pen, item, item.y - top);
	drawCursor(pen, top);
}

function drawItem(pen, item, y) {
	pen.fillStyle = colourOf('--text');
	if (item.kind === 'head') {
		const [loads, stores] = sum(item.band);
		pen.fillText(`${item.band.label}   ${number(loads)} loads, ${number(stores)} stores`, 8, y + HEAD - 7);
	} else if (item.kind === 'fold') {
		if (item.untraced) {
			pen.fillStyle = colourOf('--untraced');
			pen.fillRect(LEFT, y + 1, COLUMNS * (state.size + 1) - 1, FOLD - 3);
		}
		pen.fillStyle = colourOf('--text');
		pen.fillText(item.text, LEFT + 4, y + 12);
	} else if (item.kind === 'row')
		drawRow(pen, item, y);
	else
		drawSlices(pen, item, y);
}

function sum(band) {
	let loads = 0, stores = 0;
	for (const page of band.pages) {
		loads += counts.loads[page];
		stores += counts.stores[page];
	}
	return [loads, stores];
}

function drawRow(pen, item, y) {
	pen.fillStyle = colourOf('--faint');
	pen.fillText(address(item.first), 8, y + Math.min(10, state.size));
	const line = colourOf('--line');
	for (let i = 0; i < COLUMNS; i++) {
		const page = item.first + BigInt(i);
		if (page < item.band.first || page > item.band.last)
			continue;
		const x = LEFT + i * (state.size + 1), index = item.known.get(i);
		pen.fillStyle = line;
		pen.fillRect(x - 1, y - 1, state.size + 2, state.size + 2);
		pen.fillStyle = colour(index === undefined ? 0 : counts.loads[index] + counts.stores[index]);
		pen.fillRect(x, y, state.size, state.size);
		if (index !== undefined && index === counts.hottest)
			outline(pen, x, y);
	}
}

function outline(pen, x, y) {
	pen.strokeStyle = colourOf('--mark');
	pen.lineWidth = 2;
	pen.strokeRect(x, y, state.size, state.size);
}

function sliceWidth() {
	return (scroller.clientWidth - LEFT - 16) / (state.to - state.from);
}

function drawSlices(pen, item, y) {
	const wide = sliceWidth();
	pen.fillStyle = colourOf('--line');
	pen.fillRect(LEFT, y + item.tall - 1, wide * (state.to - state.from), 1);
	if (item.tall >= 9) {
		pen.fillStyle = colourOf('--faint');
		pen.fillText(address(pages[item.page]), 8, y + 9);
	}
	for (let slice = state.from; slice < state.to; slice++) {
		const value = counts.grid.get(item.page * slices + slice) || 0;
		if (value > 0) {
			pen.fillStyle = colour(value);
			pen.fillRect(LEFT + (slice - state.from) * wide, y, Math.max(1, wide), item.tall - 1);
		}
	}
}

function drawCursor(pen, top) {
	const box = state.cursor && boxOf(state.cursor);
	if (box) {
		pen.strokeStyle = colourOf('--mark');
		pen.lineWidth = 2;
		pen.strokeRect(box.x, box.y - top, box.wide, box.tall);
	}
}

function boxOf(cursor) {
	const item = items[cursor.item];
	if (!item)
		return null;
	const wide = item.kind === 'slices' ? sliceWidth() : state.size;
	const x = item.kind === 'slices' ? LEFT + (cursor.column - state.from) * wide : LEFT + cursor.column * (state.size + 1);
	return {x, y: item.y, wide: Math.max(3, wide), tall: item.tall - 1};
}

function drawLegend() {
	const pen = fit(byId('legend'), 700, 34), wide = 300;
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
	pen.fillText(`accesses per ${state.view === 'time' ? 'page and slice of time' : data.unit}, logarithmic scale`, wide + 14, 10);
	legendBox(pen, wide + 14, '--empty', 'not accessed');
	if (state.view === 'space')
		legendBox(pen, wide + 130, '--untraced', 'not traced');
}

function legendBox(pen, x, name, text) {
	pen.fillStyle = colourOf('--faint');
	pen.fillRect(x, 17, 11, 11);
	pen.fillStyle = colourOf(name);
	pen.fillRect(x + 1, 18, 9, 9);
	pen.fillStyle = colourOf('--text');
	pen.fillText(text, x + 16, 26);
}

function drawTimeline() {
	const wide = timeline.parentElement.clientWidth, tall = 56, pen = fit(timeline, wide, tall);
	const high = Math.max(1, ...counts.slices), step = wide / slices;
	for (let i = 0; i < slices; i++) {
		const inside = i >= state.from && i < state.to;
		pen.fillStyle = inside ? (isDark() ? 'hsl(208 60% 60%)' : 'hsl(208 60% 45%)') : colourOf('--line');
		const bar = (tall - 18) * counts.slices[i] / high;
		pen.fillRect(i * step, tall - 14 - bar, Math.max(1, step - 0.5), bar);
	}
	pen.fillStyle = colourOf('--faint');
	const text = `accesses ${number(state.from * data.slice)} to ${number(Math.min(data.end, state.to * data.slice))} of ${number(data.end)}`;
	pen.fillText(text, 8, tall - 3);
	timeline.setAttribute('aria-valuemax', data.end);
	timeline.setAttribute('aria-valuenow', state.from * data.slice);
	timeline.setAttribute('aria-valuetext', text);
}

function hottestText() {
	const index = counts.hottest;
	if (index < 0)
		return 'nothing accessed that is selected';
	const band = bands.find(each => each.pages.includes(index));
	return `hottest page: ${address(pages[index])} in ${band.label}, ${number(counts.loads[index] + counts.stores[index])} accesses`
		+ (state.view === 'space' ? ' (outlined)' : '');
}

function refresh(relay) {
	count();
	if (relay)
		lay();
	draw();
	drawLegend();
	drawTimeline();
	byId('hottest').textContent = hottestText();
	byId('status').textContent = `${number(counts.loads.reduce((a, b) => a + b, 0))} loads, ${number(counts.stores.reduce((a, b) => a + b, 0))} stores shown.`;
}

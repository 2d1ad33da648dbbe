/* What is known of the block that is chosen. */
const hex = value => `0x${value.toString(16)}`;
const runs = block => block.count < 0 ? '?' : number(block.count);

function goButton(n, text) {
	const button = element('button', {type: 'button', className: 'go'}, text);
	button.addEventListener('click', () => choose(n));
	return button;
}

function wayItem([to, kind, place]) {
	return element('div', {}, element('span', {className: 'note'}, `${kind} `),
			to < 0 ? place || '?' : goButton(to, `block ${to}`));
}

function codeLines(block) {
	const lines = [];
	for (const [address, text, note, source] of block.code) {
		if (source)
			lines.push(element('div', {className: 'source'}, source));
		lines.push(element('div', {}, `${hex(address)}  ${text}${note ? `  # ${note}` : ''}`));
	}
	return lines;
}

function showPanel() {
	const block = blocks[chosen], panel = byId('panel');
	const from = [...new Set(data.lines.filter(line => line.to === chosen).map(line => line.from))];
	panel.replaceChildren(element('h2', {}, `Block ${block.n}`),
			element('div', {}, `${hex(block.start)} to ${hex(block.end)}`),
			element('div', {hidden: !data.traced}, `ran ${runs(block)} times`),
			element('div', {hidden: block.loop < 0},
					block.head ? 'begins a loop' : `in the loop of block ${block.loop}`),
			element('h3', {}, 'instruments'), element('div', {}, `in front: ${block.front}`),
			element('div', {}, `behind: ${block.behind}`), element('h3', {}, 'comes from'),
			element('div', {},
					...(from.length ? from.map(n => goButton(n, `block ${n}`)) : ['outside'])),
			element('h3', {}, 'goes to'),
			element('div', {}, ...(block.ways.length ? block.ways.map(wayItem) : ['outside'])),
			element('h3', {}, 'instructions'),
			element('div', {className: 'code'}, ...codeLines(block)));
	panel.scrollTop = 0;
}

function choose(n, stays) {
	chosen = n;
	mark();
	showPanel();
	if (!stays || !isShown(n))
		centre(n);
}

function legendItem(colour, text, dashed) {
	return element('span', {}, element('span', {
		className: 'way',
		style: `border-color:var(${colour})${dashed ? ';border-top-style:dashed' : ''}`
	}),
			text);
}

function showLegend() {
	const has = kind => data.lines.some(line => line.kind === kind);
	const items = [legendItem('--fall', 'falls through, or a call returns')];
	if (has('jump'))
		items.push(legendItem('--taken', 'jump'));
	if (has('table'))
		items.push(legendItem('--case', 'by a table'));
	if (has('exception'))
		items.push(legendItem('--pad', 'exception', true));
	if (data.lines.some(line => line.back))
		items.push(legendItem('--back-way', 'back to the head of a loop'));
	if (data.traced)
		items.push(element('span', {},
				'the stronger, the more often it ran, on a scale of ' +
						'logarithms; ×?: it has no access site that was recorded'));
	byId('legend').replaceChildren(...items);
}

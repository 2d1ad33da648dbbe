/* The text of the source, with what each line accesses, where a line or a function is chosen. */
const AROUND = 8, MOST_TEXT = 400;
const numberOf = row => Number(/:(\d+)$/.exec(row.name)?.[1] || 0);

/* The lines that a chosen row is about: the first one is the most important. */
function chosenLines() {
	if (chosen && chosen.kind === 'line')
		return [rows.line[chosen.at]];
	const name = chosen && chosen.kind === 'function' ? rows.function [chosen.at].name : null;
	return name ? rows.line.filter(line => line.region === name) : [];
}

/* The numbers of lines that are shown: those that count, and those around them. */
function shownNumbers(text, lines) {
	const wanted = new Set();
	for (const line of lines)
		for (let at = numberOf(line) - AROUND; at <= numberOf(line) + AROUND; at++)
			if (text[at] !== undefined)
				wanted.add(at);
	return [...wanted].sort((a, b) => a - b).slice(0, MOST_TEXT);
}

function drawSource() {
	const place = byId('source'), lines = chosenLines(), file = lines.length ? lines[0].source : '';
	const text = data.sources[file];
	place.hidden = !text;
	if (!text)
		return;
	const counts = new Map();
	for (const line of rows.line)
		if (line.source === file)
			counts.set(numberOf(line), [...counts.get(numberOf(line)) || [], line]);
	const most = Math.max(1, ...[...counts.values()].flat().map(accesses));
	let before = 0;
	const body =
			shownNumbers(text, lines.filter(line => line.source === file)).flatMap(at => {
				const found = counts.get(at) || [],
					  sum = key => found.reduce((all, row) => all + row[key], 0);
				const all = sum('loads') + sum('stores'), gap = before && at > before + 1;
				before = at;
				const share = element('td', {class: 'share', style: `--part:${100 * all / most}%`},
						all ? percent(all, data.loads + data.stores) : '');
				const shown = found.length ? element('a', {href: `#line-${found[0].at}`}, at) : at;
				const row = element('tr',
						{'aria-selected': found.includes(lines[0]) ? 'true' : null}, share,
						element('td', {}, found.length ? number(sum('loads')) : ''),
						element('td', {}, found.length ? number(sum('stores')) : ''),
						element('td', {class: 'faint'}, shown),
						element('td', {class: 'text code'}, text[at].replace(/\t/g, '    ')));
				return gap ? [element('tr', {}, element('td', {colspan: 5, class: 'text faint'}, '⋯')), row]
				   : [row];
			});
	place.querySelector('h2').replaceChildren('Source ', element('span', {class: 'note'}, file));
	place.querySelector('table').replaceChildren(
			element('thead', {},
					element('tr', {},
							...['share', 'loads', 'stores', 'line', 'text']
									.map((head, at) => element('th',
												 {scope: 'col', class: at < 4 ? null : 'text'},
												 head)))),
			element('tbody', {}, ...body));
	const selected = place.querySelector('[aria-selected]'),
		  scroll = place.querySelector('.scroll');
	if (selected)
		scroll.scrollTop = selected.offsetTop - scroll.clientHeight / 2;
}

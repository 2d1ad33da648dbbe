/* The panel: the hottest pages, the names on what is chosen, the functions that touch a name. */
/*
 * Names on pages: index, loads, stores, bulk transfers; the most accessed first. `whole`: of the
 * selected time, without telling kinds apart.
 */
function namesOn(some, whole, from, to) {
	const byName = new Map();
	if (whole) {
		for (const page of some)
			for (const [name, heat] of counts.names[page])
				byName.set(name, [name, heat + (byName.has(name) ? byName.get(name)[1] : 0), 0, 0]);
	} else {
		const inside = new Set(some);
		const add = (page, name, slice, loads, stores, single) => {
			if (!inside.has(page) || slice < from || slice >= to || !(loads + stores))
				return;
			const known = byName.get(name) || [name, 0, 0, 0];
			known[1] += single ? loads : 0;
			known[2] += single ? stores : 0;
			known[3] += single ? 0 : loads + stores;
			byName.set(name, known);
		};
		eachCell(data.cells, counts.wanted,
				(page, name, slice, loads, stores) => add(page, name, slice, loads, stores, true));
		eachCell(data.blocks, counts.wanted,
				(page, name, slice, loads, stores) => add(page, name, slice, loads, stores, false));
	}
	const heat = each => each[1] + each[2] + each[3];
	return [...byName.values()].sort((a, b) => heat(b) - heat(a));
}

/* Functions on a name: index, loads, stores, bulk transfers; over the whole run. */
function functionsOn(name) {
	const found = [];
	for (let i = 0; i + USE <= data.uses.length; i += USE)
		if (data.uses[i] === name)
			found.push([data.uses[i + 1], data.uses[i + 2], data.uses[i + 3], data.uses[i + 4]]);
	return found.sort((a, b) => b[1] + b[2] + b[3] - a[1] - a[2] - a[3]);
}

function fill(list, rows) {
	const most = rows.reduce((a, row) => Math.max(a, row.value), 1);
	byId(list).replaceChildren(...rows.map(row => {
		const line = document.createElement('li'),
			  place = document.createElement(row.click ? 'button' : 'div');
		place.className = 'row';
		place.style.setProperty('--part', `${100 * row.value / most}%`);
		place.title = row.title;
		for (const [kind, text] of [['value', number(row.value)], ['label', row.label]]) {
			const part = document.createElement('span');
			part.className = kind;
			part.textContent = text;
			place.append(part);
		}
		if (row.click) {
			place.setAttribute('aria-pressed', row.pressed);
			place.addEventListener('click', row.click);
		}
		line.append(place);
		return line;
	}));
}

const kinds = ([, loads, stores, blocks]) => `${plural(loads, 'load')}, ${plural(stores, 'store')}${
		blocks ? `, ${plural(blocks, 'bulk transfer')}` : ''}`;

function pagesText(chosen) {
	const first = chosen[0], where = `${address(pages[first])}, ${bandOfPage[first].label}`;
	return chosen.length === 1 ? `page ${where}` : `${number(chosen.length)} pages from ${where}`;
}

/* The name that was chosen, if it is still to be seen; else the first. */
function shownName(found) {
	const isWanted = state.name >= 0 && counts.wanted[state.name];
	if (isWanted || found.some(each => each[0] === state.name))
		return state.name;
	return found.length ? found[0][0] : -1;
}

function showPanel() {
	const hot = [...counts.heat.keys()]
						.filter(page => counts.heat[page] > 0)
						.sort((a, b) => counts.heat[b] - counts.heat[a])
						.slice(0, 7);
	fill('pages', hot.map(page => ({
		value: counts.heat[page],
		label: `${address(pages[page])} ${bandOfPage[page].label}`,
		title: `${bandOfPage[page].label}: ${data.names[namesOn([page], true)[0][0]]}`,
		pressed: state.chosen !== null && state.chosen.length === 1 && state.chosen[0] === page,
		click: () => choose([page])
	})));
	const chosen = state.chosen || hot.slice(0, 1);
	const found = namesOn(chosen, false, state.from, state.to);
	byId('chosen').textContent = chosen.length ? `Names in ${pagesText(chosen)}` : '';
	const name = shownName(found);
	fill('names', found.slice(0, 10).map(each => ({
		value: each[1] + each[2] + each[3],
		label: data.names[each[0]],
		pressed: each[0] === name,
		title: `${data.names[each[0]]}: ${kinds(each)}`,
		click: () => chooseName(each[0])
	})));
	if (found.length > 10)
		byId('names').append(`… ${number(found.length - 10)} more names`);
	showFunctions(name);
}

function showFunctions(name) {
	byId('user').textContent = name < 0 ? '' : `Functions that touch ${data.names[name]}`;
	byId('only').style.display = name < 0 ? 'none' : '';
	const alone = name >= 0 && state.symbol === data.names[name];
	byId('only').textContent = alone ? 'show all names' : 'show only this name';
	byId('only').onclick = () => showOnly(alone ? '' : data.names[name]);
	const found = name < 0 ? [] : functionsOn(name);
	byId('share').textContent = found.length ? 'Over the whole run, by all threads.' : '';
	fill('functions', found.slice(0, 12).map(each => ({
		value: each[1] + each[2] + each[3],
		label: data.functions[each[0]],
		title: `${data.functions[each[0]]}: ${kinds(each)}`
	})));
	if (found.length > 12)
		byId('functions').append(`… ${number(found.length - 12)} more functions`);
}

/* Shows the names of pages; `at`: the map shall show them as well. */
function choose(some) {
	state.chosen = some;
	state.name = -1;
	showPanel();
	reveal(some[0]);
}

function chooseName(name) {
	state.name = name;
	showPanel();
}

function showOnly(text) {
	state.symbol = text;
	byId('symbol').value = text;
	refresh(true);
}

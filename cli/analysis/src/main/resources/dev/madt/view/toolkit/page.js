/* What all pages have in common: numbers, elements, the theme, tips, the list of keys. */
'use strict';
const byId = id => document.getElementById(id);
const number = value => Math.round(value).toLocaleString('en-US');
const plural = (value, one, many) => `${number(value)} ${value === 1 ? one : many || one + 's'}`;

/* An element with properties, or attributes where there are none, and what is in it. */
function element(tag, properties, ...children) {
	const made = document.createElement(tag);
	for (const [key, value] of Object.entries(properties || {})) {
		if (value === null || value === undefined)
			continue;
		if (key in made)
			made[key] = value;
		else
			made.setAttribute(key, value);
	}
	made.append(...children);
	return made;
}

/* A text between brackets that match, without what is in them. */
function withoutInner(name) {
	let best = null;
	for (let at = 0, open = []; at < name.length; at++)
		if (name[at] === '<' && !/operator<?$/.test(name.slice(0, at)))
			open.push(at);
		else if (name[at] === '>' && open.length && !/(operator>?|-)$/.test(name.slice(0, at))) {
			const from = open.pop(), inner = name.slice(from + 1, at);
			if (inner.length > 1 && (!best || open.length >= best.depth))
				best = {from, at, depth: open.length};
		}
	return best ? name.slice(0, best.from + 1) + '…' + name.slice(best.at) : name;
}

/* The parts of a name between `::`, not of what is in brackets. */
function scopes(name) {
	const parts = [];
	let from = 0;
	for (let at = 0, deep = 0; at < name.length; at++)
		if ('<({['.includes(name[at]))
			deep++;
		else if ('>)}]'.includes(name[at]))
			deep--;
		else if (name.startsWith('::', at) && !deep) {
			parts.push(name.slice(from, at));
			from = at + 2;
		}
	return [...parts, name.slice(from)];
}

/*
 * A name in so many letters: template arguments go first, the inner ones before the outer ones, then
 * scopes; the last part of the name goes last.
 */
function shorten(name, letters) {
	let text = name;
	for (let before = ''; text.length > letters && before !== text;) {
		before = text;
		text = withoutInner(text);
	}
	if (text.length > letters) {
		const parts = scopes(text);
		while (parts.length > 1 && parts.join('::').length + 3 > letters)
			parts.shift();
		if (text !== parts.join('::'))
			text = `…::${parts.join('::')}`;
	}
	return text.length <= letters ? text : `${text.slice(0, Math.max(0, letters - 1))}…`;
}

/* Nanoseconds, for people. */
function duration(nanos) {
	const unit = nanos < 1e3 ? 0 : nanos < 1e6 ? 1 : nanos < 1e9 ? 2 : 3;
	if (!unit)
		return `${Math.round(nanos)} ns`;
	const text = (nanos / 1000 ** unit).toPrecision(4).replace(/(\.\d*?)0+$/, '$1');
	return `${text.replace(/\.$/, '')} ${['ns', 'µs', 'ms', 's'][unit]}`;
}

/* Reads what PackedNumbers has written: returns the next number, or -1 at the end. */
function packed(text) {
	const bytes = atob(text);
	let at = 0;
	return () => {
		if (at === bytes.length)
			return -1;
		let value = 0, scale = 1;
		for (;; scale *= 128) {
			const byte = bytes.charCodeAt(at++);
			value += (byte & 127) * scale;
			if (byte < 128)
				return value;
		}
	};
}

/* The theme is that of the system until the button, or its key, changes it. */
const systemTheme = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => document.documentElement.dataset.theme === 'dark';
let themed = () => {};

function setTheme(dark) {
	document.documentElement.dataset.theme = dark ? 'dark' : 'light';
	themed();
}
setTheme(systemTheme.matches);
systemTheme.addEventListener('change', event => setTheme(event.matches));

/* Shows a text beside the pointer; nothing hides it. */
function showTip(text, x, y) {
	const tip = byId('tip');
	tip.textContent = text || '';
	tip.hidden = !text;
	if (text) {
		tip.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - tip.offsetWidth - 8))}px`;
		tip.style.top = `${
				Math.max(4,
						y + 16 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 10
																: y + 16)}px`;
	}
}

/* Copies a text; pages that are files have no other clipboard in all browsers. */
function copyText(text) {
	const area = element('textarea', {value: text, className: 'copied'}),
		  before = document.activeElement;
	document.body.append(area);
	area.select();
	document.execCommand('copy');
	area.remove();
	if (before)
		before.focus({preventScroll: true});
}

const SHARED_KEYS = [
	['/', 'search'], ['+ −', 'zoom in, zoom out'], ['a d w s', 'move left, right, up, down'],
	['0 or Home', 'everything'], ['Esc', 'one step back'], ['l', 'light or dark'],
	['?', 'these keys']
];

/* Makes the list of keys, which `?` shows: those of the page, then those of all pages. */
function listKeys(own, shared = SHARED_KEYS) {
	const lines = [...own, ...shared.filter(([key]) => !own.some(([other]) => other === key))];
	const close = element('button', {}, 'close');
	document.body.append(element('dialog', {id: 'help', 'aria-label': 'Keys'},
			element('h2', {}, 'Keys'),
			element('dl', {},
					...lines.flatMap(([keys,
						what]) => [element('dt', {},
											 ...keys.split(' ').flatMap(key => key === 'or'
															 ? [' or ']
															 : [element('kbd', {}, key), ' '])),
											 element('dd', {}, what)])),
			element('form', {method: 'dialog'}, close)));
	byId('helper').addEventListener('click', () => byId('help').showModal());
	byId('theme').addEventListener('click', () => setTheme(!isDark()));
}

const isTyping = target =>
		target.matches('textarea, select, input:not([type=radio]):not([type=checkbox])');
const ALL_KEYS = {
	'?': () => byId('help').showModal(),
	'/': () => {
		const field = document.querySelector('[type=search]');
		field.focus();
		field.select();
	},
	l: () => setTheme(!isDark())
};

/* Leads keys to what a page does with them; `typed` gets those that a text field has. */
function listenToKeys(actions, typed) {
	addEventListener('keydown', event => {
		if (event.ctrlKey || event.metaKey || event.altKey || byId('help').open)
			return;
		const presses = event.key === 'Enter' && event.target.matches('button, a, summary, select');
		const action = isTyping(event.target) ? typed && typed[event.key]
				: presses                     ? null
											  : actions[event.key] || ALL_KEYS[event.key];
		if (action) {
			event.preventDefault();
			action(event);
		}
	});
}

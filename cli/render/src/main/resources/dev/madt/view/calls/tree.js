/* The paths of the trace: a node is a number, and those that it calls have larger ones. */
const OFF_CPU = 1, SMALLER = 2, THREAD = 3;
const functions = data.functions.map(([name, module, kind]) => ({name, module, kind}));
const LABELS = {
	time: 'wall time',
	'on-cpu': 'on CPU',
	'off-cpu': 'off CPU'
};
const MEASURES = data.measures.flatMap(word => word === 'time' && data.offCpu
				? ['time', 'on-cpu', 'off-cpu']
				: [word]);
/* What is counted one by one: calls, or the blocks or hits that they led to. */
const COUNTED = ['calls', 'blocks', 'hits'].find(word => MEASURES.includes(word));
const isTime = word => word === 'time' || word.endsWith('-cpu');

/* A tree of paths with what they count: itself, with all that they called, and before. */
class Tree {
	constructor() {
		this.fn = [];
		this.parent = [];
		this.depth = [];
		this.first = [];
		this.next = [];
		this.lastOf = [];
		this.self = MEASURES.map(() => []);
		this.all = MEASURES.map(() => []);
		this.selfBefore = data.compared ? MEASURES.map(() => []) : null;
		this.before = data.compared ? MEASURES.map(() => []) : null;
		this.width = data.compared ? MEASURES.map(() => []) : this.all;
		this.sorted = [];
		this.columns = [
			...new Set([this.self, this.all, this.selfBefore, this.before, this.width])
		].filter(Boolean).flat();
	}

	get size() {
		return this.fn.length;
	}

	add(parent, fn) {
		const node = this.fn.length;
		this.fn.push(fn);
		this.parent.push(parent);
		this.depth.push(parent < 0 ? 0 : this.depth[parent] + 1);
		this.first.push(-1);
		this.next.push(-1);
		this.lastOf.push(-1);
		for (const column of this.columns)
			column.push(0);
		if (parent >= 0) {
			if (this.first[parent] < 0)
				this.first[parent] = node;
			else
				this.next[this.lastOf[parent]] = node;
			this.lastOf[parent] = node;
		}
		return node;
	}

	/* The callee with a function; it is made if there is none. */
	callee(parent, fn) {
		const key = parent * functions.length + fn;
		let node = this.known.get(key);
		if (node === undefined)
			this.known.set(key, node = this.add(parent, fn));
		return node;
	}

	/* Adds what a node of another tree counts, itself and with what it called. */
	count(node, other, its) {
		for (let i = 0; i < MEASURES.length; i++) {
			this.self[i][node] += other.self[i][its];
			this.all[i][node] += other.all[i][its];
			if (data.compared) {
				this.selfBefore[i][node] += other.selfBefore[i][its];
				this.before[i][node] += other.before[i][its];
				this.width[i][node] += other.width[i][its];
			}
		}
	}

	/* Adds up what callees count. */
	sum() {
		const add = (to, from) => {
			for (let node = this.size - 1; node > 0; node--)
				to[this.parent[node]] += to[node];
		};
		for (let i = 0; i < MEASURES.length; i++) {
			for (let node = 0; node < this.size; node++) {
				this.all[i][node] = this.self[i][node];
				if (data.compared) {
					this.before[i][node] = this.selfBefore[i][node];
					this.width[i][node] = Math.max(this.self[i][node], this.selfBefore[i][node]);
				}
			}
			add(this.all[i]);
			if (data.compared) {
				add(this.before[i]);
				add(this.width[i]);
			}
		}
	}

	/* What a node calls: the largest first, or in the order of the first calls. */
	callees(node) {
		const key = order === 'heavy' ? measure : MEASURES.length;
		const lists = this.sorted[key] ||= new Map();
		let list = lists.get(node);
		if (!list) {
			list = [];
			for (let one = this.first[node]; one >= 0; one = this.next[one])
				list.push(one);
			if (order === 'heavy') {
				const width = this.width[measure];
				list.sort((a, b) => width[b] - width[a] || a - b);
			}
			lists.set(node, list);
		}
		return list;
	}

	/* Where a node lies, as parts of the width of the first one. */
	range(node) {
		const width = this.width[measure], chain = [];
		for (let one = node; one > 0; one = this.parent[one])
			chain.push(one);
		let before = 0;
		for (const one of chain)
			for (const other of this.callees(this.parent[one])) {
				if (other === one)
					break;
				before += width[other];
			}
		const whole = width[0] || 1;
		return {from: before / whole, to: (before + width[node]) / whole};
	}

	/* Calls `visit` for each node that is in no other one for which `wanted` is true. */
	outermost(wanted, visit) {
		const inside = new Uint8Array(this.size);
		for (let node = 0; node < this.size; node++) {
			const parent = this.parent[node];
			inside[node] = parent >= 0 ? inside[parent] : 0;
			if (!inside[node] && wanted(node)) {
				inside[node] = 1;
				visit(node);
			}
		}
	}

	/* The functions that lead to a node, the outermost first. */
	path(node) {
		const path = [];
		for (let one = node; one >= 0; one = this.parent[one])
			path.unshift(one);
		return path;
	}
}

function readTree() {
	const tree = new Tree(), next = packed(data.paths), open = [];
	for (let up = next(); up >= 0; up = next()) {
		open.length -= up;
		const fn = next(), node = tree.add(open.length ? open[open.length - 1] : -1, fn);
		open.push(node);
		for (const word of data.measures) {
			const at = MEASURES.indexOf(word);
			const now = next(), before = data.compared ? next() : 0;
			const places = word !== 'time' || !data.offCpu
					? [at]
					: [at, functions[fn].kind === OFF_CPU ? at + 2 : at + 1];
			for (const place of places) {
				tree.self[place][node] = now;
				if (data.compared)
					tree.selfBefore[place][node] = before;
			}
		}
	}
	tree.sum();
	return tree;
}

let measure = Math.max(0, MEASURES.indexOf(data.measure)), order = 'heavy';
const apart = readTree(), threads = apart.fn.filter(fn => functions[fn].kind === THREAD).length;

/* Says whether threads are apart, and whether what calls itself has one box for all of its calls. */
let split = false, folded = false;

/* The paths as they are to be seen. */
function shaped() {
	if (!folded && (split || !threads))
		return apart;
	const made = new Tree(), places = [];
	made.known = new Map();
	for (let node = 0; node < apart.size; node++) {
		const at = apart.fn[node], parent = places[apart.parent[node]];
		const stays = node > 0
				&& (folded && made.fn[parent] === at || !split && functions[at].kind === THREAD);
		const place = node === 0 ? made.add(-1, at) : stays ? parent : made.callee(parent, at);
		places.push(place);
		for (let i = 0; i < MEASURES.length; i++) {
			made.self[i][place] += apart.self[i][node];
			if (data.compared)
				made.selfBefore[i][place] += apart.selfBefore[i][node];
		}
	}
	made.sum();
	return made;
}
let tree = shaped();

/* Of each function what all of its paths count: itself, and together without those in its own. */
function countFunctions() {
	const open = new Int32Array(functions.length), path = [];
	for (const fn of functions) {
		fn.self = MEASURES.map(() => 0);
		fn.total = MEASURES.map(() => 0);
		fn.paths = 0;
	}
	for (let node = 0; node < tree.size; node++) {
		while (path.length > tree.depth[node])
			open[path.pop()]--;
		const at = tree.fn[node], fn = functions[at], outermost = open[at]++ === 0;
		path.push(at);
		fn.paths++;
		for (let i = 0; i < MEASURES.length; i++) {
			fn.self[i] += tree.self[i][node];
			if (outermost)
				fn.total[i] += tree.all[i][node];
		}
	}
}
countFunctions();
functions[tree.fn[0]].name = 'all';

/* All that a function calls, wherever it is called: its first node is the function. */
function calleesOf(at) {
	const made = new Tree();
	made.known = new Map();
	const first = made.add(-1, at), places = new Int32Array(tree.size).fill(-1);
	for (let node = 0; node < tree.size; node++) {
		const parent = tree.parent[node], above = parent < 0 ? -1 : places[parent];
		if (above < 0 && tree.fn[node] !== at)
			continue;
		places[node] = above < 0 ? first : made.callee(above, tree.fn[node]);
		made.count(places[node], tree, node);
	}
	return made;
}

/* All that calls a function: its first node is the function, its callees are what calls it. */
function callersOf(at) {
	const made = new Tree();
	made.known = new Map();
	const first = made.add(-1, at);
	tree.outermost(node => tree.fn[node] === at, node => {
		let place = first;
		made.count(first, tree, node);
		for (let one = tree.parent[node]; one > 0; one = tree.parent[one]) {
			place = made.callee(place, tree.fn[one]);
			made.count(place, tree, node);
		}
	});
	return made;
}

function amount(value, word = MEASURES[measure]) {
	return isTime(word)
			? duration(value)
			: `${number(value)} ${
					value === 1 ? word.replace(word === 'accesses' ? /es$/ : /s$/, '') : word}`;
}

const share = (value, whole) => {
	const part = 100 * value / (whole || 1);
	return `${part === 0 ? 0 : part < 0.01 ? '< 0.01' : part.toFixed(part < 1 ? 2 : 1)} %`;
};
const nameOf = (of, node) => functions[of.fn[node]].name;

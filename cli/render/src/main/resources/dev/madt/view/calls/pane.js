/* A picture of a tree: its first box at the top, and all others below their callers; or upwards. */
const LEAST = 0.5, MOST_ROW = 32, LEAST_ROW = 17, SEEN = 24;

/* The box that has most to itself. */
function hottest(of) {
	const self = of.self[measure];
	let most = 0;
	if (of === tree)
		for (let node = 1; node < of.size; node++)
			if (!functions[of.fn[node]].kind && self[node] > self[most])
				most = node;
	return most;
}

class Pane {
	constructor(id, upward) {
		this.scroll = byId(id);
		this.canvas = this.scroll.querySelector('canvas');
		this.room = this.scroll.querySelector('.room');
		this.upward = upward;
		this.boxes = [];
		this.listen();
	}

	show(of) {
		this.tree = of;
		this.chosen = hottest(of);
		this.view = {from: 0, to: 1};
		this.past = [];
		this.atEnd = this.upward;
	}

	/* The boxes that have room, and what is narrower than LEAST together. */
	layOut(width) {
		const of = this.tree, counts = of.width[measure], whole = counts[0] || 1;
		const scale = width / (this.view.to - this.view.from), boxes = this.boxes = [];
		const left = [{node: 0, at: 0}];
		let depth = 0;
		while (left.length) {
			const {node, at} = left.pop(), x = (at - this.view.from) * scale;
			const its = counts[node] / whole * scale;
			boxes.push({node, x, width: its, depth: of.depth[node]});
			depth = Math.max(depth, of.depth[node]);
			let from = at, rest = null;
			const list = of.callees(node);
			for (let i = 0; i < list.length; i++) {
				const part = counts[list[i]] / whole, start = (from - this.view.from) * scale;
				if (part * scale < LEAST) {
					rest ||= {rest: 0, count: 0, x: start, width: 0, depth: of.depth[node] + 1};
					rest.rest += counts[list[i]];
					rest.count += counts[list[i]] ? 1 : 0;
					rest.width += part * scale;
				} else {
					this.addRest(rest, width);
					rest = null;
					if (start < width && start + part * scale > 0)
						left.push({node: list[i], at: from});
				}
				from += part;
			}
			this.addRest(rest, width);
		}
		this.rows = depth + 1;
	}

	addRest(rest, width) {
		if (rest && rest.width >= LEAST && rest.x < width && rest.x + rest.width > 0)
			this.boxes.push(rest);
	}

	/* The height of a row: the more rows, the lower. */
	fit(height) {
		this.layOut(this.scroll.clientWidth);
		this.row = Math.max(LEAST_ROW, Math.min(MOST_ROW, Math.floor(height / this.rows)));
		this.room.style.height = `${this.rows * this.row}px`;
	}

	top(depth) {
		const room = Math.max(this.rows * this.row, this.upward ? this.scroll.clientHeight : 0);
		return (this.upward ? room - (depth + 1) * this.row : depth * this.row)
				- this.scroll.scrollTop;
	}

	draw() {
		if (this.atEnd) {
			this.scroll.scrollTop = this.scroll.scrollHeight;
			this.atEnd = false;
		}
		const width = this.scroll.clientWidth, height = this.scroll.clientHeight;
		const ratio = window.devicePixelRatio || 1, pen = this.canvas.getContext('2d');
		this.canvas.style.height = `${height}px`;
		this.canvas.width = width * ratio;
		this.canvas.height = height * ratio;
		pen.scale(ratio, ratio);
		pen.font = `${this.row > 20 ? 12 : 11}px ui-monospace, monospace`;
		pen.textBaseline = 'middle';
		const style = {
			pen,
			width,
			letter: pen.measureText('m').width,
			text: isDark() ? '#eef1f4' : '#1f2328',
			faint: isDark() ? '#8a929b' : '#7a828b',
			found: isDark() ? '#c08a1e' : '#ffc83d',
			stripes: stripes(pen, false),
			pale: stripes(pen, true)
		};
		for (const box of this.boxes) {
			const y = this.top(box.depth);
			if (y + this.row > 0 && y < height)
				this.drawBox(box, y, style);
		}
	}

	fill(box, style) {
		const fn = functions[this.tree.fn[box.node]], dim = Boolean(marked);
		if (marked && marked[this.tree.fn[box.node]])
			return style.found;
		if (data.compared)
			return grown(growth(this.tree, box.node));
		if (fn.kind === OFF_CPU)
			return dim ? style.pale : style.stripes;
		return colourOf(fn, dim);
	}

	drawBox(box, y, style) {
		const {pen} = style, x = Math.max(0, box.x);
		const end = Math.min(style.width, box.x + box.width);
		const its = Math.max(LEAST, end - x - (box.width > 3 ? 1 : 0));
		if (box.rest !== undefined) {
			pen.fillStyle = isDark() ? '#2a2f36' : '#eceff2';
			pen.fillRect(x, y, its, this.row - 1);
			return;
		}
		pen.fillStyle = this.fill(box, style);
		pen.fillRect(x, y, its, this.row - 1);
		if (box.node === this.chosen) {
			pen.lineWidth = 2;
			pen.strokeStyle = isDark() ? '#fff' : '#000';
			pen.strokeRect(x + 1, y + 1, Math.max(1, its - 2), this.row - 3);
		}
		const letters = Math.floor((its - 8) / style.letter);
		if (letters < 3)
			return;
		const dim = marked && !marked[this.tree.fn[box.node]];
		pen.fillStyle = dim ? style.faint : style.text;
		pen.fillText(this.text(box.node, letters), x + 4, y + this.row / 2);
	}

	/* A name that has room, and its share if that has room, too. */
	text(node, letters) {
		const name = nameOf(this.tree, node), counts = this.tree.all[measure];
		const more = `  ${share(counts[node], tree.all[measure][0])}`;
		if (name.length + more.length <= letters)
			return name + more;
		return shorten(name, letters);
	}

	boxAt(event) {
		const place = this.canvas.getBoundingClientRect();
		const x = event.clientX - place.left, y = event.clientY - place.top;
		return this.boxes.find(box => {
			const top = this.top(box.depth);
			return y >= top && y < top + this.row && x >= box.x && x < box.x + box.width;
		});
	}

	look(from, to) {
		const range = Math.min(1, Math.max(1e-12, to - from));
		const start = Math.max(0, Math.min(1 - range, (from + to - range) / 2));
		this.view = {from: start, to: start + range};
		draw();
	}

	zoomTo(node) {
		const range = this.tree.range(node);
		if (range.to > range.from) {
			this.past.push({...this.view});
			this.look(range.from, range.to);
		}
		this.reveal(node);
	}

	/* Back to what was seen before; false if there is nothing. */
	back() {
		const before = this.past.pop();
		if (before)
			this.look(before.from, before.to);
		return Boolean(before);
	}

	zoom(factor, part) {
		const {from, to} = this.view, range = (to - from) * factor;
		const x = part === undefined ? this.middle() : from + part * (to - from);
		const left = x - (x - from) * factor;
		this.look(left, left + range);
	}

	/* The middle of the chosen box, if it can be seen, or else of all. */
	middle() {
		const {from, to} = this.tree.range(this.chosen), at = (from + to) / 2;
		return at > this.view.from && at < this.view.to ? at : (this.view.from + this.view.to) / 2;
	}

	span() {
		return this.view.to - this.view.from;
	}

	move(part) {
		const by = part * (this.view.to - this.view.from);
		this.look(this.view.from + by, this.view.to + by);
	}

	choose(node) {
		active = this;
		this.chosen = node;
		showDetail();
		draw();
	}

	/* Scrolls to the row of a node. */
	reveal(node) {
		const y = this.top(this.tree.depth[node]);
		if (y < 0 || y + this.row > this.scroll.clientHeight)
			this.scroll.scrollTop += y - this.scroll.clientHeight / 2;
	}

	/* Chooses a node, and shows it at a width that can be seen. */
	goTo(node) {
		const {from, to} = this.tree.range(node), width = this.scroll.clientWidth;
		const wide = (to - from) / (this.view.to - this.view.from) * width >= SEEN;
		if (!wide || to <= this.view.from || from >= this.view.to) {
			let around = node;
			for (let up = this.tree.parent[node]; up >= 0; up = this.tree.parent[up]) {
				const range = this.tree.range(up);
				if ((to - from) / (range.to - range.from) * width < SEEN)
					break;
				around = up;
			}
			this.zoomTo(around);
		}
		this.choose(node);
		this.reveal(node);
	}

	/* To the caller, to the largest callee, or to the box beside. */
	step(key) {
		const of = this.tree, up = of.parent[this.chosen];
		const inward = this.upward ? 'ArrowUp' : 'ArrowDown';
		const outward = this.upward ? 'ArrowDown' : 'ArrowUp';
		const usable = list => list.filter(node => of.width[measure][node] > 0);
		let next;
		if (key === inward)
			next = usable(of.callees(this.chosen))
						   .reduce((best, node) => best === undefined
												   || of.width[measure][node]
														   > of.width[measure][best]
										   ? node
										   : best,
								   undefined);
		else if (key === outward)
			next = up >= 0 ? up : undefined;
		else if (up >= 0) {
			const row = usable(of.callees(up));
			next = row[row.indexOf(this.chosen) + (key === 'ArrowRight' ? 1 : -1)];
		}
		if (next !== undefined)
			this.goTo(next);
	}

	listen() {
		this.canvas.addEventListener('click', event => {
			const box = this.boxAt(event);
			if (!box)
				return;
			if (box.rest !== undefined)
				this.zoom(1 / 8,
						(event.clientX - this.canvas.getBoundingClientRect().left)
								/ this.canvas.clientWidth);
			else {
				this.choose(box.node);
				this.zoomTo(box.node);
			}
		});
		this.canvas.addEventListener('mousemove', event => {
			const box = this.boxAt(event);
			showTip(box && described(this, box), event.clientX, event.clientY);
		});
		this.canvas.addEventListener('mouseleave', () => showTip(''));
		this.canvas.addEventListener('focus', () => {
			active = this;
			showDetail();
		});
		this.canvas.addEventListener('wheel', event => {
			event.preventDefault();
			if (event.shiftKey) {
				this.scroll.scrollTop += event.deltaY || event.deltaX;
				return;
			}
			if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
				this.move(event.deltaX / 1000);
				return;
			}
			this.zoom(event.deltaY > 0 ? 1.3 : 1 / 1.3,
					(event.clientX - this.canvas.getBoundingClientRect().left)
							/ this.canvas.clientWidth);
		}, {passive: false});
		this.scroll.addEventListener('scroll', () => this.draw());
	}
}

/* Colours of functions: a hue for each module, shades tell its functions apart. */
const HUES = [27, 210, 140, 285, 340, 180, 95, 245];

function hash(text) {
	let value = 7;
	for (let i = 0; i < text.length; i++)
		value = value * 31 + text.charCodeAt(i) | 0;
	return Math.abs(value);
}

/*
 * The modules that cost most have hues of their own; where all is of one module, hues tell its
 * functions apart. What is of no module is grey.
 */
class Palette {
	constructor(functions, cost) {
		const costs = new Map();
		for (const fn of functions)
			if (fn.module)
				costs.set(fn.module, (costs.get(fn.module) || 0) + cost(fn));
		this.modules = [...costs].sort((a, b) => b[1] - a[1]).map(([module]) => module);
		this.known = new Map();
	}

	hue(fn) {
		const at = this.modules.indexOf(fn.module);
		return this.modules.length < 2 && at === 0 ? 15 + hash(fn.name) * 7 % 45
				: at < 0 || at >= HUES.length      ? null
												   : HUES[at];
	}

	colour(fn, dim) {
		const key = `${fn.name}\n${fn.module}\n${dim}${isDark()}`;
		let colour = this.known.get(key);
		if (!colour) {
			const hue = this.hue(fn), shade = hash(fn.name) % 5;
			const [strength, light] = isDark() ? [dim ? 12 : 42, (dim ? 22 : 30) + 2 * shade]
											   : [dim ? 25 : 72, (dim ? 93 : 84) - 2 * shade];
			colour = `hsl(${hue || 0} ${hue === null ? 4 : strength}% ${light}%)`;
			this.known.set(key, colour);
		}
		return colour;
	}
}

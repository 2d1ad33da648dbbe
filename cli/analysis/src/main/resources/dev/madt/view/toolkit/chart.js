/* Shows the chart, and what its marks are: by the pointer, or one after the other by keys. */
byId('title').textContent = document.title = data.title;
byId('chart').innerHTML = `<svg viewBox="0 0 ${data.width} ${
		data.height}" tabindex="0" role="img" aria-label="Chart">${data.body}</svg>`;

const marks = [...document.querySelectorAll('#chart title')].map(title => {
	const mark = title.parentNode;
	mark.dataset.tip = title.textContent;
	title.remove();
	return mark;
});
byId('facts').textContent = `${plural(marks.length, 'mark')}; arrow keys go from one to the next`;
let chosen = -1;

function choose(index) {
	if (marks[chosen])
		marks[chosen].classList.remove('chosen');
	chosen = Math.max(-1, Math.min(index, marks.length - 1));
	const mark = marks[chosen];
	if (!mark)
		return showTip('');
	mark.classList.add('chosen');
	const box = mark.getBoundingClientRect();
	showTip(mark.dataset.tip, box.right, box.top);
}

byId('chart').addEventListener('mousemove', event => {
	choose(-1);
	showTip(event.target.dataset.tip, event.clientX, event.clientY);
});
byId('chart').addEventListener('mouseleave', () => showTip(''));
listKeys([['← →', 'the mark before, the next one'], ['Home End', 'the first mark, the last one']],
		[['Esc', 'none'], ['l', 'light or dark'], ['?', 'these keys']]);
listenToKeys({
	ArrowRight: () => choose(chosen + 1),
	ArrowLeft: () => choose(Math.max(0, chosen - 1)),
	Home: () => choose(0),
	End: () => choose(marks.length - 1),
	Escape: () => choose(-1)
});

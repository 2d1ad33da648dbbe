const choice = document.getElementById('process'), frame = document.getElementById('page');

processes.forEach((process, index) => {
	const option = document.createElement('option');
	option.value = index;
	option.textContent = process.name;
	choice.append(option);
});
document.getElementById('count').textContent = `${processes.length} processes`;

/** Shows the process that the address of the page names, or else the first one. */
function show() {
	const asked = Number(location.hash.slice(1)) - 1, index = processes[asked] ? asked : 0;
	choice.value = index;
	const text = new Blob([processes[index].page], {type: 'text/html'});
	URL.revokeObjectURL(frame.src);
	frame.src = URL.createObjectURL(text);
}

choice.addEventListener('change', () => { location.hash = Number(choice.value) + 1; });
window.addEventListener('hashchange', show);
show();

"use strict";
// The script of a report. It uses only what the page contains: it loads nothing, and it never makes markup from text.

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

function make(tag, attributes, ...children) {
	const element = document.createElement(tag);
	for (const name in attributes) element.setAttribute(name, attributes[name]);
	element.append(...children);
	return element;
}

// Tables: the button in a heading sorts by its column. Numbers are compared by data-v, which is exact. Cells without a
// value follow those with one, and the row that sums up other rows is always the last.
function order(column, sign) {
	const value = row => row.cells[column].dataset.v ?? row.cells[column].textContent;
	return (a, b) => {
		const x = value(a), y = value(b);
		if (x === "" || y === "") return (x === "") - (y === "");
		return sign * (isNaN(x) || isNaN(y) ? x.localeCompare(y) : x - y);
	};
}

function sortBy(heading) {
	const body = heading.closest("table").tBodies[0], column = heading.cellIndex;
	const down = heading.hasAttribute("aria-sort") ? heading.getAttribute("aria-sort") === "ascending"
		: !heading.classList.contains("left");
	for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
	heading.setAttribute("aria-sort", down ? "descending" : "ascending");
	const [rest, rows] = [true, false].map(is => all("tr", body).filter(row => row.classList.contains("rest") === is));
	body.append(...rows.sort(order(column, down ? -1 : 1)), ...rest);
}

for (const heading of all("th")) {
	const button = make("button", { type: "button" }, ...heading.childNodes);
	button.addEventListener("click", () => sortBy(heading));
	heading.append(button);
}

// The search: only rows that contain all words are shown, and Enter goes to the first. A name that is cut is also
// searched in its title.
const words = row => [...all("td:not(.bar)", row).map(e => e.textContent), ...all("[title]", row).map(e => e.title)]
	.join(" ").toLowerCase();
const rows = all("table:not(details *) tbody tr").map(row => ({ row, words: words(row) }));

function search(text, status) {
	const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
	for (const r of rows) r.row.hidden = !wanted.every(word => r.words.includes(word));
	const n = rows.filter(r => !r.row.hidden).length;
	status.textContent = wanted.length ? `${n} ${n === 1 ? "row" : "rows"}` : "";
}

const nav = document.querySelector("nav");
if (nav && rows.length) {
	const input = make("input", { type: "search", placeholder: "Find in tables", "aria-label": "Find in tables",
		autocomplete: "off", spellcheck: "false" });
	const status = make("span", { role: "status" });
	input.addEventListener("input", () => search(input.value, status));
	input.addEventListener("keydown", event => {
		if (event.key === "Enter") rows.find(r => !r.row.hidden)?.row.scrollIntoView({ block: "center" });
	});
	nav.append(make("div", { class: "find", role: "search" }, input, status));
}

// Pictures: a click on a mark makes it as wide as the picture, and the button shows everything again. Areas, which have
// a viewBox, are as wide as the picture already; they would stretch a text.
function zoom(picture, on, left, width) {
	for (const { mark, title, x, wide } of picture.marks) {
		const from = Math.max((x - left) / width * 100, 0), to = Math.min((x + wide - left) / width * 100, 100);
		mark.toggleAttribute("hidden", to - from < .02);
		mark.setAttribute("x", from + "%");
		mark.setAttribute("width", Math.max(to - from, 0) + "%");
		const label = mark.querySelector("text");
		label?.classList.toggle("roomy", to - from < 9);
		if (!label && mark.localName === "svg" && to - from > 2.5) {
			const text = document.createElementNS(mark.namespaceURI, "text");
			text.setAttribute("x", 4);
			text.setAttribute("y", mark.getAttribute("height") / 2 + 4);
			text.textContent = title.split("\n")[0];
			mark.append(text);
		}
	}
	for (const time of picture.axis) time.toggleAttribute("hidden", width < 100);
	picture.button.hidden = width === 100;
	picture.status.textContent = on ? on.title.replace("\n", ", ") : "A click on a mark enlarges it.";
}

for (const place of all(".picture:not(:has([viewBox]))")) {
	const svg = place.querySelector("svg"), number = (mark, name) => parseFloat(mark.getAttribute(name) ?? 0);
	const picture = {
		button: make("button", { type: "button", hidden: "" }, "Show all"), status: make("span", { role: "status" }),
		axis: all(":scope > text[x]", svg), marks: all(":scope > :has(> title)", svg).map(mark =>
			({ mark, title: mark.querySelector("title").textContent, x: number(mark, "x"), wide: number(mark, "width") })),
	};
	svg.setAttribute("role", "group");
	for (const m of picture.marks.filter(m => m.mark.localName === "svg" && m.wide)) {
		const enlarge = () => zoom(picture, m.wide < 100 && m, m.x, m.wide);
		m.mark.classList.add("zooms");
		m.mark.addEventListener("click", enlarge);
		if (m.wide <= 2) continue;
		const label = m.mark.querySelector("text")?.textContent ?? "", title = m.title.replace("\n", ", ");
		m.mark.setAttribute("tabindex", 0);
		m.mark.setAttribute("role", "button");
		m.mark.setAttribute("aria-label", title.includes(label) ? title : `${label}: ${title}`);
		m.mark.addEventListener("keydown", event => { if (event.key === "Enter") enlarge(); });
	}
	zoom(picture, null, 0, 100);
	picture.button.addEventListener("click", () => zoom(picture, null, 0, 100));
	place.append(make("p", { class: "soft" }, picture.button, picture.status));
}

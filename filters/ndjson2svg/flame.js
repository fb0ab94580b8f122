"use strict";(() => {
const svg = document.currentScript.parentNode, ns = svg.namespaceURI;
const width = svg.viewBox.baseVal.width, margin = 16, full = width - 2 * margin;
const frames = [...svg.querySelectorAll('rect.m')].map(box => ({ box, x: +box.getAttribute('x'),
  y: +box.getAttribute('y'), w: +box.getAttribute('width'), tip: box.firstElementChild.textContent,
  name: box.firstElementChild.textContent.split('\n')[0],
  text: box.nextElementSibling && box.nextElementSibling.localName === 'text' &&
    box.nextElementSibling.classList.length && box.nextElementSibling.classList[0].startsWith('on-') ?
    box.nextElementSibling : null }));
const label = (frame, x, w) => {
  if (!frame.text) {
    frame.text = document.createElementNS(ns, 'text');
    frame.text.setAttribute('class', 'on-' + frame.box.classList[0]);
    frame.text.setAttribute('y', frame.y + 12.7);
    frame.box.after(frame.text);
  }
  const most = Math.floor((w - 6) / 7.3);
  frame.text.setAttribute('x', x + 3);
  frame.text.textContent = most < 3 ? '' : frame.name.length <= most ? frame.name :
    frame.name.slice(0, most - 1) + '\u2026';
};
const zoom = on => {
  for (const frame of frames) {
    const over = frame.y < on.y && frame.x <= on.x + .02 && frame.x + frame.w >= on.x + on.w - .02;
    const inside = frame.y >= on.y && frame.x >= on.x - .02 && frame.x + frame.w <= on.x + on.w + .02;
    const x = over ? margin : margin + (frame.x - on.x) / on.w * full, w = over ? full : frame.w / on.w * full;
    const visible = over || inside;
    frame.box.classList.toggle('off', !visible);
    if (visible) { frame.box.setAttribute('x', x); frame.box.setAttribute('width', Math.max(w - .5, .1)); }
    if (visible && (frame.text || w > 28)) label(frame, x, w);
    if (frame.text) frame.text.classList.toggle('off', !visible);
  }
};
const search = () => {
  const wanted = prompt('Regular expression of names:', '');
  if (wanted === null) return;
  let test; try { test = wanted ? new RegExp(wanted, 'i') : null; } catch { return; }
  const hits = frames.filter(frame => { const hit = test && test.test(frame.name);
    frame.box.classList.toggle('dim', !!test && !hit); return hit; });
  const above = (o, f) => o.y < f.y && o.x <= f.x + .02 && o.x + o.w >= f.x + f.w - .02;
  const sum = hits.filter(f => !hits.some(o => above(o, f))).reduce((all, f) => all + f.w, 0);
  button.textContent = test ? 'search: ' + (sum / full * 100).toFixed(1) + ' %' : 'search';
};
const button = document.createElementNS(ns, 'text');
button.setAttribute('class', 'soft click'); button.setAttribute('x', width - margin);
button.setAttribute('y', 26); button.setAttribute('text-anchor', 'end'); button.textContent = 'search';
svg.append(button);
button.addEventListener('click', search);
svg.addEventListener('click', event => {
  const frame = frames.find(f => f.box === event.target);
  if (frame) zoom(frame);
});
})();

/*
 * flame_script: the script of flame graphs. A click makes a frame as wide as the picture; a click on the first line
 * resets. A click on `search` asks for a regular expression, and marks the frames whose names match. The script
 * reads and changes only its own picture.
 */
#ifndef FLAME_SCRIPT_H
#define FLAME_SCRIPT_H

/* clang-format off */
static const char flame_script[] =
"<script><![CDATA[\"use strict\";(() => {\n"
"const svg = document.currentScript.parentNode, ns = svg.namespaceURI;\n"
"const width = svg.viewBox.baseVal.width, margin = 16, full = width - 2 * margin;\n"
"const frames = [...svg.querySelectorAll('rect.m')].map(box => ({ box, x: +box.getAttribute('x'),\n"
"  y: +box.getAttribute('y'), w: +box.getAttribute('width'), tip: box.firstElementChild.textContent,\n"
"  name: box.firstElementChild.textContent.split('\\n')[0],\n"
"  text: box.nextElementSibling && box.nextElementSibling.localName === 'text' &&\n"
"    box.nextElementSibling.classList.length && box.nextElementSibling.classList[0].startsWith('on-') ?\n"
"    box.nextElementSibling : null }));\n"
"const label = (frame, x, w) => {\n"
"  if (!frame.text) {\n"
"    frame.text = document.createElementNS(ns, 'text');\n"
"    frame.text.setAttribute('class', 'on-' + frame.box.classList[0]);\n"
"    frame.text.setAttribute('y', frame.y + 12.7);\n"
"    frame.box.after(frame.text);\n"
"  }\n"
"  const most = Math.floor((w - 6) / 7.3);\n"
"  frame.text.setAttribute('x', x + 3);\n"
"  frame.text.textContent = most < 3 ? '' : frame.name.length <= most ? frame.name :\n"
"    frame.name.slice(0, most - 1) + '\\u2026';\n"
"};\n"
"const zoom = on => {\n"
"  for (const frame of frames) {\n"
"    const over = frame.y < on.y && frame.x <= on.x + .02 && frame.x + frame.w >= on.x + on.w - .02;\n"
"    const inside = frame.y >= on.y && frame.x >= on.x - .02 && frame.x + frame.w <= on.x + on.w + .02;\n"
"    const x = over ? margin : margin + (frame.x - on.x) / on.w * full, w = over ? full : frame.w / on.w * full;\n"
"    const visible = over || inside;\n"
"    frame.box.classList.toggle('off', !visible);\n"
"    if (visible) { frame.box.setAttribute('x', x); frame.box.setAttribute('width', Math.max(w - .5, .1)); }\n"
"    if (visible && (frame.text || w > 28)) label(frame, x, w);\n"
"    if (frame.text) frame.text.classList.toggle('off', !visible);\n"
"  }\n"
"};\n"
"const search = () => {\n"
"  const wanted = prompt('Regular expression of names:', '');\n"
"  if (wanted === null) return;\n"
"  let test; try { test = wanted ? new RegExp(wanted, 'i') : null; } catch { return; }\n"
"  const hits = frames.filter(frame => { const hit = test && test.test(frame.name);\n"
"    frame.box.classList.toggle('dim', !!test && !hit); return hit; });\n"
"  const above = (o, f) => o.y < f.y && o.x <= f.x + .02 && o.x + o.w >= f.x + f.w - .02;\n"
"  const sum = hits.filter(f => !hits.some(o => above(o, f))).reduce((all, f) => all + f.w, 0);\n"
"  button.textContent = test ? 'search: ' + (sum / full * 100).toFixed(1) + ' %' : 'search';\n"
"};\n"
"const button = document.createElementNS(ns, 'text');\n"
"button.setAttribute('class', 'soft click'); button.setAttribute('x', width - margin);\n"
"button.setAttribute('y', 26); button.setAttribute('text-anchor', 'end'); button.textContent = 'search';\n"
"svg.append(button);\n"
"button.addEventListener('click', search);\n"
"svg.addEventListener('click', event => {\n"
"  const frame = frames.find(f => f.box === event.target);\n"
"  if (frame) zoom(frame);\n"
"});\n"
"})();]]></script>\n";
/* clang-format on */

#endif

// Areas of image maps. They have no box of their own, but lie on their image.

import { attr, offsetWidth, ownerOf, rectOf, viewOf } from './dom.js';
import { contentBox } from './frames.js';

const GRID = [0.5, 0.25, 0.75, 0.1, 0.9, 0.02, 0.98];
const MOST_AREA_POINTS = 60;

// areaPoints returns points to try for an area of image, in its own viewport: for a polygon first
// the centres of its corners, then the middle of the shape and points all over it. A hit test
// decides which of them are in the area, as an earlier area may cover them.
export function areaPoints(area, image, position) {
  const box = contentBox(image), view = viewOf(ownerOf(area)) ?? window;
  const scale = offsetWidth(image) > 0 ? rectOf(image).width / offsetWidth(image) : 1;
  const numbers = (attr(area, 'coords') ?? '').split(/[\s,;]+/).map(parseFloat).filter(Number.isFinite).map((n) => n * scale);
  const shape = areaShape(area, numbers), all = [];
  const [left, top, right, bottom] = shape ?? [0, 0, box.width, box.height];
  if (position) return [{ x: box.left + left + position.x, y: box.top + top + position.y }];
  if (/^poly/i.test(attr(area, 'shape') ?? '')) {
    for (let i = 0; i + 5 < numbers.length && i < MOST_AREA_POINTS; i += 2) { // centres of three successive corners
      all.push({ x: (numbers[i] + numbers[i + 2] + numbers[i + 4]) / 3, y: (numbers[i + 1] + numbers[i + 3] + numbers[i + 5]) / 3 });
    }
  }
  for (const y of GRID) for (const x of GRID) all.push({ x: left + x * (right - left), y: top + y * (bottom - top) });
  return all.filter((p) => p.x >= 0 && p.y >= 0 && p.x < box.width && p.y < box.height).map((p) => ({ x: box.left + p.x, y: box.top + p.y }))
    .filter((p) => p.x >= 0 && p.y >= 0 && p.x < view.innerWidth && p.y < view.innerHeight);
}

// areaShape returns the bounding box of an area within its image as [left, top, right, bottom], or
// null for the whole image.
function areaShape(area, n) {
  const shape = (attr(area, 'shape') ?? 'rect').toLowerCase();
  if (shape === 'default') return null;
  if (shape.startsWith('circ')) return n.length < 3 ? [0, 0, 0, 0] : [n[0] - n[2], n[1] - n[2], n[0] + n[2], n[1] + n[2]];
  const x = n.filter((_, i) => i % 2 === 0), y = n.filter((_, i) => i % 2 === 1);
  return n.length < 4 ? [0, 0, 0, 0] : [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)];
}

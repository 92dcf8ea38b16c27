/** A chart of horizontal bars on a logarithmic axis as SVG. Its colours follow the light or dark theme of the reader. */
const ROW = { bar: 9, gap: 7 };
const LEFT = 330;
const WIDTH = 960;
const TOP = 78;
const RIGHT = 70;

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .title { font-size: 17px; font-weight: 600; }
  .paper { fill: #ffffff; } .grid { stroke: #d1d9e0; } .base { stroke: #59636e; stroke-width: 1.5; }
  .value { font-size: 10px; fill: #59636e; }
  .s0 { fill: #0969da; } .s1 { fill: #bc4c00; } .s2 { fill: #1a7f37; } .s3 { fill: #8250df; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; } .value { fill: #9198a1; }
    .paper { fill: #0d1117; } .grid { stroke: #3d444d; } .base { stroke: #9198a1; }
    .s0 { fill: #4493f8; } .s1 { fill: #f0883e; } .s2 { fill: #3fb950; } .s3 { fill: #ab7df8; }
  }`;
const COLOURS = 4;

/**
 * `series`: `{ name, values }`, a Map of row names and numbers above 0 each; rows have the order of their first appearance.
 * `from`: where bars begin, to either side; by default the left end of the axis.
 */
export function barChart({ title, axis, from, series }) {
  const rows = [...new Set(series.flatMap(({ values }) => [...values.keys()]))];
  const numbers = series.flatMap(({ values }) => [...values.values()]).filter((value) => value > 0);
  if (from !== undefined) numbers.push(from);
  const least = 10 ** Math.floor(Math.log10(Math.min(...numbers, ...(numbers.length === 0 ? [1] : []))));
  const most = Math.max(Math.max(...numbers, ...(numbers.length === 0 ? [1] : [])), least * 10);
  const x = (value) => LEFT + (Math.log10(value / least) * (WIDTH - LEFT - RIGHT)) / Math.log10(most / least);
  const rowHeight = series.length * ROW.bar + ROW.gap;
  const bottom = TOP + rows.length * rowHeight;

  const ticks = ticksBetween(least, most).map(
    (value) =>
      `<line class="grid" x1="${at(x(value))}" x2="${at(x(value))}" y1="${TOP - 6}" y2="${bottom}"/>` +
      `<text x="${at(x(value))}" y="${bottom + 18}" text-anchor="middle">${value}</text>`,
  );
  const bars = rows.flatMap((row, index) => {
    const y = TOP + index * rowHeight;
    const label = `<text x="${LEFT - 8}" y="${at(y + (series.length * ROW.bar) / 2 + 4)}" text-anchor="end">${escape(row)}</text>`;
    return [label, ...series.map(({ values }, number) => bar(values.get(row), number, y + number * ROW.bar))];
  });
  function bar(value, number, y) {
    if (!(value > 0)) return '';
    const [start, end] = [x(from ?? least), x(value)].sort((a, b) => a - b);
    const text = `<text class="value" x="${at(end + 4)}" y="${at(y + ROW.bar - 1)}">${value.toPrecision(value < 100 ? 2 : 3)}</text>`;
    return (
      `<rect class="s${number % COLOURS}" x="${at(start)}" y="${at(y)}" width="${at(Math.max(1, end - start))}" height="${ROW.bar - 1}"/>` +
      text
    );
  }
  const legend = series.map(({ name }, number) => {
    const left = LEFT + number * 150;
    return `<rect class="s${number % COLOURS}" x="${left}" y="44" width="12" height="12"/><text x="${left + 18}" y="55">${escape(name)}</text>`;
  });
  const base =
    from === undefined
      ? []
      : [`<line class="base" x1="${at(x(from))}" x2="${at(x(from))}" y1="${TOP - 6}" y2="${bottom}"/>`];
  const height = bottom + 52;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title axis">`,
    `<style>${STYLE}\n</style>`,
    `<rect class="paper" width="${WIDTH}" height="${height}"/>`,
    `<text class="title" id="title" x="16" y="28">${escape(title)}</text>`,
    ...legend,
    ...ticks,
    ...bars,
    ...base,
    `<text id="axis" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${bottom + 40}" text-anchor="middle">${escape(axis)}</text>`,
    '</svg>',
    '',
  ].join('\n');
}

/** 1, 2 and 5 of each power of ten, or only powers of ten if there would be too many. */
function ticksBetween(least, most) {
  const ticks = [];
  const steps = most / least > 1e4 ? [1] : [1, 2, 5];
  for (let power = Math.floor(Math.log10(least)); 10 ** power <= most; power++)
    for (const step of steps) {
      const value = Number((step * 10 ** power).toPrecision(1));
      if (value >= least && value <= most) ticks.push(value);
    }
  return ticks;
}

const at = (value) => Number(value.toFixed(1));
const escape = (text) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

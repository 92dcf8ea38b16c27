/** Writes report.json, report.md and report.svg from the measurement files of a folder. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { barChart } from './bar-chart.mjs';
import { answered, figuresOf, growthOf, queryRatios } from './figures.mjs';
import { markdownOf } from './markdown.mjs';

const KINDS = ['ours', 'reference', 'url'];

/** Returns the Markdown. */
export async function writeReport(directory) {
  const report = reportOf(await measurementsIn(directory));
  const markdown = markdownOf(report);
  await writeFile(join(directory, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(join(directory, 'report.md'), markdown);
  await writeFile(join(directory, 'report.svg'), barChart(chartOf(report)));
  return markdown;
}

async function measurementsIn(directory) {
  const found = { measurements: [], appends: undefined };
  for (const file of (await readdir(directory)).filter((name) => name.endsWith('.json')).sort()) {
    const content = JSON.parse(await readFile(join(directory, file), 'utf8'));
    if (file === 'appends.json') found.appends = content;
    else if (content.side !== undefined && content.size !== undefined) found.measurements.push(content);
  }
  return found;
}

/** Sizes from the smallest to the largest, then documents. The first side is compared with the second one. */
function reportOf({ measurements, appends }) {
  const labels = [...new Set(measurements.map(({ size }) => size.label))];
  const rank = (label) => measurements.find(({ size }) => size.label === label).size.nodes ?? Infinity;
  const sizes = labels
    .sort((a, b) => rank(a) - rank(b))
    .map((label) => {
      const sides = measurements
        .filter(({ size }) => size.label === label)
        .sort(
          (a, b) => KINDS.indexOf(a.side.kind) - KINDS.indexOf(b.side.kind) || (a.side.name < b.side.name ? -1 : 1),
        );
      const [ours, other] = sides;
      return {
        label,
        sides,
        figures: figuresOf(ours, other),
        ratios: other === undefined ? [] : queryRatios(ours, other),
      };
    });
  const ours = sizes.filter(({ sides, label }) => sides[0].side.kind === 'ours' && label !== 'documents');
  const [small, large] = [ours[0], ours.at(-1)].map((size) => size?.sides[0]);
  const growth =
    ours.length < 2 ? undefined : { from: small.size.label, to: large.size.label, queries: growthOf(small, large) };
  return { sizes, growth, appends };
}

/** Returns ratios if two sides were measured, otherwise the times of the only side. */
function chartOf({ sizes }) {
  const compared = sizes.filter(({ sides }) => sides.length > 1);
  if (compared.length === 0) {
    return {
      title: `Queries of ${sizes[0]?.sides[0].side.name ?? 'nothing'}, p50`,
      axis: 'milliseconds, logarithmic; shorter is faster',
      series: sizes.map(({ label, sides }) => ({
        name: words(label),
        values: new Map(answered(sides[0]).map(({ query, p50 }) => [query, p50])),
      })),
    };
  }
  const [{ sides }] = compared;
  const [ours, other] = sides.map(({ side }) => side.name);
  return {
    title: `${ours} beside ${other}`,
    axis: `ratio, logarithmic; above 1 ${ours} is better`,
    from: 1,
    series: compared.map(({ label, figures, ratios }) => ({
      name: words(label),
      values: new Map([
        ...figures
          .filter(
            ({ measure, ratio }) =>
              ratio !== undefined && /^(first load|steady): (commands\/s until|processor)/.test(measure),
          )
          .map(({ measure, ratio }) => [measure, ratio]),
        ...ratios.map(({ query, ratio }) => [query, ratio]),
      ]),
    })),
  };
}

const words = (label) => label.replace('-', ' ');

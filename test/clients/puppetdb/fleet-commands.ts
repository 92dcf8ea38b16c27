import { Fleet } from '#fleet';
import type { SiteCommand } from '../dashboards/site-commands';

/** PuppetDB 7 cannot anonymize larger integers, and its archive then ends before the first facts (docs/archives.md). */
const largestInteger = 2_147_483_647;
const withoutLargerIntegers = (facts: string): string =>
  facts.replaceAll(/(?<=[[:,]\s*)\d{10,}(?=\s*[,}\]])/g, (integer) =>
    Number(integer) > largestInteger ? String(largestInteger) : integer,
  );

/**
 * The commands of a simulated fleet. Submit them one after the other and wait for each: PuppetDB 7 fails to apply a document if
 * a newer one of the node is in its queue, and tries it again only minutes later.
 */
export function fleetCommands(machines: number, runs: number): SiteCommand[] {
  const fleet = new Fleet('archives');
  const startTime = new Date('2025-03-01T00:00:00Z');
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, place) => place);
  return upTo(runs)
    .flatMap((run) => upTo(machines).map((node) => fleet.run(node, run, { startTime })))
    .flatMap(({ facts, catalog, report }) => [
      { ...facts, text: withoutLargerIntegers(facts.text) },
      ...[catalog, report],
    ])
    .map(({ command, version, certname, text: body }) => ({ command, version, certname, body }));
}

import { excerpt } from '#fault';
import { type AstJson, isList, refusedParameter, type RequestParameters } from '#query';

export function readTexts(parameters: RequestParameters, name: string, most: number): readonly string[] {
  const value = parameters.json(name);
  if (value === undefined) return [];
  if (!isList(value) || !value.every(isText))
    throw refusedParameter(`${name} is a JSON list of texts, such as ["role","os.name"].`);
  if (value.length > most) throw refusedParameter(`${name} has ${value.length} texts; at most ${most} are allowed.`);
  return value;
}

const isText = (value: AstJson): value is string => typeof value === 'string';

/** Reads a duration such as `2h` as milliseconds. */
export function readDurationOf(
  parameters: RequestParameters,
  name: string,
  { absent, least, most }: { absent: string; least: string; most: string },
): number {
  const text = parameters.text(name) ?? absent;
  const value = durationMs(text);
  if (value === undefined || value < durationMs(least)! || value > durationMs(most)!)
    throw refusedParameter(
      `${name} is a duration from ${least} to ${most}, such as ${absent}, not '${excerpt(text)}'.`,
    );
  return value;
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function durationMs(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * unitMs[unit as keyof typeof unitMs];
}

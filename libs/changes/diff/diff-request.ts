import { excerpt } from '#fault';
import type { Limits } from '#limits';
import { readMoment, readParameters, refusedParameter, type RequestParameters } from '#query';
import type { DiffPart } from './diff-part';
import { diffParts } from './diff-parts';
import type { SideRequest } from './side';

export const diffFormats = ['json', 'json-patch', 'text'] as const;
export type DiffFormat = (typeof diffFormats)[number];

export interface DiffRequest {
  readonly a: SideRequest;
  readonly b: SideRequest;
  readonly parts: readonly DiffPart[];
  readonly format: DiffFormat;
}

/** Throws `query.parameter`, `query.as-of` or `http.limit`. */
export function readDiffRequest(url: string, limits: Limits): DiffRequest {
  const parameters = readParameters(url, ['a', 'b', 'part', 'format'], limits);
  const a = readSide(parameters, 'a');
  if (a === undefined) throw refusedParameter(`a is missing. ${sideForm}`);
  return {
    a,
    b: readSide(parameters, 'b') ?? { certname: a.certname },
    parts: readParts(parameters, diffParts),
    format: readDiffFormat(parameters),
  };
}

const sideForm = 'Give a certname, and a moment after an @ if it is not now: web1.example.com@yesterday.';

function readSide(parameters: RequestParameters, name: string): SideRequest | undefined {
  const text = parameters.text(name);
  if (text === undefined) return undefined;
  const at = text.indexOf('@');
  const certname = at < 0 ? text : text.slice(0, at);
  if (certname === '') throw refusedParameter(`${name} names no node. ${sideForm}`);
  return { certname, moment: at < 0 ? undefined : readMoment(text.slice(at + 1)) };
}

export function readParts<P extends { readonly name: string }>(
  parameters: RequestParameters,
  parts: readonly P[],
): readonly P[] {
  const names = parameters.text('part')?.split(',');
  if (names === undefined) return parts;
  const unknown = names.find((name) => !parts.some((part) => part.name === name));
  if (unknown !== undefined)
    throw refusedParameter(
      `There is no part '${excerpt(unknown)}'.`,
      `Parts are ${parts.map(({ name }) => name).join(', ')}. Commas separate several parts.`,
    );
  return parts.filter(({ name }) => names.includes(name));
}

export function readDiffFormat(parameters: RequestParameters): DiffFormat {
  const text = parameters.text('format') ?? 'json';
  const format = diffFormats.find((one) => one === text);
  if (format === undefined) throw refusedParameter(`format is ${diffFormats.join(', ')}, not '${excerpt(text)}'.`);
  return format;
}

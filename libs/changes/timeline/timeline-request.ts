import { excerpt } from '#fault';
import type { Limits } from '#limits';
import {
  isList,
  type Moment,
  NumberText,
  parseAst,
  readFactPath,
  readMoment,
  readNumber,
  readParameters,
  refusedParameter,
  type RequestParameters,
} from '#query';
import type { Focus } from './focus';
import { type TimelineKind, timelineKinds } from './timeline-entry';

export const mostEntries = 200;

export interface PageEnd {
  readonly receivedAt: string;
  readonly partition: string;
  readonly offset: string;
  readonly node: string;
  readonly kind: string;
}

export interface TimelineRequest {
  readonly certname?: string | undefined;
  readonly kinds?: readonly TimelineKind[] | undefined;
  readonly statuses?: readonly string[] | undefined;
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
  readonly focus?: Focus | undefined;
  readonly limit: number;
  readonly after?: PageEnd | undefined;
}

export const timelineParameters = [
  'certname',
  'kind',
  'status',
  'from',
  'to',
  'path',
  'resource',
  'package',
  'limit',
  'after',
] as const;

/** Throws `query.parameter`, `query.as-of`, `query.limit` or `http.limit`. */
export function readTimelineRequest(url: string, limits: Limits): TimelineRequest {
  const parameters = readParameters(url, timelineParameters, limits);
  return {
    certname: parameters.text('certname'),
    kinds: readKinds(parameters.text('kind')),
    statuses: parameters.text('status')?.split(','),
    from: readTime(parameters, 'from'),
    to: readTime(parameters, 'to'),
    focus: readFocus(parameters, limits),
    limit: readNumber(parameters, 'limit', { absent: 50, most: mostEntries }),
    after: readAfter(parameters.text('after'), limits),
  };
}

function readKinds(text: string | undefined): readonly TimelineKind[] | undefined {
  return text?.split(',').map((name) => {
    const kind = timelineKinds.find((one) => one === name);
    if (kind === undefined)
      throw refusedParameter(`There is no kind '${excerpt(name)}'.`, `Kinds are ${timelineKinds.join(', ')}.`);
    return kind;
  });
}

function readTime(parameters: RequestParameters, name: string): Moment | undefined {
  const text = parameters.text(name);
  const moment = text === undefined ? undefined : readMoment(text);
  if (moment?.kind === 'positions') throw refusedParameter(`${name} is a time, and not positions of the log.`);
  return moment;
}

function readFocus(parameters: RequestParameters, limits: Limits): Focus | undefined {
  const given = (['path', 'resource', 'package'] as const).filter((name) => parameters.has(name));
  if (given.length > 1) throw refusedParameter(`Give ${given.join(' or ')}, not both.`);
  const [name] = given;
  const text = name === undefined ? '' : (parameters.text(name) ?? '');
  switch (name) {
    case undefined:
      return undefined;
    case 'path':
      return { kind: 'path', path: readFactPath(text, limits) };
    case 'resource': {
      const [, type, title] = /^([^[]+)\[(.+)\]$/s.exec(text) ?? [];
      if (type === undefined || title === undefined)
        throw refusedParameter(`'${excerpt(text)}' is not a resource such as File[/etc/motd].`);
      return { kind: 'resource', type, title };
    }
    case 'package':
      if (text === '') throw refusedParameter('package names no package.');
      return { kind: 'package', name: text };
  }
}

export const writeAfter = ({ receivedAt, partition, offset, node, kind }: PageEnd): string =>
  JSON.stringify([receivedAt, Number(partition), Number(offset), node, kind]);

function readAfter(text: string | undefined, limits: Limits): PageEnd | undefined {
  if (text === undefined) return undefined;
  const key = text.startsWith('[') && text.length <= 200 ? parseAst(text, limits) : undefined;
  if (isList(key)) {
    const [receivedAt, partition, offset, node, kind] = key.map((one) =>
      one instanceof NumberText ? one.text : typeof one === 'string' ? one : '',
    ) as [string, string, string, string, string];
    if (
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(receivedAt) &&
      !Number.isNaN(Date.parse(receivedAt)) &&
      [partition, offset].every((one) => /^\d{1,15}$/.test(one)) &&
      /^-?\d{1,19}$/.test(node) &&
      BigInt.asIntN(64, BigInt(node)) === BigInt(node) &&
      timelineKinds.some((one) => one === kind)
    )
      return { receivedAt, partition, offset, node, kind };
  }
  throw refusedParameter('after is not the key `next` of an answer with the same parameters.');
}

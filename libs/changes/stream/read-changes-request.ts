import { excerpt, Fault } from '#fault';
import type { FastifyRequest } from '#http';
import type { Limits } from '#limits';
import { type AstJson, type Moment, readMoment, readParameters, refusedParameter } from '#query';
import { type ChangeFilter, readChangeFilter } from '../filter/change-filter';
import { readPosition, type StreamPosition } from './stream-position';

export interface ChangesRequest {
  readonly begin: { readonly position: StreamPosition } | { readonly moment: Moment } | undefined;
  readonly filter: ChangeFilter;
  readonly query: AstJson | undefined;
  readonly follows: boolean;
}

export const changesParameters = [
  'kind',
  'certname',
  'environment',
  'query',
  'since',
  'last_event_id',
  'follow',
] as const;

/**
 * If a request contains a position and `since`, the position counts. When a browser connects again, it repeats the URL
 * with `since`, and adds the position as a header. Throws `http.limit`, `query.parameter`, `query.as-of`, `query.json`,
 * `changes.filter` or `changes.position`.
 */
export function readChangesRequest({ url, headers }: FastifyRequest, limits: Limits): ChangesRequest {
  const parameters = readParameters(url, changesParameters, limits);
  const list = (name: string): readonly string[] | undefined => parameters.text(name)?.split(',');
  const lists = { kinds: list('kind'), certnames: list('certname'), environments: list('environment') };
  const follow = parameters.text('follow') ?? 'true';
  if (follow !== 'true' && follow !== 'false')
    throw refusedParameter(`follow is true or false, not '${excerpt(follow)}'.`);
  const given = headers['last-event-id'];
  const position = typeof given === 'string' && given !== '' ? given : parameters.text('last_event_id');
  const since = parameters.text('since');
  return {
    begin:
      position !== undefined
        ? { position: requirePosition(position) }
        : since !== undefined
          ? { moment: readMoment(since) }
          : undefined,
    filter: readChangeFilter(Object.fromEntries(Object.entries(lists).filter(([, values]) => values !== undefined))),
    query: parameters.json('query'),
    follows: follow === 'true',
  };
}

function requirePosition(text: string): StreamPosition {
  const position = readPosition(text);
  if (position !== undefined) return position;
  throw new Fault('malformed', 'changes.position', `Last-Event-ID is not the id of an event: '${excerpt(text)}'.`, {
    hint: 'Send the id of the last event unchanged, or give since.',
  });
}

import { isUtf8 } from 'node:buffer';
import { excerpt, Fault, isMap } from '#fault';
import { Clean, cleanEverything, type CleanRequest } from '../clean/clean';
import { DeleteNode } from '../delete-node/delete-node';

export const cleanOperations = [
  'expire_nodes',
  'purge_nodes',
  'purge_reports',
  'purge_resource_events',
  'gc_packages',
  'gc_catalogs',
  'gc_fact_paths',
  'other',
] as const;

class Wrong extends Error {}

/** Throws `admin.invalid` (malformed), whose message contains the beginning of the body. */
export function readAdminCommand(body: Buffer): Clean | DeleteNode {
  const text = body.toString('utf8');
  try {
    if (!isUtf8(body)) throw new Wrong('it is not UTF-8');
    return readText(text);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    throw new Fault('malformed', 'admin.invalid', `Invalid command ${JSON.stringify(excerpt(text))}: ${error.message}`);
  }
}

function readText(text: string): Clean | DeleteNode {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Wrong('it is not JSON');
  }
  if (!isMap(parsed)) throw new Wrong('it must be a JSON map of command, version and payload');
  const { command, version, payload, ...others } = parsed;
  const [other] = Object.keys(others);
  if (command !== 'clean' && command !== 'delete') throw new Wrong("command must be 'clean' or 'delete'");
  if (version !== 1) throw new Wrong(`version of ${command} must be 1`);
  if (other !== undefined) throw new Wrong(`there is no member ${JSON.stringify(excerpt(other))}`);
  return command === 'clean' ? new Clean(readClean(payload), 'exact') : new DeleteNode(readDelete(payload));
}

function readClean(payload: unknown): CleanRequest {
  // Some clients send null instead of an empty array.
  if (payload === null) return cleanEverything;
  if (!Array.isArray(payload)) throw new Wrong(`payload must be an array of ${cleanOperations.join(', ')}`);
  if (payload.length === 0) return cleanEverything;
  const names = new Set<unknown>();
  let limit: number | undefined;
  for (const operation of payload as unknown[]) {
    const [name, settings] = Array.isArray(operation) ? (operation as unknown[]) : [operation, undefined];
    if (typeof name !== 'string' || !(cleanOperations as readonly string[]).includes(name)) {
      throw new Wrong(
        `there is no operation ${excerpt(String(JSON.stringify(name)))}, only ${cleanOperations.join(', ')}`,
      );
    }
    if (Array.isArray(operation)) {
      if (name !== 'purge_nodes' || operation.length !== 2) {
        throw new Wrong('only purge_nodes may be a pair, with a map of batch_limit');
      }
      limit = readBatchLimit(settings);
    }
    names.add(name);
  }
  const purgeNodes = limit === undefined ? {} : { limit };
  return {
    expireNodes: names.has('expire_nodes'),
    purgeNodes: names.has('purge_nodes') ? purgeNodes : undefined,
    purgeReports: names.has('purge_reports'),
    purgeEvents: names.has('purge_reports') || names.has('purge_resource_events'),
    collectPackages: names.has('gc_packages'),
    collectResources: names.has('gc_catalogs'),
    collectPaths: names.has('gc_fact_paths'),
    collectOther: names.has('other'),
  };
}

function readBatchLimit(settings: unknown): number {
  const limit = isMap(settings) && Object.keys(settings).length === 1 ? settings['batch_limit'] : undefined;
  if (typeof limit !== 'number' || !Number.isSafeInteger(limit)) {
    throw new Wrong('the second member of a purge_nodes pair must be a map of batch_limit, an integer');
  }
  return Math.max(0, limit);
}

// U+0000 and unpaired surrogates. The log cannot store these characters, so no node has them in its name.
const unstorable = /[\0\ud800-\udfff]/u;

function readDelete(payload: unknown): string {
  const certname = isMap(payload) && Object.keys(payload).length === 1 ? payload['certname'] : undefined;
  if (typeof certname !== 'string') throw new Wrong('payload must be a map of certname, a string');
  if (unstorable.test(certname)) throw new Wrong('certname must not contain U+0000 or half a surrogate pair');
  return certname;
}

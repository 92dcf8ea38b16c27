import { lookup } from 'node:dns/promises';

export type ResolveHost = (host: string) => Promise<readonly string[]>;

/**
 * Largest number of lookups at the same time. A lookup occupies a thread of a pool that file access and compression
 * need too. If the name server does not answer, the lookup occupies this thread for many seconds.
 */
const mostLookups = 2;

export function systemResolver(find: ResolveHost = findAddresses): ResolveHost {
  const underWay = new Map<string, Promise<readonly string[]>>();
  const waiting: (() => void)[] = [];
  let running = 0;
  const inTurn = async (host: string): Promise<readonly string[]> => {
    if (running >= mostLookups) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await find(host);
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
  return (host) => {
    const found = underWay.get(host) ?? inTurn(host).finally(() => underWay.delete(host));
    underWay.set(host, found);
    return found;
  };
}

const findAddresses: ResolveHost = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Returns free loopback ports below the range of outgoing connections. The system could give a port of that range to
 * another connection while a server restarts.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  for (let tries = 0; ports.size < count; tries += 1) {
    if (tries > 200) throw new Error('no free ports between 20000 and 32000 on 127.0.0.1');
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { excerpt, Fault } from '#fault';
import type { WireCommand } from './documents';
import type { Peer } from './peer';

const compress = promisify(gzip);
const positionHeader = 'x-nodeledger-position';
const mostWaits = 360;
/** Statuses with which the target refuses a single command. After any other error, the copy ends. */
const itsOwn = [400, 413];

export class Submitter {
  submitted = 0;
  /** Newest position of a submitted command in each partition of the target's log. */
  private readonly positions = new Map<number, number>();

  constructor(private readonly peer: Peer) {}

  /** Returns the reason why the target refuses the command, or undefined if the target accepts it. */
  async submit({ command, version, certname, payload }: WireCommand): Promise<string | undefined> {
    const plain = Buffer.from(payload, 'utf8');
    const body = await compress(plain, { level: 1 });
    const parameters = new URLSearchParams({
      command: command.replaceAll(' ', '_'),
      version: String(version),
      certname,
    });
    const answer = await this.peer.ask({
      method: 'POST',
      path: `/pdb/cmd/v1?${parameters}`,
      headers: {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': body.length,
        'x-uncompressed-length': plain.length,
      },
      body,
      accepts: itsOwn,
    });
    if (answer.status !== 200) return `${answer.status}: ${excerpt(answer.body.toString('utf8', 0, 1_000))}`;
    this.submitted += 1;
    const [partition, offset] = String(answer.headers[positionHeader] ?? '')
      .split('-')
      .map(Number);
    if (partition !== undefined && offset !== undefined && Number.isInteger(partition) && Number.isInteger(offset)) {
      this.positions.set(partition, Math.max(offset, this.positions.get(partition) ?? 0));
    }
    return undefined;
  }

  /** Waits until queries to the target show all submitted commands. Throws `migrate.unreachable` after an hour. */
  async shown(onWait: () => void): Promise<void> {
    if (this.positions.size === 0) return;
    const wanted = [...this.positions].map((position) => position.join('-')).join(',');
    for (let wait = 0; wait < mostWaits; wait++) {
      const answer = await this.peer.ask({
        method: 'GET',
        path: '/pdb/query/v4/environments?limit=1',
        headers: { 'x-nodeledger-wait-for': wanted },
        accepts: [504],
      });
      if (answer.status === 200) return;
      onWait();
    }
    throw new Fault('busy', 'migrate.unreachable', 'the target has not applied what was submitted within an hour', {
      hint: 'See whether it projects (its status and its log). Then run the same command again: only the comparison is left.',
    });
  }
}

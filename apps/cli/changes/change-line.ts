import { onOneLine } from '../on-one-line';
import { paint } from '../paint';

interface ChangeEvent {
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly data: {
    readonly status?: string | null;
    readonly environment?: string | null;
    readonly added?: number;
    readonly changed?: number;
    readonly removed?: number;
  };
}

const kindWidth = 12;

export function changeLine(event: string): string {
  const { type, subject, time, data } = JSON.parse(event) as ChangeEvent;
  const kind = type.replace(/^nodeledger\./, '');
  const counts = [
    ['added', data.added],
    ['changed', data.changed],
    ['removed', data.removed],
  ].flatMap(([what, count]) => (typeof count === 'number' && count > 0 ? [`${count} ${what}`] : []));
  const status = typeof data.status === 'string' ? [paint(onOneLine(data.status))] : [];
  const said = [...status, counts.join(', '), data.environment ?? ''].filter((part) => part !== '');
  const words = [time.replace('T', ' ').replace(/\.\d+Z$/, ''), kind.padEnd(kindWidth), onOneLine(subject)];
  return `${[...words, ...said.map((part, at) => (at < status.length ? part : onOneLine(part)))].join('  ').trimEnd()}\n`;
}

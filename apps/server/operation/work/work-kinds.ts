import { join } from 'node:path';
import { excerpt, Fault, isMap } from '#fault';

interface WorkKind {
  /** Returns the words of the command line. The work may write files into `directory` only. */
  readonly words: (directory: string, started: Date) => readonly string[];
  readonly writes?: true;
}

const kinds = {
  verify: { words: () => ['verify'] },
  rebuild: { words: () => ['rebuild'] },
  snapshot: { words: () => ['snapshot', '--yes'] },
  backup: { words: (directory) => ['backup', join(directory, 'backup')], writes: true },
  export: { words: (directory, started) => ['export', join(directory, exportName(started))], writes: true },
} as const satisfies Readonly<Record<string, WorkKind>>;

/**
 * The name contains the start time, such as `export-20261125T211530Z.tgz`, so that no export replaces an earlier one.
 */
const exportName = (started: Date): string => `export-${started.toISOString().replace(/[-:]|\.\d+/g, '')}.tgz`;

export type WorkName = keyof typeof kinds;
/** What a rebuild does with the tables of an unfinished rebuild. Without a choice, the rebuild refuses to start. */
export const choices = ['resume', 'restart'] as const;

export const workKinds: Readonly<Record<WorkName, WorkKind>> = kinds;
export const workNames = Object.keys(kinds) as WorkName[];

export interface WorkRequest {
  readonly kind: WorkName;
  readonly unfinished?: (typeof choices)[number];
}

const isOneOf = <T extends string>(value: unknown, texts: readonly T[]): value is T =>
  (texts as readonly unknown[]).includes(value);

/** Parses a body such as `{"kind": "rebuild", "unfinished": "resume"}`. Throws `operation.work-request`. */
export function readWorkRequest(text: string): WorkRequest {
  const { kind, unfinished, ...others } = readMap(text);
  const [other] = Object.keys(others);
  if (other !== undefined) throw wrong(`There is no member ${JSON.stringify(excerpt(other))}.`);
  if (!isOneOf(kind, workNames)) throw wrong(`kind must be one of ${workNames.join(', ')}.`);
  if (unfinished === undefined) return { kind };
  if (kind !== 'rebuild' || !isOneOf(unfinished, choices))
    throw wrong(`unfinished must be ${choices.join(' or ')}, with the kind rebuild.`);
  return { kind, unfinished };
}

function readMap(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isMap(value)) return value;
  } catch {
    // The fault below shows the expected form.
  }
  throw wrong('The body must be a JSON map, such as {"kind": "verify"}.');
}

const wrong = (message: string): Fault => new Fault('malformed', 'operation.work-request', message);

import { dotted } from '../parts/fact-path';
import type { Tone } from '../parts/status';
import { counted } from '../parts/text';
import type { EntryChange, TimelineEntry } from '../service/shapes';

export const timelinePath = 'nodeledger/v1/timeline';

const tones: Readonly<Partial<Record<string, Tone>>> = {
  failed: 'failed',
  unchanged: 'unchanged',
  deactivated: 'stale',
  expired: 'stale',
  returned: 'good',
  'node.deleted': 'stale',
};

export const entryTone = ({ kind, status }: TimelineEntry): Tone => tones[status ?? kind] ?? 'changed';

export const isQuiet = ({ kind, status }: TimelineEntry): boolean => kind === 'report' && status === 'unchanged';

const names: Readonly<Record<TimelineEntry['kind'], string>> = {
  facts: 'Facts',
  packages: 'Packages',
  catalog: 'Catalog',
  report: 'Run changed resources',
  deactivated: 'Deactivated',
  expired: 'Expired',
  returned: 'Returned',
  'node.deleted': 'Deleted',
};

export function entryWords(entry: TimelineEntry): { readonly name: string; readonly note: string } {
  const { kind, status, seen_count: count, changes, added, changed, removed } = entry;
  if (isQuiet(entry)) return { name: counted(count, 'unchanged run'), note: '' };
  if (kind === 'report')
    return {
      name: status === 'failed' ? 'Run failed' : names[kind],
      note: changed === 0 ? '' : counted(changed, 'event'),
    };
  const counts = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'removed'],
  ] as const;
  const noun = kind === 'catalog' ? ' resource' : kind === 'packages' ? ' package' : kind === 'facts' ? ' fact' : '';
  const parts = counts
    .filter(([figure]) => figure > 0)
    .map(([figure, word], index) => `${index === 0 ? counted(figure, noun.trim()) : figure} ${word}`);
  const others = changes.flatMap(({ part }) =>
    part === 'code_id' ? ['other code'] : part === 'environment' ? ['other environment'] : [],
  );
  return { name: names[kind], note: [...parts, ...others].join(', ') };
}

interface Day<T> {
  readonly day: number;
  readonly entries: readonly T[];
}

/** Days are in the time zone of the viewer. The entries must be sorted by time. */
export function byDay<T extends { readonly received_at: string }>(entries: readonly T[]): readonly Day<T>[] {
  const days: { day: number; entries: T[] }[] = [];
  for (const entry of entries) {
    const day = new Date(entry.received_at).setHours(0, 0, 0, 0);
    if (days.at(-1)?.day !== day) days.push({ day, entries: [] });
    days.at(-1)!.entries.push(entry);
  }
  return days;
}

/**
 * Describes a change, such as `os.release.full 12.6 → 12.7`. `old` is absent if the value was added. `new` is absent if
 * the value was removed.
 */
export interface ChangeLine {
  readonly name: string;
  readonly old?: unknown;
  readonly new?: unknown;
  /** Present if the line shows no values. */
  readonly only?: 'added' | 'removed';
  readonly message?: string;
}

const sides = (change: { readonly old?: unknown; readonly new?: unknown }): Pick<ChangeLine, 'old' | 'new'> => ({
  ...(change.old === undefined ? {} : { old: change.old }),
  ...(change.new === undefined ? {} : { new: change.new }),
});

const shortOrigin = (name: string | null): string | undefined =>
  name === null ? undefined : /^[0-9a-f]{40}$/.test(name) ? name.slice(0, 12) : name;

export function changeLines(change: EntryChange): readonly ChangeLine[] {
  switch (change.part) {
    case 'facts':
      return [{ name: dotted(change.path), ...sides(change) }];
    case 'packages':
      return [
        {
          name: change.name,
          ...(change.old.length === 0 ? {} : { old: change.old.join(', ') }),
          ...(change.new.length === 0 ? {} : { new: change.new.join(', ') }),
        },
      ];
    case 'resources': {
      const name = `${change.type}[${change.title}]`;
      if (change.change !== 'changed') return [{ name, only: change.change }];
      if (change.changes === undefined) return [{ name, ...sides(change) }];
      return change.changes.map((member) => ({ name: `${name} ${memberName(member.path)}`, ...sides(member) }));
    }
    case 'edges': {
      const [source, target] = [
        `${change.source_type}[${change.source_title}]`,
        `${change.target_type}[${change.target_title}]`,
      ];
      return [
        { name: `${source} ${change.relationship} ${target}`, only: change.change === 'added' ? 'added' : 'removed' },
      ];
    }
    case 'events':
      return [
        {
          name: `${change.resource_type}[${change.resource_title}]${change.property === null ? '' : ` ${change.property}`}`,
          ...sides({ old: change.old_value ?? undefined, new: change.new_value ?? undefined }),
          ...(change.status === 'failure' && change.message !== null ? { message: change.message } : {}),
        },
      ];
    case 'code_id':
    case 'environment':
      return [
        {
          name: change.part === 'code_id' ? 'code' : change.part,
          ...sides({ old: shortOrigin(change.old), new: shortOrigin(change.new) }),
        },
      ];
    // The heading of the entry already contains the new status.
    case 'status':
      return [];
  }
}

/** Omits `parameters.` before the names of parameters, as manifests do. */
export const memberName = (path: readonly (string | number)[]): string =>
  dotted(path[0] === 'parameters' && path.length > 1 ? path.slice(1) : path);

import type { ComponentChildren } from 'preact';
import { counted, visible } from './text';

interface Entry {
  readonly key?: string;
  readonly name: string;
  readonly href: string;
  readonly note: ComponentChildren;
}

export function NameList({
  entries,
  most,
  noun,
}: {
  readonly entries: readonly Entry[];
  readonly most: number;
  readonly noun: string;
}) {
  return (
    <>
      <ul class="names in">
        {entries.slice(0, most).map(({ name, key = name, href, note }) => (
          <li key={key}>
            <a href={href} data-row>
              <bdi class="mono trunc">{visible(name)}</bdi>
              <span class="num small muted nowrap">{note}</span>
            </a>
          </li>
        ))}
      </ul>
      <LeftOut count={entries.length - most} noun={noun} />
    </>
  );
}

export function LeftOut({ count, noun }: { readonly count: number; readonly noun: string }) {
  return count <= 0 ? null : (
    <p class="in muted small">{counted(count, `further ${noun}`)}: type a part of the name.</p>
  );
}

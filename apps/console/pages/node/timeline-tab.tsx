import { useState } from 'preact/hooks';
import { go, hrefTo, hrefWith, type Address } from '../../address/address';
import { Card, Choice } from '../../parts/card';
import { Icon } from '../../parts/icon';
import { Empty, Loading, Trouble } from '../../parts/states';
import { visible } from '../../parts/text';
import { upToAsOf } from '../../service/as-of';
import type { TimelinePage } from '../../service/shapes';
import { usePages } from '../../service/use-pages';
import { EntriesByDay } from '../../timeline/entry-list';
import { timelinePath } from '../../timeline/entry-words';

const kinds = [
  ['all', 'All'],
  ['report', 'Runs'],
  ['catalog', 'Catalog'],
  ['facts', 'Facts'],
  ['packages', 'Packages'],
] as const;
type Kind = (typeof kinds)[number][0];

/** Address parameters. Each of them limits the page to the history of one thing. */
const things = ['path', 'resource', 'package'] as const;
const noThing = Object.fromEntries(things.map((name) => [name, undefined]));

export function TimelineTab({ certname, address }: { readonly certname: string; readonly address: Address }) {
  const { params } = address;
  const kind = kinds.find(([name]) => name === params.get('kind'))?.[0] ?? 'all';
  const thing = things.find((name) => params.has(name));
  const list = usePages<TimelinePage>(
    timelinePath,
    {
      certname,
      kind: kind === 'all' || thing !== undefined ? undefined : kind,
      ...(thing === undefined ? {} : { [thing]: params.get(thing) }),
      to: upToAsOf(),
      limit: 50,
    },
    ({ next }) => (next === null ? undefined : { after: next }),
  );
  const entries = list.data?.pages.flatMap(({ entries }) => entries);
  return (
    <Card
      title="What changed"
      end={
        thing === undefined ? (
          <>
            <ThingField address={address} />
            <Choice<Kind>
              label="Kind"
              chosen={kind}
              href={(name) => hrefWith(address, { kind: name === 'all' ? undefined : name })}
              options={kinds}
            />
          </>
        ) : (
          <span class="chip">
            <b class="trunc mono">
              <bdi>{visible(params.get(thing) ?? '')}</bdi>
            </b>
            <a href={hrefWith(address, noThing)} aria-label="Show all changes">
              <Icon name="close" />
            </a>
          </span>
        )
      }
      footer={
        list.hasMore && (
          <button type="button" class="textual" onClick={list.more}>
            Earlier
          </button>
        )
      }
    >
      {list.refusal?.code === 'query.no-history' ? (
        <Empty title="The service keeps no history">
          <a class="btn" href={hrefTo(['nodes', certname, 'reports'])}>
            Show the reports
          </a>
        </Empty>
      ) : (
        <Trouble answer={list} />
      )}
      {entries === undefined ? (
        list.refusal === undefined && <Loading lines={10} />
      ) : entries.length === 0 ? (
        <Empty
          title={thing === undefined ? 'Nothing has changed in the history' : 'It has not changed in the history'}
        />
      ) : (
        <div class={list.isOld ? 'old' : 'fresh'}>
          <EntriesByDay entries={entries} />
        </div>
      )}
    </Card>
  );
}

/** `File[/etc/motd]` is a resource. Every other text is the path of a fact. */
const thingOf = (typed: string): Readonly<Record<string, string>> =>
  /^[A-Z][\w:]*\[.+\]$/s.test(typed) ? { resource: typed } : { path: typed };

function ThingField({ address }: { readonly address: Address }) {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') go(hrefWith(address, thingOf(text.trim())));
      }}
    >
      <label class="field">
        <Icon name="search" />
        <input
          type="search"
          aria-label="Path of a fact, or a resource, whose history is shown"
          placeholder="Path or resource"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
    </form>
  );
}

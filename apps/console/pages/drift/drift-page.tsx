import { useState } from 'preact/hooks';
import { go, hrefTo, hrefWith, type Address } from '../../address/address';
import { filterParams } from '../../filters/node-filter';
import { Card, PageHead, Tabs } from '../../parts/card';
import { dotted } from '../../parts/fact-path';
import { NodeName } from '../../parts/node-name';
import { Answered, Empty } from '../../parts/states';
import { TableHead } from '../../parts/table-head';
import { count, counted, visible } from '../../parts/text';
import { Value } from '../../parts/value';
import { useAnswer } from '../../service/use-answer';
import type { Drift, DriftGroup, DriftItem, DriftPart } from '../../service/shapes';
import type { PageProps } from '../page-props';

const parts = [
  ['facts', 'Facts'],
  ['resources', 'Resources'],
  ['packages', 'Packages'],
] as const;

const shownNodes = 3;

export function DriftPage({ address }: PageProps) {
  const by = address.params.get('by') ?? 'role';
  const part = parts.find(([name]) => name === address.params.get('part'))?.[0] ?? 'facts';
  const answer = useAnswer<Drift>('nodeledger/v1/drift', { by, part, limit: 50 }, { keepOld: false });
  return (
    <>
      <PageHead title={<h1>Drift</h1>} below="Nodes that differ from most nodes of their group, now">
        <GroupField key={by} by={by} address={address} />
      </PageHead>
      <Tabs<DriftPart>
        label="What is compared"
        chosen={part}
        href={(name) => hrefWith(address, { part: name === 'facts' ? undefined : name })}
        tabs={parts}
      />
      <Answered answer={answer} lines={12}>
        {({ groups, groups_left_out: left }) => (
          <div class="stack">
            {groups.map((group, index) => (
              <Group key={index} group={group} by={by} part={part} />
            ))}
            {groups.length === 0 && (
              <section class="card">
                <Empty title="No three nodes have the same value of this fact" />
              </section>
            )}
            {left > 0 && <p class="small muted">{counted(left, 'further group')} not shown: too small, or too many.</p>}
          </div>
        )}
      </Answered>
    </>
  );
}

function GroupField({ by, address }: { readonly by: string; readonly address: Address }) {
  const [text, setText] = useState(by);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') go(hrefWith(address, { by: text.trim() }));
      }}
    >
      <label class="field">
        <span class="small">Group by</span>
        <input
          class="mono"
          aria-label="Fact that groups the nodes"
          placeholder="role"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
    </form>
  );
}

function Group({ group, by, part }: { readonly group: DriftGroup; readonly by: string; readonly part: DriftPart }) {
  const found = group[part];
  return (
    <Card
      title={
        <>
          <span class="mono">{visible(by)}</span> = <Value value={group.value} limit={80} />
        </>
      }
      note={
        <a class="link" href={hrefTo(['nodes'], filterParams(`fact:${by}`, [group.value]))}>
          {counted(group.nodes, 'node')}
        </a>
      }
      footer={
        found !== undefined && (
          <span>
            {count(found.equal)} equal on all nodes
            {found.left_out > 0 && `, ${count(found.left_out)} further differences not shown`}
          </span>
        )
      }
    >
      {found === undefined || found.differing.length === 0 ? (
        <Empty title="All nodes are equal" />
      ) : (
        <table class="compare fold">
          <TableHead columns={['Name', 'Most nodes', 'Other nodes']} />
          <tbody>
            {found.differing.map((item, index) => (
              <Item key={index} item={item} />
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

function Item({ item }: { readonly item: DriftItem }) {
  const { name, page } = namedItem(item);
  const others = [
    ...item.others.map(({ certnames, nodes, ...other }) => ({ certnames, nodes, value: other.value ?? other.changes })),
    ...(item.missing === null ? [] : [{ ...item.missing, value: undefined }]),
  ];
  return (
    <tr data-row>
      <td class="mono small wide">
        <a class="plain-link" href={hrefTo(page)}>
          <bdi>{visible(name)}</bdi>
        </a>
      </td>
      <td class="mono small">
        <DriftValue value={item.value} />
      </td>
      <td class="small add">
        {others.map(({ value, nodes, certnames }, index) => (
          <div key={index}>
            <span class="mono">
              <DriftValue value={value} />
            </span>{' '}
            on{' '}
            {certnames.slice(0, shownNodes).map((certname, nodeIndex) => (
              <>
                {nodeIndex > 0 && ', '}
                <NodeName key={certname} name={certname} />
              </>
            ))}
            {nodes > shownNodes && ` and ${counted(nodes - shownNodes, 'other')}`}
          </div>
        ))}
        {item.others_left_out > 0 && <div class="muted">{counted(item.others_left_out, 'other value')}</div>}
      </td>
    </tr>
  );
}

const DriftValue = ({ value }: { readonly value: unknown }) =>
  value === undefined ? <span class="faint">missing</span> : <Value value={value} limit={60} />;

function namedItem(item: DriftItem): { readonly name: string; readonly page: readonly string[] } {
  if ('path' in item) {
    const name = dotted(item.path);
    return { name, page: ['facts', name] };
  }
  if ('title' in item) return { name: `${item.type}[${item.title}]`, page: ['resources', item.type, item.title] };
  return { name: item.name, page: ['packages', item.name] };
}

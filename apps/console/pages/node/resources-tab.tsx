import { hrefTo, hrefWith, type Address } from '../../address/address';
import { Card, Choice } from '../../parts/card';
import { Icon } from '../../parts/icon';
import { FindField, useFind } from '../../parts/find-field';
import { Answered, Empty } from '../../parts/states';
import { count, counted, countedRows, fileAndLine, visible } from '../../parts/text';
import { Value } from '../../parts/value';
import { equal, from } from '../../service/ast';
import { useRows } from '../../service/use-rows';
import type { Resource } from '../../service/shapes';

type Row = Omit<Resource, 'certname' | 'parameters'>;
const columns = ['type', 'title', 'file', 'line', 'exported', 'tags'];
const mostGroups = 200;
const mostRows = 400;

export function ResourcesTab({ certname, address }: { readonly certname: string; readonly address: Address }) {
  const find = useFind(address);
  const { words } = find;
  const by = address.params.get('by') === 'class' ? 'class' : 'type';
  const open = address.params.get('open');
  const resources = useRows<Row>(
    from('resources', columns, ['and', equal('certname', certname), equal('node_state', 'any')], {
      order: ['type', 'title'],
    }),
  );
  return (
    <Card
      title="Resources"
      note={countedRows(resources.data, 'resource')}
      end={
        <>
          <FindField find={find} label="Find a resource, file or tag" placeholder="Type, title or file" />
          <Choice
            label="Group by"
            chosen={by}
            href={(name) => hrefWith(address, { by: name === 'type' ? undefined : name, open: undefined })}
            options={[
              ['type', 'Type'],
              ['class', 'Class'],
            ]}
          />
        </>
      }
    >
      <Answered answer={resources} lines={12}>
        {(rows) => {
          const found =
            words === ''
              ? rows
              : rows.filter(({ type, title, file }) => `${type}[${title}] ${file ?? ''}`.toLowerCase().includes(words));
          if (found.length === 0)
            return (
              <Empty title={words === '' ? 'The node has no catalog' : `No resource contains “${visible(words)}”`} />
            );
          const groups = groupsOf(found, by);
          return (
            <table class="fold resources">
              <tbody>
                {groups.slice(0, mostGroups).map(([name, members]) => {
                  const isOpen = open === name || words !== '' || groups.length === 1;
                  return (
                    <>
                      <tr key={name} class="grp" data-row>
                        <td colSpan={2} class="wide">
                          <a
                            class="tree"
                            href={hrefWith(address, { open: open === name ? undefined : name, resource: undefined })}
                            aria-expanded={isOpen}
                          >
                            <Icon name={isOpen ? 'down' : 'right'} />
                            <b>
                              <bdi>{visible(name)}</bdi>
                            </b>
                            <span class="muted small">{count(members.length)}</span>
                          </a>
                        </td>
                      </tr>
                      {isOpen &&
                        members
                          .slice(0, mostRows)
                          .map((row) => (
                            <ResourceRow
                              key={`${row.type}[${row.title}]`}
                              row={row}
                              certname={certname}
                              address={address}
                            />
                          ))}
                      {isOpen && members.length > mostRows && (
                        <tr>
                          <td colSpan={2} class="muted small">
                            {counted(members.length - mostRows, 'further resource')}: find them by a part of their
                            title.
                          </td>
                        </tr>
                      )}
                    </>
                  );
                })}
              </tbody>
            </table>
          );
        }}
      </Answered>
    </Card>
  );
}

function groupsOf(rows: readonly Row[], by: 'type' | 'class'): readonly (readonly [string, readonly Row[]])[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const name = by === 'type' ? row.type : classOf(row);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  return [...groups].sort(([one], [other]) => one.localeCompare(other));
}

/** Derives the class from the path of the manifest: `modules/ssh/manifests/config.pp` gives `Ssh::Config`. */
function classOf({ file }: Row): string {
  const [, module, rest] = /\/([^/]+)\/manifests\/(.+)\.pp$/.exec(file ?? '') ?? [];
  if (module === undefined || rest === undefined) return 'no manifest';
  const names = rest === 'init' ? [module] : [module, ...rest.split('/')];
  return names.map((name) => name.charAt(0).toUpperCase() + name.slice(1)).join('::');
}

function ResourceRow({
  row,
  certname,
  address,
}: {
  readonly row: Row;
  readonly certname: string;
  readonly address: Address;
}) {
  const name = `${row.type}[${row.title}]`;
  const isOpen = address.params.get('resource') === name;
  const where = fileAndLine(row.file, row.line);
  return (
    <>
      <tr data-row>
        <td class="wide depth-1">
          <a
            class="tree mono small"
            href={hrefWith(address, { resource: isOpen ? undefined : name })}
            aria-expanded={isOpen}
          >
            <Icon name={isOpen ? 'down' : 'right'} />
            <bdi>{visible(name)}</bdi>
          </a>
        </td>
        <td class="mono small muted nowrap off num">{where !== undefined && visible(where)}</td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={2} class="wide opened">
            <Parameters row={row} certname={certname} />
          </td>
        </tr>
      )}
    </>
  );
}

function Parameters({ row, certname }: { readonly row: Row; readonly certname: string }) {
  const { type, title } = row;
  const answer = useRows<Pick<Resource, 'parameters'>>(
    from(
      'resources',
      ['parameters'],
      ['and', equal('certname', certname), equal('type', type), equal('title', title), equal('node_state', 'any')],
    ),
  );
  return (
    <Answered answer={answer} lines={2}>
      {([resource]) => (
        <div class="stack">
          <dl class="kv mono small">
            {Object.entries(resource?.parameters ?? {}).map(([name, value]) => (
              <>
                <dt>{visible(name)}</dt>
                <dd>
                  <Value value={value} />
                </dd>
              </>
            ))}
          </dl>
          {Object.keys(resource?.parameters ?? {}).length === 0 && <p class="muted small">It has no parameters.</p>}
          <div class="row wrap small">
            <a class="link" href={hrefTo(['resources', type, title])}>
              Who else has it
            </a>
            <a class="link" href={hrefTo(['nodes', certname, 'relations'], { of: `${type}[${title}]` })}>
              Relations
            </a>
            <a class="link" href={hrefTo(['events'], { type, title, node: certname })}>
              Events
            </a>
            {row.exported && <span class="muted">exported</span>}
          </div>
        </div>
      )}
    </Answered>
  );
}

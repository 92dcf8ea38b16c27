import { hrefTo, hrefWith } from '../../address/address';
import { Bars } from '../../parts/bars';
import { Card, ListLink, PageHead } from '../../parts/card';
import { NodeName } from '../../parts/node-name';
import { resourceText } from '../../parts/resource-name';
import { Answered, Empty } from '../../parts/states';
import { TableHead } from '../../parts/table-head';
import { counted, excerpt, fileAndLine, valueText, visible } from '../../parts/text';
import { Value } from '../../parts/value';
import { equal, from } from '../../service/ast';
import { useRows } from '../../service/use-rows';
import type { Resource } from '../../service/shapes';
import type { PageProps } from '../page-props';

type Row = Pick<Resource, 'certname' | 'file' | 'line' | 'exported' | 'parameters'>;
const most = 2000;

export function ResourcePage({ address }: PageProps) {
  const [, type = '', title = ''] = address.path;
  const resources = useRows<Row>(
    from(
      'resources',
      ['certname', 'file', 'line', 'exported', 'parameters'],
      ['and', equal('type', type), equal('title', title)],
      {
        order: ['certname'],
        limit: most,
      },
    ),
  );
  const rows = resources.data ?? [];
  const parameter = address.params.get('parameter');
  const value = address.params.get('value');
  const shown =
    parameter === undefined || value === undefined
      ? rows
      : rows.filter(({ parameters }) => JSON.stringify(parameters[parameter] ?? null) === value);
  const [first] = rows;
  return (
    <>
      <PageHead
        above={<ListLink path={['resources', type]}>{type === 'Class' ? 'Classes' : visible(type)}</ListLink>}
        title={
          <h1 class="mono">
            <bdi>{resourceText(type, title)}</bdi>
          </h1>
        }
        below={
          resources.data === undefined ? (
            ' '
          ) : (
            <>
              On {counted(rows.length, 'node')}
              {first !== undefined && fileAndLine(first.file, first.line) !== undefined && (
                <>
                  {' · '}
                  <span class="mono">{visible(fileAndLine(first.file, first.line)!)}</span>
                </>
              )}
            </>
          )
        }
      >
        <a class="btn" href={hrefTo(['events'], { type, title, window: '14d', status: 'success' })}>
          Events
        </a>
      </PageHead>
      <div class="cols lead">
        <Card title="Parameters" note="values that differ are bars">
          <Answered answer={resources} lines={6}>
            {(all) => <Parameters rows={all} parameter={parameter} value={value} address={address} />}
          </Answered>
        </Card>
        <Card title="Nodes" note={resources.data === undefined ? undefined : counted(shown.length, 'node')}>
          <Answered answer={resources} lines={10}>
            {() =>
              shown.length === 0 ? (
                <Empty title="No node has this resource" />
              ) : (
                <table class="fold simple">
                  <TableHead columns={['Node', parameter === undefined ? 'Declared in' : visible(parameter)]} />
                  <tbody>
                    {shown.slice(0, 500).map((row) => (
                      <tr key={row.certname} data-row>
                        <td class="main trunc">
                          <NodeName name={row.certname} />
                        </td>
                        <td class="mono small muted wrap-any">
                          {parameter === undefined ? (
                            visible(fileAndLine(row.file, row.line) ?? '')
                          ) : (
                            <Value value={row.parameters[parameter] ?? null} limit={80} />
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )
            }
          </Answered>
        </Card>
      </div>
    </>
  );
}

function Parameters({
  rows,
  parameter,
  value,
  address,
}: {
  readonly rows: readonly Row[];
  readonly parameter: string | undefined;
  readonly value: string | undefined;
  readonly address: PageProps['address'];
}) {
  const names = [...new Set(rows.flatMap(({ parameters }) => Object.keys(parameters)))];
  if (names.length === 0) return <Empty title="It has no parameters" />;
  const distributions = names.map((name) => {
    const counts = new Map<string, number>();
    for (const { parameters } of rows) {
      const key = JSON.stringify(parameters[name] ?? null);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return { name, values: [...counts].sort(([, one], [, other]) => other - one) };
  });
  distributions.sort((one, other) => other.values.length - one.values.length || one.name.localeCompare(other.name));
  return (
    <ul class="lines">
      {distributions.map(({ name, values }) => (
        <li key={name}>
          <h3 class="mono">{visible(name)}</h3>
          {values.length === 1 ? (
            <div class="mono small muted">
              <Value value={JSON.parse(values[0]![0])} limit={200} />
            </div>
          ) : (
            <Bars
              label={`Nodes by value of ${name}`}
              bars={values.slice(0, 8).map(([key, figure]) => ({
                key,
                label:
                  key === 'null' ? (
                    <span class="faint">not set</span>
                  ) : (
                    <bdi>{visible(excerpt(valueText(JSON.parse(key)), 80))}</bdi>
                  ),
                figure,
                isChosen: name === parameter && key === value,
                href: hrefWith(
                  address,
                  name === parameter && key === value
                    ? { parameter: undefined, value: undefined }
                    : { parameter: name, value: key },
                ),
              }))}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

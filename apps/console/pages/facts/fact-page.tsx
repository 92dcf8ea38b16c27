import { hrefTo, hrefWith } from '../../address/address';
import { filterParams } from '../../filters/node-filter';
import { decodeValues, encodeValues } from '../../filters/values';
import { Bars } from '../../parts/bars';
import { Card, ListLink, PageHead } from '../../parts/card';
import { NodeName } from '../../parts/node-name';
import { Answered, Empty } from '../../parts/states';
import { TableHead } from '../../parts/table-head';
import { StatusMark } from '../../parts/status';
import { count, counted, excerpt, valueText, visible } from '../../parts/text';
import { Age } from '../../parts/time';
import { from } from '../../service/ast';
import { useAnswer } from '../../service/use-answer';
import { useRows } from '../../service/use-rows';
import type { FactDistribution, NodeList } from '../../service/shapes';
import type { PageProps } from '../page-props';

export function FactPage({ address }: PageProps) {
  const [, path = ''] = address.path;
  const chosen = address.params.get('value');
  const values = chosen === undefined ? undefined : decodeValues(chosen);
  const distribution = useAnswer<FactDistribution>('nodeledger/v1/fact-distribution', { path, limit: 50 });
  const paths = useRows<{ path: readonly (string | number)[]; type: string }>(
    /^[\w-]+$/.test(path)
      ? from('fact_paths', ['path', 'type'], ['=', 'name', path], { order: ['path'], limit: 60 })
      : undefined,
  );
  const inner = (paths.data ?? []).filter(
    (one) => one.path.length > 1 && one.path.every((step) => /^[\w-]+$/.test(String(step))),
  );
  const nodes = useAnswer<NodeList>('nodeledger/v1/node-list', {
    facts: JSON.stringify([path]),
    limit: 100,
    ...(values === undefined ? {} : { where: JSON.stringify({ [`fact:${path}`]: values }) }),
  });
  return (
    <>
      <PageHead
        above={<ListLink path={['facts']}>Facts</ListLink>}
        title={
          <h1 class="mono">
            <bdi>{visible(path)}</bdi>
          </h1>
        }
        below={
          distribution.data === undefined
            ? ' '
            : `${counted(distribution.data.values.length, 'value')} on ${counted(distribution.data.nodes, 'node')}${distribution.data.missing > 0 ? `; ${counted(distribution.data.missing, 'node')} without it` : ''}`
        }
      >
        <a class="btn" href={hrefTo(['nodes'], { columns: path, facets: path })}>
          As a column of nodes
        </a>
      </PageHead>
      <div class="cols lead">
        <div class="stack">
          <Card title="Values">
            <Answered answer={distribution} lines={8}>
              {({ values: found, others, missing }) =>
                found.length === 0 ? (
                  <Empty title={inner.length > 0 ? 'This fact is a tree' : 'No node has this fact'}>
                    {inner.length > 0 && <p>Choose a path in it.</p>}
                  </Empty>
                ) : (
                  <div class="in">
                    <Bars
                      label={`Nodes by value of ${path}`}
                      bars={[
                        ...found.map(({ value, type, nodes: figure }) => {
                          const key = encodeValues([value]);
                          return {
                            key: `${type} ${key}`,
                            label: (
                              <bdi title={visible(excerpt(valueText(value), 500))}>
                                {visible(excerpt(valueText(value), 120)) || <span class="faint">empty</span>}
                              </bdi>
                            ),
                            figure,
                            isChosen: key === chosen,
                            href: hrefWith(address, { value: key === chosen ? undefined : key }),
                          };
                        }),
                        ...(others === 0
                          ? []
                          : [{ key: '\0others', label: 'other values', figure: others, tone: 'line' as const }]),
                        ...(missing === 0
                          ? []
                          : [
                              {
                                key: '\0missing',
                                label: <span class="faint">missing</span>,
                                figure: missing,
                                tone: 'line' as const,
                                isChosen: chosen === '[null]',
                                href: hrefWith(address, { value: chosen === '[null]' ? undefined : '[null]' }),
                              },
                            ]),
                      ]}
                    />
                  </div>
                )
              }
            </Answered>
          </Card>
          {inner.length > 0 && (
            <Card title="Paths in it">
              <ul class="names in one">
                {inner.map(({ path: steps, type }) => {
                  const name = steps
                    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
                    .join('');
                  return (
                    <li key={`${name} ${type}`}>
                      <a href={hrefTo(['facts', name])}>
                        <bdi class="mono trunc">{visible(name)}</bdi>
                        <span class="small muted">{type}</span>
                      </a>
                    </li>
                  );
                })}
              </ul>
            </Card>
          )}
        </div>
        <Card
          title="Nodes"
          note={nodes.data === undefined ? undefined : count(nodes.data.total)}
          end={
            <a
              class="link small"
              href={hrefTo(['nodes'], { columns: path, ...filterParams(`fact:${path}`, values ?? []) })}
            >
              Open in Nodes
            </a>
          }
        >
          <Answered answer={nodes} lines={10}>
            {({ nodes: rows, total }) => (
              <>
                <table class="fold simple">
                  <TableHead columns={['Node', 'Value', ['Status', 'w-status'], ['Last run', 'num w-age']]} />
                  <tbody>
                    {rows.map((row) => (
                      <tr key={row.certname} data-row>
                        <td class="main trunc">
                          <NodeName name={row.certname} />
                        </td>
                        <td class="mono small trunc">
                          {row.facts[path] === null || row.facts[path] === undefined ? (
                            <span class="faint">–</span>
                          ) : (
                            <bdi>{visible(excerpt(valueText(row.facts[path]), 200))}</bdi>
                          )}
                        </td>
                        <td>
                          <StatusMark status={row.status} />
                        </td>
                        <td class="num muted nowrap">
                          <Age time={row.report_timestamp} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
                {total > rows.length && (
                  <p class="in muted small foot-line">
                    {counted(total - rows.length, 'further node')}: open them in Nodes.
                  </p>
                )}
              </>
            )}
          </Answered>
        </Card>
      </div>
    </>
  );
}

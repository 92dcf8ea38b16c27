import { hrefWith } from '../../address/address';
import { Bars } from '../../parts/bars';
import { Card, ListLink, PageHead } from '../../parts/card';
import { NodeName } from '../../parts/node-name';
import { Answered, Empty } from '../../parts/states';
import { TableHead } from '../../parts/table-head';
import { count, counted, countedRows, visible } from '../../parts/text';
import { all, equal, from } from '../../service/ast';
import { useAnswer } from '../../service/use-answer';
import { useRows } from '../../service/use-rows';
import type { PackageVersions } from '../../service/shapes';
import type { PageProps } from '../page-props';

interface Row {
  readonly certname: string;
  readonly version: string;
  readonly provider: string;
}

export function PackagePage({ address }: PageProps) {
  const [, name = ''] = address.path;
  const version = address.params.get('version');
  const provider = address.params.get('provider');
  const versions = useAnswer<PackageVersions>('nodeledger/v1/package-versions', { name });
  const condition = all(
    equal('package_name', name),
    version === undefined ? undefined : equal('version', version),
    provider === undefined ? undefined : equal('provider', provider),
  );
  const nodes = useRows<Row>(
    from('package_inventory', ['certname', 'version', 'provider'], condition, {
      order: ['version', 'certname'],
      limit: 500,
    }),
  );
  return (
    <>
      <PageHead
        above={<ListLink path={['packages']}>Packages</ListLink>}
        title={
          <h1 class="mono">
            <bdi>{visible(name)}</bdi>
          </h1>
        }
        below={versions.data === undefined ? ' ' : lagSentence(versions.data)}
      />
      <div class="cols lead">
        <Card title="Versions">
          <Answered answer={versions} lines={6}>
            {({ versions: found }) =>
              found.length === 0 ? (
                <Empty title="No node has this package" />
              ) : (
                <div class="in">
                  <Bars
                    label="Nodes by version"
                    bars={found.map((one) => {
                      const isChosen = one.version === version && (provider === undefined || one.provider === provider);
                      return {
                        key: `${one.provider} ${one.version}`,
                        label: (
                          <>
                            <bdi class="mono">{visible(one.version)}</bdi>{' '}
                            <span class="xs muted">{visible(one.provider)}</span>
                          </>
                        ),
                        figure: one.nodes,
                        note: one.newest ? <span class="xs good"> newest</span> : undefined,
                        tone: one.newest ? ('line' as const) : ('data' as const),
                        isChosen,
                        href: hrefWith(
                          address,
                          isChosen
                            ? { version: undefined, provider: undefined }
                            : { version: one.version, provider: one.provider },
                        ),
                      };
                    })}
                  />
                </div>
              )
            }
          </Answered>
        </Card>
        <Card title="Nodes" note={countedRows(nodes.data, 'node')}>
          <Answered answer={nodes} lines={10}>
            {(rows) =>
              rows.length === 0 ? (
                <Empty title="No node" />
              ) : (
                <table class="fold simple">
                  <TableHead columns={['Node', 'Version', 'From']} />
                  <tbody>
                    {rows.map((row) => (
                      <tr key={`${row.certname} ${row.version} ${row.provider}`} data-row>
                        <td class="main trunc">
                          <NodeName name={row.certname} />
                        </td>
                        <td class="mono small">{visible(row.version)}</td>
                        <td class="muted off">{visible(row.provider)}</td>
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

function lagSentence({ nodes, versions }: PackageVersions): string {
  const behind = versions.filter(({ newest }) => !newest).reduce((sum, one) => sum + one.nodes, 0);
  if (nodes === 0) return 'No node has it';
  return behind === 0
    ? `All ${counted(nodes, 'node')} have the newest version`
    : `${count(behind)} of ${counted(nodes, 'node')} ${behind === 1 ? 'has' : 'have'} an older version`;
}

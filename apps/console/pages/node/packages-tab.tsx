import { hrefTo, type Address } from '../../address/address';
import { Card } from '../../parts/card';
import { FindField, useFind } from '../../parts/find-field';
import { LeftOut } from '../../parts/name-list';
import { Answered, Empty } from '../../parts/states';
import { TableHead } from '../../parts/table-head';
import { countedRows, visible } from '../../parts/text';
import { equal, from } from '../../service/ast';
import { useRows } from '../../service/use-rows';

interface Row {
  readonly package_name: string;
  readonly version: string;
  readonly provider: string;
}
const mostRows = 1000;

export function PackagesTab({ certname, address }: { readonly certname: string; readonly address: Address }) {
  const find = useFind(address);
  const { words } = find;
  const packages = useRows<Row>(
    from('package_inventory', ['package_name', 'version', 'provider'], equal('certname', certname), {
      order: ['package_name'],
    }),
  );
  return (
    <Card
      title="Packages"
      note={countedRows(packages.data, 'package')}
      end={<FindField find={find} label="Find a package" placeholder="Name or version" />}
    >
      <Answered answer={packages} lines={12}>
        {(rows) => {
          const found = rows.filter(({ package_name: name, version }) =>
            `${name} ${version}`.toLowerCase().includes(words),
          );
          if (found.length === 0)
            return (
              <Empty
                title={rows.length === 0 ? 'The node has sent no packages' : `No package contains “${visible(words)}”`}
              />
            );
          return (
            <>
              <table>
                <TableHead columns={['Package', 'Version', 'From']} />
                <tbody>
                  {found.slice(0, mostRows).map(({ package_name: name, version, provider }) => (
                    <tr key={`${name} ${version} ${provider}`} data-row>
                      <td>
                        <a class="mono plain-link" href={hrefTo(['packages', name])}>
                          <bdi>{visible(name)}</bdi>
                        </a>
                      </td>
                      <td class="mono small">
                        <bdi>{visible(version)}</bdi>
                      </td>
                      <td class="muted">{visible(provider)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <LeftOut count={found.length - mostRows} noun="package" />
            </>
          );
        }}
      </Answered>
    </Card>
  );
}

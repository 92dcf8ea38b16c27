import { hrefTo } from '../../address/address';
import { Card, PageHead } from '../../parts/card';
import { FindField, useFind } from '../../parts/find-field';
import { NameList } from '../../parts/name-list';
import { Answered, Empty } from '../../parts/states';
import { counted, countedRows, visible } from '../../parts/text';
import { from } from '../../service/ast';
import { useRows } from '../../service/use-rows';
import type { PageProps } from '../page-props';

interface Row {
  readonly package_name: string;
  readonly provider: string;
  readonly count: number;
}
const mostRows = 300;

export function PackagesPage({ address }: PageProps) {
  const find = useFind(address);
  const { words } = find;
  const packages = useRows<Row>(
    from('packages', ['package_name', 'provider', ['function', 'count']], undefined, {
      groupBy: ['package_name', 'provider'],
    }),
  );
  return (
    <>
      <PageHead title={<h1>Packages</h1>} below="Those with most versions first: some nodes lag" />
      <form class="row wrap" role="search" onSubmit={(event) => event.preventDefault()}>
        <FindField find={find} label="Name of a package" placeholder="Name of a package" class="grow filter-text" />
      </form>
      <Card title="Packages" note={countedRows(packages.data, 'package')}>
        <Answered answer={packages} lines={12}>
          {(rows) => {
            const found = rows
              .filter(({ package_name: name }) => name.toLowerCase().includes(words))
              .sort((one, other) => other.count - one.count || one.package_name.localeCompare(other.package_name));
            return found.length === 0 ? (
              <Empty
                title={rows.length === 0 ? 'No node has sent packages' : `No package contains “${visible(words)}”`}
              />
            ) : (
              <NameList
                entries={found.map(({ package_name: name, provider, count: versions }) => ({
                  key: `${name} ${provider}`,
                  name,
                  href: hrefTo(['packages', name]),
                  note: `${counted(versions, 'version')}, ${visible(provider)}`,
                }))}
                most={mostRows}
                noun="package"
              />
            );
          }}
        </Answered>
      </Card>
    </>
  );
}

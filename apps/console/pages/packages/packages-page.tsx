import { hrefTo } from '../../address/address';
import { Card, PageHead } from '../../parts/card';
import { FindField, useFind } from '../../parts/find-field';
import { Answered, Empty } from '../../parts/states';
import { counted, visible } from '../../parts/text';
import { from } from '../../service/ast';
import { useRows } from '../../service/use-rows';
import type { PageProps } from '../page-props';

interface Row {
  readonly package_name: string;
  readonly provider: string;
  readonly count: number;
}
const mostRows = 300;

/** Lists all packages. Packages with the most versions come first, because some of their nodes are outdated. */
export function PackagesPage({ address }: PageProps) {
  const find = useFind(address);
  const { text } = find;
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
      <Card title="Packages" note={packages.data === undefined ? undefined : counted(packages.data.length, 'package')}>
        <Answered answer={packages} lines={12}>
          {(rows) => {
            const words = text.trim().toLowerCase();
            const found = rows
              .filter(({ package_name: name }) => name.toLowerCase().includes(words))
              .sort((one, other) => other.count - one.count || one.package_name.localeCompare(other.package_name));
            return found.length === 0 ? (
              <Empty
                title={rows.length === 0 ? 'No node has sent packages' : `No package contains “${visible(words)}”`}
              />
            ) : (
              <>
                <ul class="names in">
                  {found.slice(0, mostRows).map(({ package_name: name, provider, count: versions }) => (
                    <li key={`${name} ${provider}`}>
                      <a href={hrefTo(['packages', name])} data-row>
                        <bdi class="mono trunc">{visible(name)}</bdi>
                        <span class="small muted nowrap">
                          {counted(versions, 'version')}, {visible(provider)}
                        </span>
                      </a>
                    </li>
                  ))}
                </ul>
                {found.length > mostRows && (
                  <p class="in muted small">
                    {counted(found.length - mostRows, 'further package')}: type a part of the name.
                  </p>
                )}
              </>
            );
          }}
        </Answered>
      </Card>
    </>
  );
}

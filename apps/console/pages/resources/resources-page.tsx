import { hrefTo } from '../../address/address';
import { Card, PageHead } from '../../parts/card';
import { FindField, useFind } from '../../parts/find-field';
import { NameList } from '../../parts/name-list';
import { Answered, Empty } from '../../parts/states';
import { count, countedRows, visible } from '../../parts/text';
import { equal, from } from '../../service/ast';
import { useRows } from '../../service/use-rows';
import type { PageProps } from '../page-props';

const mostRows = 500;

export function ResourcesPage({ address }: PageProps) {
  const [, type = 'Class'] = address.path;
  const find = useFind(address);
  const { words } = find;
  const types = useRows<{ type: string; count: number }>(
    from('resources', ['type', ['function', 'count']], undefined, { groupBy: ['type'] }),
  );
  const titles = useRows<{ title: string; count: number }>(
    from('resources', ['title', ['function', 'count']], equal('type', type), { groupBy: ['title'] }),
  );
  const heading = type === 'Class' ? 'Classes' : type;
  return (
    <>
      <PageHead title={<h1>Resources</h1>} below="Choose a type, then a title, to see the nodes that have it" />
      <div class="cols side">
        <aside class="facet types" aria-label="Types">
          <h2 class="facet-title">Type</h2>
          <Answered answer={types} lines={10}>
            {(rows) => (
              <>
                {[...rows]
                  .sort(
                    (one, other) =>
                      Number(other.type === 'Class') - Number(one.type === 'Class') || other.count - one.count,
                  )
                  .map((row) => (
                    <a
                      key={row.type}
                      href={hrefTo(['resources', row.type])}
                      aria-current={row.type === type ? 'true' : undefined}
                    >
                      <bdi class="trunc">{visible(row.type)}</bdi>
                      <span class="n">{count(row.count)}</span>
                    </a>
                  ))}
              </>
            )}
          </Answered>
        </aside>
        <Card
          title={visible(heading)}
          note={countedRows(titles.data, 'title')}
          end={<FindField find={find} label={`Title of ${visible(type)}`} placeholder="Title" />}
        >
          <Answered answer={titles} lines={12}>
            {(rows) => {
              const found = rows
                .filter(({ title }) => title.toLowerCase().includes(words))
                .sort((one, other) => one.title.localeCompare(other.title));
              return found.length === 0 ? (
                <Empty title={words === '' ? 'No catalog has this type' : `No title contains “${visible(words)}”`} />
              ) : (
                <NameList
                  entries={found.map(({ title, count: nodes }) => ({
                    name: title,
                    href: hrefTo(['resources', type, title]),
                    note: count(nodes),
                  }))}
                  most={mostRows}
                  noun="title"
                />
              );
            }}
          </Answered>
        </Card>
      </div>
    </>
  );
}

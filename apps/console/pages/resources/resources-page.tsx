import { useState } from 'preact/hooks';
import { go, hrefTo, hrefWith } from '../../address/address';
import { Card, PageHead } from '../../parts/card';
import { Icon } from '../../parts/icon';
import { Answered, Empty } from '../../parts/states';
import { count, counted, visible } from '../../parts/text';
import { equal, from } from '../../service/ast';
import { useRows } from '../../service/use-rows';
import type { PageProps } from '../page-props';

const mostRows = 500;

/** Lists the types of resources, and the titles of the chosen type. The chosen type is `Class` at first. */
export function ResourcesPage({ address }: PageProps) {
  const [, type = 'Class'] = address.path;
  const [text, setText] = useState(address.params.get('find') ?? '');
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
          note={titles.data === undefined ? undefined : counted(titles.data.length, 'title')}
          end={
            <label class="field">
              <Icon name="search" />
              <input
                type="search"
                aria-label={`Title of ${visible(type)}`}
                placeholder="Title"
                value={text}
                onInput={({ currentTarget }) => {
                  setText(currentTarget.value);
                  go(hrefWith(address, { find: currentTarget.value }), { replace: true });
                }}
              />
            </label>
          }
        >
          <Answered answer={titles} lines={12}>
            {(rows) => {
              const words = text.trim().toLowerCase();
              const found = rows
                .filter(({ title }) => title.toLowerCase().includes(words))
                .sort((one, other) => one.title.localeCompare(other.title));
              return found.length === 0 ? (
                <Empty title={words === '' ? 'No catalog has this type' : `No title contains “${visible(words)}”`} />
              ) : (
                <>
                  <ul class="names in">
                    {found.slice(0, mostRows).map(({ title, count: nodes }) => (
                      <li key={title}>
                        <a href={hrefTo(['resources', type, title])} data-row>
                          <bdi class="mono trunc">{visible(title)}</bdi>
                          <span class="num small muted">{count(nodes)}</span>
                        </a>
                      </li>
                    ))}
                  </ul>
                  {found.length > mostRows && (
                    <p class="in muted small">
                      {counted(found.length - mostRows, 'further title')}: type a part of it.
                    </p>
                  )}
                </>
              );
            }}
          </Answered>
        </Card>
      </div>
    </>
  );
}

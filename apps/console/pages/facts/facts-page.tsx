import { go, hrefTo } from '../../address/address';
import { Card, PageHead } from '../../parts/card';
import { FindField, useFind } from '../../parts/find-field';
import { NameList } from '../../parts/name-list';
import { Answered, Empty } from '../../parts/states';
import { count, countedRows, visible } from '../../parts/text';
import { from } from '../../service/ast';
import { useRows } from '../../service/use-rows';
import type { PageProps } from '../page-props';

export function FactsPage({ address }: PageProps) {
  const find = useFind(address);
  const { text } = find;
  const names = useRows<{ name: string; count: number }>(
    from('facts', ['name', ['function', 'count']], undefined, { groupBy: ['name'] }),
  );
  return (
    <>
      <PageHead title={<h1>Facts</h1>} below="Choose one to see its values across the fleet" />
      <form
        class="row wrap"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') go(hrefTo(['facts', text.trim()]));
        }}
      >
        <FindField
          find={find}
          label="Name or path of a fact"
          placeholder="Name, or a path such as os.release.full and Enter"
          class="grow filter-text"
        />
      </form>
      <Card title="Names" note={countedRows(names.data, 'fact')}>
        <Answered answer={names} lines={12}>
          {(rows) => {
            const words = find.words.split('.')[0]!;
            const found = rows
              .filter(({ name }) => name.toLowerCase().includes(words))
              .sort((one, other) => one.name.localeCompare(other.name));
            return found.length === 0 ? (
              <Empty
                title={rows.length === 0 ? 'No node has sent facts yet' : `No fact contains “${visible(words)}”`}
              />
            ) : (
              <NameList
                entries={found.map(({ name, count: nodes }) => ({
                  name,
                  href: hrefTo(['facts', name]),
                  note: count(nodes),
                }))}
                most={Infinity}
                noun="fact"
              />
            );
          }}
        </Answered>
      </Card>
    </>
  );
}

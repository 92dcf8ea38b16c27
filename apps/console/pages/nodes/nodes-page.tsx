import { useContext, useEffect, useState } from 'preact/hooks';
import { type Address, go, hrefTo, hrefWith } from '../../address/address';
import { filterQuery, filterParams, noClass, readFilter } from '../../filters/node-filter';
import { PageHead } from '../../parts/card';
import { Icon } from '../../parts/icon';
import { NameEnd } from '../../parts/node-name';
import { Empty, Loading, Trouble } from '../../parts/states';
import { count, visible } from '../../parts/text';
import { useAnswer } from '../../service/use-answer';
import { usePages } from '../../service/use-pages';
import type { Facets, Failures, NodeList } from '../../service/shapes';
import { isSingleKey } from '../../shell/keys';
import { useSession } from '../../shell/session';
import type { PageProps } from '../page-props';
import { ColumnsDialog } from './columns-dialog';
import { FilterBar, describeFilter } from './filter-bar';
import { FacetList } from './facet-list';
import { saveCsv } from './save-csv';
import { NodeTable } from './node-table';

const defaultColumns = ['role', 'os.name'];
const defaultFacets = ['os.name', 'role'];
const pageSize = 200;

const listed = (text: string | undefined, fallback: readonly string[]): readonly string[] =>
  text === undefined ? fallback : text.split(',').filter((one) => one !== '');

export function NodesPage({ address }: PageProps) {
  const { summary } = useSession();
  const end = useContext(NameEnd);
  const filter = readFilter(address);
  const columns = listed(address.params.get('columns'), defaultColumns).slice(0, 20);
  const facetPaths = listed(address.params.get('facets'), defaultFacets).slice(0, 8);
  const sort = address.params.get('sort') ?? '-status';
  const failure = useFailureWords(address);
  const { params } = address;
  const query = {
    ...filterQuery(filter),
    cause: params.get('cause'),
    failing_class: classOf(params.get('failing_class')),
  };
  const list = usePages<NodeList>(
    'nodeledger/v1/node-list',
    { ...query, facts: JSON.stringify(columns), order: sort, limit: pageSize },
    ({ next }) => (next === null ? undefined : { after: next }),
  );
  const fields = ['status', 'environment', ...facetPaths.map((path) => `fact:${path}`)];
  const facets = useAnswer<Facets>('nodeledger/v1/facets', {
    ...query,
    fields: JSON.stringify(fields),
  });
  const [isChoosing, setChoosing] = useState(false);
  const [isFiltering, setFiltering] = useState(false);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const toggle = (certname: string): void =>
    setSelected((names) =>
      names.includes(certname) ? names.filter((name) => name !== certname) : [...names, certname],
    );
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!isSingleKey(event)) return;
      const row = document.activeElement?.closest<HTMLElement>('[data-certname]');
      const certname = row?.dataset['certname'];
      if (event.key === 'x' && certname !== undefined) toggle(certname);
      else if (event.key === 'c' && (selected.length > 0 || certname !== undefined)) {
        const [a = certname!, b] = selected;
        go(hrefTo(['compare'], { a, b: b ?? (certname === a ? undefined : certname) }));
      } else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [selected]);
  const pages = list.data?.pages;
  const total = pages?.[0]?.total;
  const nodes = pages?.flatMap((page) => page.nodes) ?? [];
  const all = summary.data?.total;
  return (
    <>
      <PageHead
        title={<h1>Nodes</h1>}
        below={
          <>
            {total === undefined ? (
              ' '
            ) : (
              <>
                <b class="ink">{count(total)}</b>
                {all !== undefined && total !== all ? ` of ${count(all)} match` : total === 1 ? ' node' : ' nodes'}
              </>
            )}
            {pages?.[0]?.complete === false && ' · too many failures to find all of these nodes'}
            {end !== '' && (
              <span class="hide">
                {' · names without '}
                <span class="mono">{visible(end)}</span>, which all of them share
              </span>
            )}
          </>
        }
      >
        <button type="button" class="btn hide" onClick={() => setChoosing(true)}>
          <Icon name="columns" />
          Columns
        </button>
        {selected.length > 0 && (
          <a class="btn go" href={hrefTo(['compare'], { a: selected[0], b: selected[1] })}>
            Compare {selected.length > 1 ? 'the first two' : 'with …'}
          </a>
        )}
        <button
          type="button"
          class="btn hide"
          disabled={total === undefined || total === 0}
          onClick={() => void saveCsv({ ...query, order: sort }, columns)}
        >
          CSV
        </button>
      </PageHead>
      <FilterBar address={address} filter={filter} {...(failure === undefined ? {} : { failure })} />
      <button
        type="button"
        class="btn more-filters"
        aria-expanded={isFiltering}
        onClick={() => setFiltering(!isFiltering)}
      >
        <Icon name="columns" />
        {isFiltering ? 'Fewer filters' : 'More filters'}
      </button>
      <div class="cols side">
        <aside class={isFiltering ? 'stack shown' : 'stack'} aria-label="Filters">
          {facets.data === undefined ? (
            facets.refusal === undefined ? (
              <Loading lines={8} />
            ) : null
          ) : (
            <FacetList facets={facets.data} filter={filter} address={address} />
          )}
          <Trouble answer={facets} />
          <AnotherFact address={address} paths={facetPaths} />
        </aside>
        <section class="card" aria-label="Nodes that match">
          <Trouble answer={list} />
          {pages === undefined ? (
            list.refusal === undefined && <Loading lines={12} />
          ) : nodes.length === 0 ? (
            <NoMatch describe={describeFilter(filter)} address={address} hasStatus={filter.where.has('status')} />
          ) : (
            <div class={list.isOld ? 'old' : 'fresh'}>
              <NodeTable
                nodes={nodes}
                total={total ?? nodes.length}
                columns={columns}
                sort={sort}
                address={address}
                selected={selected}
                onSelect={toggle}
                onMore={list.more}
              />
            </div>
          )}
        </section>
      </div>
      {isChoosing && <ColumnsDialog chosen={columns} address={address} onClose={() => setChoosing(false)} />}
    </>
  );
}

const classOf = (name: string | undefined): string | undefined => (name === noClass ? '' : name);

/** Returns undefined if the address names no failure. */
function useFailureWords({ params }: Address): string | undefined {
  const key = params.get('cause');
  const failures = useAnswer<Failures>(key === undefined ? undefined : 'nodeledger/v1/failures', { limit: 100 });
  const failingClass = params.get('failing_class');
  if (failingClass !== undefined) return failingClass === noClass ? 'no class' : failingClass;
  if (key === undefined) return undefined;
  const cause = failures.data?.causes.find((one) => one.key === key);
  if (cause === undefined) return failures.data === undefined ? '…' : 'one cause';
  return cause.resource_type === null ? 'the run itself' : `${cause.resource_type}[${cause.resource_title}]`;
}

function NoMatch({
  describe,
  hasStatus,
  address,
}: {
  readonly describe: string;
  readonly hasStatus: boolean;
  readonly address: PageProps['address'];
}) {
  return (
    <Empty title={describe === '' ? 'No node has reported yet' : `No node has ${describe}`}>
      <div class="row wrap">
        {hasStatus && (
          <a class="btn" href={hrefWith(address, filterParams('status', []))}>
            Drop the status filter
          </a>
        )}
        {describe !== '' && (
          <a class="btn plain" href={hrefTo(['nodes'])}>
            Clear all
          </a>
        )}
      </div>
    </Empty>
  );
}

function AnotherFact({
  address,
  paths,
}: {
  readonly address: PageProps['address'];
  readonly paths: readonly string[];
}) {
  const [path, setPath] = useState('');
  return (
    <form
      class="another"
      onSubmit={(event) => {
        event.preventDefault();
        const added = path.trim();
        if (added === '') return;
        go(hrefWith(address, { facets: [...new Set([...paths, added])].join(',') }));
        setPath('');
      }}
    >
      <input
        class="field small"
        aria-label="Another fact to filter by"
        placeholder="Another fact, such as kernel"
        value={path}
        onInput={({ currentTarget }) => setPath(currentTarget.value)}
      />
    </form>
  );
}

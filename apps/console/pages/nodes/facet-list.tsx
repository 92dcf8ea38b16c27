import { hrefTo, hrefWith, type Address } from '../../address/address';
import { type NodeFilter, toggled } from '../../filters/node-filter';
import { Icon } from '../../parts/icon';
import { StatusMark } from '../../parts/status';
import { count, excerpt, valueText, visible } from '../../parts/text';
import { type Facets, type FacetValue, type Status, statuses } from '../../service/shapes';

type Facet = Facets['facets'][number];
const shownValues = 8;

export function FacetList({
  facets,
  filter,
  address,
}: {
  readonly facets: Facets;
  readonly filter: NodeFilter;
  readonly address: Address;
}) {
  return (
    <>
      {facets.facets.map((facet) => (
        <FacetGroup key={facet.field} facet={facet} filter={filter} address={address} />
      ))}
    </>
  );
}

function FacetGroup({
  facet,
  filter,
  address,
}: {
  readonly facet: Facet;
  readonly filter: NodeFilter;
  readonly address: Address;
}) {
  const { field } = facet;
  const chosen = new Set((filter.where.get(field) ?? []).map((value) => JSON.stringify(value)));
  const values = valuesOf(facet, chosen);
  const most = values.reduce((most, { nodes }) => Math.max(most, nodes), 1);
  const hidden = facet.values.length - values.length;
  const path = field.startsWith('fact:') ? field.slice(5) : undefined;
  return (
    <div class="facet" role="group" aria-label={field}>
      <h2 class="facet-title">
        {path === undefined ? field === 'status' ? 'Status' : 'Environment' : <bdi>{visible(path)}</bdi>}
        {path !== undefined && (
          <a class="faint" href={hrefTo(['facts', path])}>
            fact
          </a>
        )}
      </h2>
      {values.map(({ value, nodes }) => {
        const isChosen = chosen.has(JSON.stringify(value));
        return (
          <a
            key={JSON.stringify(value)}
            href={hrefWith(address, toggled(filter, field, value))}
            aria-current={isChosen ? 'true' : undefined}
          >
            <svg class="share" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
              <rect width={(nodes / most) * 100} height="2" />
            </svg>
            <span class="trunc">
              <FacetWords field={field} value={value} />
            </span>
            <span class="n">{count(nodes)}</span>
          </a>
        );
      })}
      {facet.missing > 0 && path !== undefined && (
        <a
          href={hrefWith(address, toggled(filter, field, null))}
          aria-current={chosen.has('null') ? 'true' : undefined}
        >
          <span class="faint">missing</span>
          <span class="n">{count(facet.missing)}</span>
        </a>
      )}
      {(hidden > 0 || facet.others > 0) && path !== undefined && (
        <a class="faint" href={hrefTo(['facts', path])}>
          <span>other values</span>
          <Icon name="right" />
        </a>
      )}
    </div>
  );
}

function valuesOf({ field, values }: Facet, chosen: ReadonlySet<string>): readonly FacetValue[] {
  if (field === 'status')
    return statuses.map((status) => values.find(({ value }) => value === status) ?? { value: status, nodes: 0 });
  return values.filter(({ value }, index) => index < shownValues || chosen.has(JSON.stringify(value)));
}

function FacetWords({ field, value }: { readonly field: string; readonly value: unknown }) {
  if (field === 'status') return <StatusMark status={value as Status} />;
  if (value === null) return <span class="faint">missing</span>;
  return <bdi>{visible(excerpt(valueText(value), 80))}</bdi>;
}

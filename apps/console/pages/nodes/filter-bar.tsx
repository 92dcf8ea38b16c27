import { useEffect, useRef, useState } from 'preact/hooks';
import { go, hrefTo, hrefWith, type Address } from '../../address/address';
import { filterParams, type NodeFilter } from '../../filters/node-filter';
import { Icon } from '../../parts/icon';
import { excerpt, valueText, visible } from '../../parts/text';

const nameOf = (field: string): string => field.replace(/^fact:/, '');
const wordsOf = (values: readonly unknown[]): string =>
  values.map((value) => (value === null ? 'missing' : visible(excerpt(valueText(value), 40)))).join(', ');

/** Returns a text such as "status failed and role = cache". */
export function describeFilter({ text, where }: NodeFilter): string {
  const parts = [...where].map(([field, values]) =>
    field === 'status' ? `status ${wordsOf(values)}` : `${nameOf(field)} = ${wordsOf(values)}`,
  );
  return [...(text === '' ? [] : [`“${visible(text)}” in its name`]), ...parts].join(' and ');
}

export function FilterBar({
  address,
  filter,
  failure,
}: {
  readonly address: Address;
  readonly filter: NodeFilter;
  readonly failure?: string;
}) {
  const [text, setText] = useState(filter.text);
  const latest = useRef(address);
  latest.current = address;
  useEffect(() => setText(filter.text), [filter.text]);
  useEffect(() => {
    if (text === filter.text || text.includes('=')) return;
    // Waits until the viewer stops typing, so that the address does not change with each letter.
    const timer = setTimeout(() => go(hrefWith(latest.current, { q: text }), { replace: true }), 200);
    return () => clearTimeout(timer);
  }, [text]);
  const submit = (event: Event): void => {
    event.preventDefault();
    const [, path, value] = /^\s*([^\s=]+)\s*=\s*(.+?)\s*$/.exec(text) ?? [];
    if (path === undefined || value === undefined) return;
    setText('');
    go(hrefWith(address, { ...filterParams(`fact:${path}`, [value]), q: undefined }));
  };
  const hasFilter = filter.where.size > 0 || filter.text !== '' || failure !== undefined;
  return (
    <form class="row wrap" role="search" onSubmit={submit}>
      <label class="field grow filter-text">
        <Icon name="search" />
        <input
          type="text"
          aria-label="Name, or fact=value"
          placeholder="Name, or fact=value"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {[...filter.where].map(([field, values]) => (
        <Chip
          key={field}
          name={nameOf(field)}
          words={wordsOf(values)}
          href={hrefWith(address, filterParams(field, []))}
        />
      ))}
      {failure !== undefined && (
        <Chip
          name="fails on"
          words={visible(failure)}
          href={hrefWith(address, { cause: undefined, failing_class: undefined })}
        />
      )}
      {hasFilter && (
        <a
          class="btn plain"
          href={hrefTo(['nodes'], { columns: address.params.get('columns'), sort: address.params.get('sort') })}
        >
          Clear
        </a>
      )}
    </form>
  );
}

function Chip({ name, words, href }: { readonly name: string; readonly words: string; readonly href: string }) {
  return (
    <span class="chip">
      {visible(name)} <b class="trunc">{words}</b>
      <a href={href} aria-label={`Remove the filter ${visible(name)}`}>
        <Icon name="close" />
      </a>
    </span>
  );
}

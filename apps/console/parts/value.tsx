import { useState } from 'preact/hooks';
import { bytes, valueText, visible } from './text';

const most = 400;

export function Value({ value, limit = most }: { readonly value: unknown; readonly limit?: number }) {
  const [isWhole, setWhole] = useState(false);
  const text = valueText(value);
  if (text === '') return <span class="faint">empty</span>;
  // A text that is only slightly longer than the limit is shown whole, because a click would reveal little.
  if (text.length <= limit * 1.5 || isWhole) return <bdi class="value">{visible(text)}</bdi>;
  return (
    <span>
      <bdi class="value">{visible(text.slice(0, limit))}</bdi>…{' '}
      <button type="button" class="textual" onClick={() => setWhole(true)}>
        show all ({bytes(text.length)})
      </button>
    </span>
  );
}

export function Change({
  name,
  was,
  is,
}: {
  readonly name?: string | null;
  readonly was: unknown;
  readonly is: unknown;
}) {
  return (
    <span class="ch">
      {name !== undefined && name !== null && <span>{visible(name)}</span>}
      {isGiven(was) && (
        <s>
          <Value value={was} limit={60} />
        </s>
      )}
      {isGiven(was) && <span aria-label="becomes">→</span>}
      <ins>
        <Value value={is} limit={60} />
      </ins>
    </span>
  );
}

const isGiven = (value: unknown): boolean => value !== null && value !== undefined && value !== '';

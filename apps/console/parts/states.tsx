import type { ComponentChildren } from 'preact';
import { hrefTo, hrefWith, useAddress } from '../address/address';
import { isPassing, type Answer } from '../service/use-answer';
import { visible } from './text';
import { clockWithSeconds, momentText } from './moments';
import { Shape } from './status';

/** The style sheet hides the lines for the first 300 ms. */
export function Loading({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div class="loading" role="status">
      <span class="sr">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        <i key={line} />
      ))}
    </div>
  );
}

export function Empty({
  title,
  children,
}: {
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <b>{title}</b>
      {children}
    </div>
  );
}

export function Trouble({ answer }: { readonly answer: Answer<unknown> }) {
  const { refusal, at, again } = answer;
  const address = useAddress();
  if (refusal === undefined || refusal.status === 401) return null;
  const { earliest } = refusal;
  return (
    <div class="note bad" role="alert">
      <Shape tone="failed" />
      <div class="grow">
        <div class="failed strong">{visible(refusal.message)}</div>
        <div>
          {at !== undefined && `What you see is from ${clockWithSeconds(at)}. `}
          {isPassing(refusal) && 'The page tries again every 5 s.'}
        </div>
        {refusal.requestId !== undefined && (
          <details class="xs muted">
            <summary>Details</summary>
            {refusal.code} · request {refusal.requestId}
          </details>
        )}
      </div>
      {earliest === undefined ? (
        <button type="button" class="btn tiny" onClick={again}>
          Try now
        </button>
      ) : (
        <a class="btn tiny" href={hrefWith(address, { as_of: earliest })}>
          Show {momentText(earliest)}
        </a>
      )}
    </div>
  );
}

export function Answered<T>({
  answer,
  lines,
  children,
}: {
  readonly answer: Answer<T>;
  readonly lines?: number;
  readonly children: (data: T) => ComponentChildren;
}) {
  const { data, isOld, refusal } = answer;
  return (
    <>
      <Trouble answer={answer} />
      {data !== undefined ? (
        <div class={isOld ? 'old' : 'fresh'}>{children(data)}</div>
      ) : (
        refusal === undefined && <Loading {...(lines === undefined ? {} : { lines })} />
      )}
    </>
  );
}

export function NotFound() {
  return (
    <section class="card">
      <div class="empty">
        <h1>There is no such page</h1>
        <p>The address may be misspelled.</p>
        <a class="btn" href={hrefTo([])}>
          Open the overview
        </a>
      </div>
    </section>
  );
}

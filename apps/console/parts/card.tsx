import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { hrefTo } from '../address/address';

export function Card({
  title,
  note,
  end,
  footer,
  children,
}: {
  readonly title: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly end?: ComponentChildren;
  readonly footer?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note !== undefined && <span class="small muted">{note}</span>}
        {end !== undefined && <div class="end">{end}</div>}
      </header>
      {children}
      {footer !== undefined && footer !== false && <footer>{footer}</footer>}
    </section>
  );
}

export function Choice<Name extends string>({
  label,
  options,
  chosen,
  href,
}: {
  readonly label: string;
  readonly options: readonly (readonly [name: Name, words: ComponentChildren])[];
  readonly chosen: Name;
  readonly href: (name: Name) => string;
}) {
  return (
    <nav class="seg" aria-label={label}>
      {options.map(([name, words]) => (
        <a key={name} href={href(name)} aria-current={name === chosen ? 'true' : undefined}>
          {words}
        </a>
      ))}
    </nav>
  );
}

export function Tabs<Name extends string>({
  label,
  tabs,
  chosen,
  href,
}: {
  readonly label: string;
  readonly tabs: readonly (readonly [name: Name, words: string, figure?: string | undefined])[];
  readonly chosen: Name;
  readonly href: (name: Name) => string;
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([name, words, figure]) => (
        <a key={name} href={href(name)} aria-current={name === chosen ? 'page' : undefined}>
          {words}
          {figure !== undefined && <small> {figure}</small>}
        </a>
      ))}
    </nav>
  );
}

export function ListLink({
  path,
  children,
}: {
  readonly path: readonly string[];
  readonly children: ComponentChildren;
}) {
  return (
    <a class="link" href={hrefTo(path)}>
      {children}
    </a>
  );
}

export function PageHead({
  title,
  above,
  below,
  children,
}: {
  readonly title: ComponentChildren;
  readonly above?: ComponentChildren;
  readonly below?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="pagehead">
      <div class="grow">
        {above !== undefined && <p class="small muted crumbs">{above}</p>}
        <div class="row wrap">{title}</div>
        {below !== undefined && <p class="muted">{below}</p>}
      </div>
      {children !== undefined && <div class="row wrap">{children}</div>}
    </div>
  );
}

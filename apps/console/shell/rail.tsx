import { hrefTo, type Address } from '../address/address';
import { Icon, Logo } from '../parts/icon';
import { count } from '../parts/text';
import { navigationPages, type NavigationPage } from './navigation';
import { useSession, type Session } from './session';

const isCurrent = ({ path }: Address, page: NavigationPage): boolean => (path[0] ?? '') === (page.path[0] ?? '');

const mayOpen = ({ me }: Session, { role }: NavigationPage): boolean => role === undefined || me.may.includes(role);

export function Rail({ address, onSignOut }: { readonly address: Address; readonly onSignOut: () => void }) {
  const session = useSession();
  const { me, summary, deadLetters } = session;
  const tallies: Readonly<Record<string, number | undefined>> = {
    Nodes: summary.data?.total,
    Operation: deadLetters === 0 ? undefined : deadLetters,
  };
  return (
    <nav class="rail" aria-label="Main">
      <a class="brand" href={hrefTo([])}>
        <Logo />
        nodeledger
      </a>
      {(['Fleet', 'Explore', 'Service'] as const).map((group) => {
        const open = navigationPages.filter((page) => page.group === group && mayOpen(session, page));
        return (
          open.length > 0 && (
            <div key={group} class="group">
              <h2>{group}</h2>
              {open.map((page) => {
                const tally = tallies[page.words];
                return (
                  <a
                    key={page.words}
                    class="nav"
                    href={hrefTo(page.path)}
                    aria-current={isCurrent(address, page) ? 'page' : undefined}
                  >
                    <Icon name={page.icon} />
                    {page.words}
                    {tally !== undefined && (
                      <span class={page.words === 'Operation' ? 'tally bad' : 'tally'}>
                        {count(tally)}
                        {page.words === 'Operation' && <span class="sr"> rejected commands</span>}
                      </span>
                    )}
                  </a>
                );
              })}
            </div>
          )
        );
      })}
      <div class="foot">
        {me.by === 'nothing' ? (
          <span>Roles are not checked</span>
        ) : (
          <>
            <span>
              Signed in as <b>{me.name}</b>
            </span>
            <span>{me.may.includes('admin') ? 'Administrator' : me.may.join(', ')}</span>
          </>
        )}
        {me.by === 'token' && (
          <button type="button" class="textual" onClick={onSignOut}>
            Sign out
          </button>
        )}
      </div>
    </nav>
  );
}

export function TabBar({ address, onMore }: { readonly address: Address; readonly onMore: () => void }) {
  const shown = navigationPages.filter(({ words }) => ['Overview', 'Nodes', 'Reports', 'Query'].includes(words));
  return (
    <nav class="tabbar" aria-label="Main, small screen">
      {shown.map((page) => (
        <a key={page.words} href={hrefTo(page.path)} aria-current={isCurrent(address, page) ? 'page' : undefined}>
          <Icon name={page.icon} />
          {page.words}
        </a>
      ))}
      <button type="button" onClick={onMore}>
        <Icon name="more" />
        More
      </button>
    </nav>
  );
}

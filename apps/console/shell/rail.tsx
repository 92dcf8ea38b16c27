import { hrefTo, type Address } from '../address/address';
import { Icon, Logo } from '../parts/icon';
import { count } from '../parts/text';
import { places, type Place } from './places';
import { useSession, type Session } from './session';

const isCurrent = ({ path }: Address, place: Place): boolean => (path[0] ?? '') === (place.path[0] ?? '');

const mayOpen = ({ me }: Session, { role }: Place): boolean => role === undefined || me.may.includes(role);

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
        const open = places.filter((place) => place.group === group && mayOpen(session, place));
        return (
          open.length > 0 && (
            <div key={group} class="group">
              <h2>{group}</h2>
              {open.map((place) => {
                const tally = tallies[place.words];
                return (
                  <a
                    key={place.words}
                    class="nav"
                    href={hrefTo(place.path)}
                    aria-current={isCurrent(address, place) ? 'page' : undefined}
                  >
                    <Icon name={place.icon} />
                    {place.words}
                    {tally !== undefined && (
                      <span class={place.words === 'Operation' ? 'tally bad' : 'tally'}>
                        {count(tally)}
                        {place.words === 'Operation' && <span class="sr"> rejected commands</span>}
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
  const shown = places.filter(({ words }) => ['Overview', 'Nodes', 'Reports', 'Query'].includes(words));
  return (
    <nav class="tabbar" aria-label="Main, small screen">
      {shown.map((place) => (
        <a key={place.words} href={hrefTo(place.path)} aria-current={isCurrent(address, place) ? 'page' : undefined}>
          <Icon name={place.icon} />
          {place.words}
        </a>
      ))}
      <button type="button" onClick={onMore}>
        <Icon name="more" />
        More
      </button>
    </nav>
  );
}

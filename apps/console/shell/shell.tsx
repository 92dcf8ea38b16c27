import type { FunctionComponent } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { useAddress, type Address } from '../address/address';
import { Dialog } from '../parts/dialog';
import { NameEnd, sharedEnd } from '../parts/node-name';
import { NotFound, Trouble } from '../parts/states';
import { ask, onSignedOut, Refusal, remove } from '../service/ask';
import { from } from '../service/ast';
import type { Letters, Me, Summary } from '../service/shapes';
import { forgetAnswers, useAnswer } from '../service/use-answer';
import { useRows } from '../service/use-rows';
import type { PageProps } from '../pages/page-props';
import { pages } from '../pages/pages';
import { useShellKeys } from './keys';
import { KeysHelp } from './keys-help';
import { Palette } from './palette';
import { Rail, TabBar } from './rail';
import { SessionContext } from './session';
import { SignInForm, SignInPage } from './sign-in';
import { PastBand, TimeDialog } from './time-control';
import { TopBar } from './top-bar';

export function Console() {
  const [me, setMe] = useState<Me | 'unknown' | undefined>();
  const [isExpired, setExpired] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const read = useCallback(async () => {
    try {
      setMe(await ask<Me>('nodeledger/v1/me'));
      setRefusal(undefined);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.status === 401) setMe('unknown');
      else setRefusal(error);
    }
  }, []);
  useEffect(() => {
    void read();
    return onSignedOut(() => setExpired(true));
  }, []);
  if (refusal !== undefined && me === undefined)
    return (
      <main class="sign-in">
        <div class="card">
          <h1 class="sr">nodeledger</h1>
          <Trouble answer={{ isOld: false, refusal, again: () => void read() }} />
        </div>
      </main>
    );
  if (me === undefined) return null;
  const signIn = (found: Me): void => {
    forgetAnswers();
    setExpired(false);
    setMe(found);
  };
  if (me === 'unknown') return <SignInPage onSignedIn={signIn} />;
  const signOut = async (): Promise<void> => {
    await remove('nodeledger/v1/session');
    forgetAnswers();
    setMe('unknown');
  };
  return (
    <>
      <Shell key={me.name} me={me} onSignOut={() => void signOut()} />
      {isExpired && (
        <Dialog title="Your session has ended" onClose={() => undefined}>
          <p class="muted">Sign in again. The page stays as it is.</p>
          <SignInForm onSignedIn={signIn} />
        </Dialog>
      )}
    </>
  );
}

type Layer = 'palette' | 'keys' | 'time';

function Shell({ me, onSignOut }: { readonly me: Me; readonly onSignOut: () => void }) {
  const address = useAddress();
  const [layer, setLayer] = useState<Layer>();
  // A key can open another layer before the browser reports that a dialog has closed.
  const close = (closed: Layer) => () => setLayer((open) => (open === closed ? undefined : open));
  // These pages show only the present.
  const asOf = ['operation', 'drift'].includes(address.path[0] ?? '') ? undefined : address.params.get('as_of');
  const openPalette = useCallback(() => setLayer('palette'), []);
  const openTime = useCallback(() => setLayer('time'), []);
  useShellKeys({ onSearch: openPalette, onHelp: useCallback(() => setLayer('keys'), []), onTime: openTime });
  const mayAsk = me.may.includes('query');
  const summary = useAnswer<Summary>(mayAsk ? 'nodeledger/v1/summary' : undefined, {}, { every: 15 });
  const letters = useAnswer<Letters>(
    me.may.includes('admin') ? 'nodeledger/v1/dead-letters' : undefined,
    { limit: 1 },
    { every: 30 },
  );
  const names = useRows<{ certname: string }>(
    mayAsk ? from('nodes', ['certname'], undefined, { limit: 200, order: ['certname'] }) : undefined,
  );
  return (
    <SessionContext.Provider value={{ me, summary, deadLetters: letters.data?.total }}>
      <NameEnd.Provider value={sharedEnd(names.data?.map(({ certname }) => certname) ?? [])}>
        <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
          Skip to the page
        </button>
        <div class="shell">
          <Rail address={address} onSignOut={onSignOut} />
          <div class="middle">
            <TopBar asOf={asOf} onSearch={openPalette} onTime={openTime} />
            {asOf !== undefined && <PastBand address={address} asOf={asOf} />}
            <main class="page" id="content" tabIndex={-1}>
              <CurrentPage address={address} me={me} />
            </main>
          </div>
        </div>
        <TabBar address={address} onMore={openPalette} />
        {layer === 'palette' && <Palette address={address} onClose={close('palette')} />}
        {layer === 'time' && <TimeDialog address={address} onClose={close('time')} />}
        {layer === 'keys' && <KeysHelp onClose={close('keys')} />}
      </NameEnd.Provider>
    </SessionContext.Provider>
  );
}

function CurrentPage({ address, me }: { readonly address: Address; readonly me: Me }) {
  const found = pages.find(({ matches }) => matches(address.path));
  const title = found?.title(address.path) ?? 'Not found';
  useEffect(() => {
    document.title = `${title} · nodeledger`;
  }, [title]);
  if (found === undefined) return <NotFound />;
  const role = found.role ?? 'query';
  if (!me.may.includes(role)) return <Forbidden role={role} title={title} />;
  const Page: FunctionComponent<PageProps> = found.page;
  // The key resets the state of the page when its subject changes. A selection for one node must not stay for another
  // node.
  return <Page key={found.identity?.(address.path)} address={address} />;
}

function Forbidden({ role, title }: { readonly role: string; readonly title: string }) {
  return (
    <section class="card">
      <div class="empty">
        <h1>{title}</h1>
        <p>This page needs the role {role}, which your token or certificate does not have.</p>
      </div>
    </section>
  );
}

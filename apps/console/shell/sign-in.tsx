import { useState } from 'preact/hooks';
import { Logo } from '../parts/icon';
import { Shape } from '../parts/status';
import { visible } from '../parts/text';
import { post, Refusal } from '../service/ask';
import type { Me } from '../service/shapes';

/** The service exchanges the token for a session cookie. */
export function SignInForm({ onSignedIn }: { readonly onSignedIn: (me: Me) => void }) {
  const [token, setToken] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setAsking(true);
    setRefusal(undefined);
    try {
      onSignedIn(await post<Me>('nodeledger/v1/session', { token: token.trim() }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setRefusal(error.status === 401 ? 'The service does not know this token, or it has expired.' : error.message);
      setAsking(false);
    }
  };
  return (
    <form class="sign-in-form" onSubmit={(event) => void submit(event)}>
      <label for="token">Token</label>
      <input
        id="token"
        class="field mono"
        type="password"
        autocomplete="current-password"
        spellcheck={false}
        required
        autoFocus
        placeholder="nlt_…"
        value={token}
        onInput={({ currentTarget }) => setToken(currentTarget.value)}
        aria-describedby={refusal === undefined ? undefined : 'refused'}
      />
      {refusal !== undefined && (
        <p id="refused" class="refused failed small" role="alert">
          <Shape tone="failed" /> {visible(refusal)}
        </p>
      )}
      <button type="submit" class="btn go" disabled={isAsking}>
        Sign in
      </button>
    </form>
  );
}

export function SignInPage({ onSignedIn }: { readonly onSignedIn: (me: Me) => void }) {
  return (
    <main class="sign-in">
      <div class="card">
        <p class="brand">
          <Logo />
          nodeledger
        </p>
        <h1>Sign in</h1>
        <SignInForm onSignedIn={onSignedIn} />
        <p class="small muted">
          An administrator makes a token with <code class="nowrap">nodeledger token create you --role query</code>. The
          browser gets a cookie that scripts cannot read, and does not store the token.
        </p>
      </div>
    </main>
  );
}

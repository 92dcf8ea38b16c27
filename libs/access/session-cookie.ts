import type { IncomingHttpHeaders } from 'node:http';

/** Browsers accept a cookie whose name begins with `__Host-` only over TLS, and only from the host itself. */
const names = { plain: 'nodeledger_session', secure: '__Host-nodeledger_session' } as const;

/** Scripts cannot read the cookie, and browsers do not send it with requests from pages of other sites. */
const attributes = 'Path=/; HttpOnly; SameSite=Strict';

export function sessionOf({ cookie }: IncomingHttpHeaders): string | undefined {
  if (cookie === undefined) return undefined;
  const pairs = cookie.split(';').map((pair) => pair.trim());
  for (const name of [names.secure, names.plain]) {
    const found = pairs.find((pair) => pair.startsWith(`${name}=`));
    if (found !== undefined) return found.slice(name.length + 1);
  }
  return undefined;
}

/** `secure` means that the browser uses TLS to the service or to a proxy. */
export const sessionCookie = (secret: string, { secure }: { readonly secure: boolean }): string =>
  secure ? `${names.secure}=${secret}; ${attributes}; Secure` : `${names.plain}=${secret}; ${attributes}`;

export const endedCookies: readonly string[] = [
  `${names.secure}=; ${attributes}; Secure; Max-Age=0`,
  `${names.plain}=; ${attributes}; Max-Age=0`,
];

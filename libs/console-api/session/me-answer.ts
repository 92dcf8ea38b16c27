import { type Identity, roles } from '#access';
import { list, object, oneOfTexts, orNull, type Schema, text, time } from '#openapi';

const means = ['token', 'certificate', 'nothing'] as const;

export interface Me {
  readonly name: string | null;
  /** What identifies the caller. `nothing` means that the request has neither a token nor a certificate. */
  readonly by: (typeof means)[number];
  readonly may: readonly string[];
  readonly session_ends: string | null;
}

export const meSchema: Schema = object({
  name: orNull(text()),
  by: oneOfTexts(means),
  may: list(oneOfTexts(roles)),
  session_ends: orNull(time),
});

/** If the caller has a token and a certificate, the answer names the token, because the user has chosen it. */
export function meOf({ caller: { certname, token }, roles: given, sessionEnds }: Identity): Me {
  return {
    name: token ?? certname ?? null,
    by: token !== undefined ? 'token' : certname !== undefined ? 'certificate' : 'nothing',
    may: roles.filter((role) => given.has(role)),
    session_ends: sessionEnds?.toISOString() ?? null,
  };
}

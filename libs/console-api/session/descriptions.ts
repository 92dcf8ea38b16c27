import { object, type Operation, text } from '#openapi';
import { meSchema } from './me-answer';

export const me: Operation = {
  id: 'getMe',
  tag: 'console',
  summary: 'Who the caller is, and what the caller may do',
  description:
    'Needs one role, whichever it is. `by` is nothing if roles are not checked. `session_ends` is null without a session.',
  answers: { 200: { description: 'The caller.', content: { 'application/json': meSchema } } },
  examples: { me: { summary: 'The caller' } },
};

export const signIn: Operation = {
  id: 'signIn',
  tag: 'console',
  summary: 'Exchange a token for the cookie of a session',
  description:
    'For browsers. Scripts cannot read the cookie. The session ends after 12 hours, with the token, or by DELETE. Requests other than GET that rely on the cookie need the header `X-Nodeledger-Console: 1`.',
  body: { description: 'The token.', content: { 'application/json': object({ token: text() }) } },
  refusals: [400, 409, 413, 415, 503],
  answers: {
    200: {
      description: 'Who the caller is now.',
      headers: { 'Set-Cookie': 'The session.' },
      content: { 'application/json': meSchema },
    },
    401: { description: 'The token is not valid.', content: { 'text/plain': text() } },
  },
};

export const signOut: Operation = {
  id: 'signOut',
  tag: 'console',
  summary: 'End the session of the cookie',
  answers: { 204: { description: 'The session has ended, and the cookie is removed.' } },
  examples: { out: { summary: 'Sign out' } },
};

import { inJson, object, type Operation, text } from '#openapi';
import { meSchema } from './me-answer';

export const me: Operation = {
  id: 'getMe',
  tag: 'console',
  summary: 'The name and the roles of the client',
  description:
    'The client needs at least one role. `by` is nothing if the service does not check roles. `session_ends` is null if the client has no session.',
  answers: { 200: inJson('The caller.', meSchema) },
  examples: { me: { summary: 'The caller' } },
};

export const signIn: Operation = {
  id: 'signIn',
  tag: 'console',
  summary: 'Exchanges a token for the cookie of a session',
  description:
    'This path is for browsers. Scripts cannot read the cookie. The session ends after 12 hours, when the token ends, or by a DELETE request. With the cookie, all requests other than GET need the header `X-Nodeledger-Console: 1`.',
  body: inJson('The token.', object({ token: text() })),
  refusals: [400, 409, 413, 415, 503],
  answers: {
    200: {
      description: 'The name and the roles of the client.',
      headers: { 'Set-Cookie': 'The cookie of the session.' },
      content: { 'application/json': meSchema },
    },
    401: { description: 'The token is not valid.', content: { 'text/plain': text() } },
  },
};

export const signOut: Operation = {
  id: 'signOut',
  tag: 'console',
  summary: 'Ends the session of the cookie',
  answers: { 204: { description: 'The session has ended, and the cookie is removed.' } },
  examples: { out: { summary: 'Sign out' } },
};

import { acceptsJson, requireJsonContent } from './media-types';

test.each([
  undefined,
  '',
  'application/json',
  'APPLICATION/JSON',
  'text/html, application/json',
  'application/*',
  '*/*',
  '*/*;q=0.8',
  '*/* ; Q=1.000',
  'application/*;q=0.2',
  'text/html;q=1,*/*;q=0.001',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
])('Accept: %s admits JSON', (accept) => {
  expect(acceptsJson(accept)).toBe(true);
});

// As in PuppetDB, a media type with parameters is another type, and the answer is 406.
test.each([
  'text/html',
  'text/*',
  '*/*;q=0',
  '*/*;q=0.000',
  'application/*; q=0.0',
  'application/json;q=0',
  'application/json;q=0.5',
  'application/json; charset=utf-8',
  'text/html;q=1,*/*;q=0',
  '*/*;level=1',
])('Accept: %s does not', (accept) => {
  expect(acceptsJson(accept)).toBe(false);
});

test.each([
  ['application/x-www-form-urlencoded', "Send -H 'content-type: application/json'."],
  ['text/plain', undefined],
])('the refusal of %s has the hint %s', (type, hint) => {
  expect(() => requireJsonContent(type)).toThrow(expect.objectContaining({ code: 'http.content-type', hint }));
});

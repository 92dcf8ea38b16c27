import { defaultVolatileFacts, readVolatileFacts, volatileFactsOf } from './volatile-facts';

it('replaces the default, or adds names to it', () => {
  expect(readVolatileFacts('uptime, b,a,a')).toEqual(['a', 'b', 'uptime']);
  expect(readVolatileFacts('+b, + uptime')).toEqual([...defaultVolatileFacts, 'b'].sort());
});

it('has no names if the list is empty, and the default if it is not set', () => {
  expect(readVolatileFacts(',')).toEqual([]);
  expect(volatileFactsOf({ volatileFacts: [] })).toEqual([]);
  expect(volatileFactsOf({})).toEqual([...defaultVolatileFacts].sort());
});

it.each(['a,+b', '+', '+a,+'])('refuses %s', (text) => {
  expect(readVolatileFacts(text)).toBeUndefined();
});

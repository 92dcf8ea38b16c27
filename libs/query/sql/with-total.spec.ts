import { withTotal } from './with-total';

test('the parameters of the total follow those of the rows', () => {
  const joined = withTotal(
    { text: 'SELECT a AS row FROM t WHERE b = $1::text AND c = $2::text LIMIT $3', values: ['b', 'c', 5] },
    { text: 'SELECT count(*)::text AS row FROM t WHERE c = $2::text AND b = $1::text', values: ['b', 'c'] },
  );
  expect(joined.values).toEqual(['b', 'c', 5, 'b', 'c']);
  expect(joined.text).toContain('WHERE c = $5::text AND b = $4::text');
  expect(joined.text).toContain('WHERE b = $1::text AND c = $2::text LIMIT $3');
});

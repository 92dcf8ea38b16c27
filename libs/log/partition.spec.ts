import { partitionOf } from './partition';

it('puts a certname where every earlier release put it', () => {
  const names = ['a', 'web1.example.com', 'knöten', ''];
  expect(names.map((certname) => partitionOf(certname, 12))).toEqual([7, 8, 10, 10]);
});

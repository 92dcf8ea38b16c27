import { nameInPartition, partitionOf } from './partition';

it('puts a certname where every earlier release put it', () => {
  const names = ['a', 'web1.example.com', 'knöten', ''];
  expect(names.map((certname) => partitionOf(certname, 12))).toEqual([7, 8, 10, 10]);
});

it('has a name in each partition, always the same one', () => {
  for (const partitions of [1, 2, 12, 1024]) {
    for (const partition of [0, partitions - 1]) {
      const name = nameInPartition(partition, partitions);
      expect(partitionOf(name, partitions)).toBe(partition);
      expect(nameInPartition(partition, partitions)).toBe(name);
    }
  }
});
